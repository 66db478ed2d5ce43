"""Word documents (DOCX): body order, styles, lists, tables, notes, tracked changes, pictures.

Left out, since no reader of the page sees them in its text: comments, hidden text, headers and
footers, instructions of fields, tables of contents. So is what is struck out, for it holds no more.
Macros are never looked at.
"""

from __future__ import annotations

from knowledge.ingest.preflight import Limits, Refused, Verdict
from knowledge.ingest.tree import ParsedDocument

from .body import BodyReader
from .composition import Composition
from .items import Item, Picture
from .names import Element, W
from .package import Package
from .properties import stated_title
from .revisions import changes_told
from .typed_notes import with_typed_notes

NAME = "docx"
VERSION = "3"


def parse(data: bytes, filename: str, limits: Limits) -> ParsedDocument:
    """Return the tree of a Word document. Raises `preflight.Refused`.

    ``limits.tracked_changes`` says which text of a changed document is read.
    """
    package = Package(data, limits)
    body = _body(package)
    composition = Composition(_items(package, body, limits))
    return composition.composer.finish(
        filename=filename,
        title=composition.title or stated_title(package),
        limits=limits,
        parser=NAME,
        version=VERSION,
        warnings=tuple(dict.fromkeys(package.warnings)),
        remarks=(
            *changes_told(body, limits.tracked_changes),
            *dict.fromkeys(package.remarks),
        ),
    )


def pictures(data: bytes, limits: Limits) -> tuple[bytes | None, ...]:
    """Return the bytes behind each figure of the tree, in reading order.

    None stands for a figure without any: a chart, a diagram, a picture kept elsewhere. Raises what
    `parse` raises for the same file.
    """
    package = Package(data, limits)
    figures = Composition(_items(package, _body(package), limits)).figures
    return tuple(_bytes(package, picture) for picture in figures)


def _body(package: Package) -> Element:
    body = package.document().find(W + "body")
    if body is None:
        raise Refused(Verdict.DAMAGED, "The Word document is damaged: it has no body.")
    return body


def _items(package: Package, body: Element, limits: Limits) -> list[Item]:
    try:
        return with_typed_notes(list(BodyReader(package, limits.tracked_changes).blocks(body)))
    except RecursionError as error:
        raise Refused(
            Verdict.DAMAGED, "The document nests its parts deeper than any writer does."
        ) from error


def _bytes(package: Package, picture: Picture) -> bytes | None:
    try:
        return package.read(picture.part) if picture.part else None
    except (KeyError, Refused):
        return None
