"""One parser per format, chosen by the suffix of the file's name.

A parser is a module with ``parse(data, filename, limits) -> ParsedDocument`` that raises
`preflight.Refused`. It is imported when its first file comes, so that the libraries of one format
cost the others nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import PurePosixPath
from typing import Protocol, cast

from knowledge.ingest.pictures import FigureImages, PageImage
from knowledge.ingest.preflight import Limits, Refused, Verdict, content_name
from knowledge.ingest.tree import ParsedDocument

_MODULES = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".mkd": "markdown",
    ".txt": "text",
    ".text": "text",
    ".docx": "docx",
    ".docm": "docx",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
}
DEFAULT_LIMITS = Limits()


class _Parser(Protocol):
    def __call__(self, data: bytes, filename: str, limits: Limits) -> ParsedDocument: ...


def parse(data: bytes, filename: str, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    """Return the tree of ``data``; equal bytes and names give equal trees.

    Raises `preflight.Refused` for a suffix nobody reads and for whatever the parser refuses.
    """
    suffix = suffix_of(filename)
    if suffix not in _MODULES:
        raise Refused(Verdict.UNSUPPORTED, _unsupported(data, suffix))
    module = import_module(f"{__name__}.{_MODULES[suffix]}")
    return cast(_Parser, module.parse)(data, filename, limits)


def page_image(
    data: bytes,
    filename: str,
    *,
    limits: Limits = DEFAULT_LIMITS,
    page: int,
    quote: str = "",
    boxes: Sequence[Sequence[float]] = (),
) -> PageImage:
    """Return a page of a PDF as a picture, ``quote`` marked on it, else ``boxes`` framed.

    Raises `preflight.Refused`.
    """
    if suffix_of(filename) != ".pdf":
        raise Refused(Verdict.UNSUPPORTED, "Files of this kind have no pages.")
    draw = import_module(f"{__name__}.pdf.page_image").page_image
    return cast(PageImage, draw(data, page, quote=quote, boxes=boxes, limits=limits))


def figures(
    data: bytes,
    filename: str,
    *,
    limits: Limits = DEFAULT_LIMITS,
    places: Sequence[Sequence[float]],
) -> FigureImages:
    """Return the pictures of the FIGURE leaves of a PDF or Word document, none of others.

    ``places`` has the box (page, x0, y0, x1, y1) of each, empty where the format has no pages.
    Raises `preflight.Refused`.
    """
    taken = import_module(f"{__name__}.pictures").figures
    return cast(FigureImages, taken(data, suffix_of(filename), limits=limits, places=places))


def preload(filename: str) -> None:
    """Import what reads files of this name, if anything does: before a fork rather than after."""
    module = _MODULES.get(suffix_of(filename))
    if module is not None:
        import_module(f"{__name__}.{module}")


def suffix_of(filename: str) -> str:
    """Return the lower-case suffix of a file name or path of either kind, '' without one."""
    return PurePosixPath(filename.replace("\\", "/")).suffix.lower()


def supported_suffixes() -> tuple[str, ...]:
    """Return the suffixes `parse` reads, sorted, each with its dot."""
    return tuple(sorted(_MODULES))


def _unsupported(data: bytes, suffix: str) -> str:
    if suffix == ".doc":
        return (
            "Files in the old Word format (.doc) cannot be read. Please open the file in Word and "
            "save it as .docx."
        )
    named = f"Files ending in {suffix}" if suffix else "Files without a suffix"
    content = content_name(data)
    found = f" This one is {content}." if content else ""
    known = ", ".join(supported_suffixes())
    return f"{named} cannot be read.{found} These can: {known}."
