"""Parsing in a process of its own: what a file does to its reader harms nothing else.

    document = parse(data, "report.pdf", limits=Limits(timeout_s=120, memory_mb=1536))

A *reader* (`reader.py`, started with `python -m`) inherits no connection and no secret of the
environment. It forks once for every file, so that nothing of one file is left for the next, which
may be another tenant's; it reads none itself. What comes back is data without code in it, and is
checked like any input (`codec.py`): whoever takes over the child can give a wrong document, and
nothing else.
"""

from .client import ReaderUnavailable, Sandbox, figures, page_image, parse

__all__ = ["ReaderUnavailable", "Sandbox", "figures", "page_image", "parse"]
