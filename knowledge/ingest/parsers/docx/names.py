"""Names of WordprocessingML and its relatives (ECMA-376, part 1), in the spelling of lxml."""

from __future__ import annotations

from lxml import etree

_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

W = f"{{{_MAIN}}}"
R = f"{{{_RELATIONS}}}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
V = "{urn:schemas-microsoft-com:vml}"
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"

# The strict variant of the standard names the same things differently.
STRICT = {
    b"http://purl.oclc.org/ooxml/wordprocessingml/main": _MAIN.encode(),
    b"http://purl.oclc.org/ooxml/officeDocument/relationships": _RELATIONS.encode(),
    b"http://purl.oclc.org/ooxml/officeDocument/math": M[1:-1].encode(),
    b"http://purl.oclc.org/ooxml/drawingml/main": A[1:-1].encode(),
    b"http://purl.oclc.org/ooxml/drawingml/chart": C[1:-1].encode(),
    b"http://purl.oclc.org/ooxml/drawingml/diagram": DGM[1:-1].encode(),
    b"http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing": WP[1:-1].encode(),
}

Element = etree._Element


def value(parent: Element | None, name: str) -> str | None:
    """Return the w:val of the child ``name`` of ``parent``; '' for a child without one."""
    child = parent.find(W + name) if parent is not None else None
    return None if child is None else child.get(W + "val", "")


def toggle(parent: Element | None, name: str) -> bool | None:
    """Return an on/off property such as w:b, None where ``parent`` does not state it."""
    said = value(parent, name)
    return None if said is None else said not in ("0", "false", "off", "none")


def whole(text: str | None, default: int = 0) -> int:
    """Return ``text`` as an integer, ``default`` for what is none or is absurdly large."""
    try:
        number = int(text or "")
    except ValueError:
        return default
    return number if abs(number) < 1_000_000_000 else default
