"""The title a Word document states in its properties."""

from __future__ import annotations

import re

from .package import Package

_TITLE = "{http://purl.org/dc/elements/1.1/}title"
# What converters and templates leave behind: a file's name, or no name at all.
_MEANINGLESS = re.compile(
    r"microsoft word\b|untitled|document\d*\Z|dokument\d*\Z|template\b|word document"
    r"|.*\.(?:docx?|dotx?|pdf|rtf|odt)\Z",
    re.IGNORECASE,
)


def stated_title(package: Package) -> str:
    """Return the title of docProps/core.xml, '' when it is none a person gave."""
    root = package.part("docProps/core.xml")
    title = " ".join((root.findtext(_TITLE) or "").split()) if root is not None else ""
    return "" if len(title) < 3 or _MEANINGLESS.match(title) else title
