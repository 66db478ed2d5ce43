"""The tree every parser gives: a document of nested sections, whose leaves carry source spans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class NodeKind(StrEnum):
    """What a node is; the document and its sections are inner nodes, all others are leaves."""

    DOCUMENT = "document"
    SECTION = "section"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    FIGURE = "figure"
    CODE = "code"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code points in the canonical text of a document."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """Return the part of ``text`` this span covers."""
        return text[self.start : self.end]

    def shifted(self, offset: int) -> Span:
        """Return this span moved ``offset`` code points to the right."""
        return Span(self.start + offset, self.end + offset)


@dataclass(frozen=True, slots=True)
class Row:
    """One body row of a table; ``text`` is one line in which each cell follows its header path."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Leaf:
    """A paragraph, list, table, figure or code block.

    ``sentences`` are absolute spans inside ``span``: sentences of prose, lines of code, none of a
    table, whose ``rows`` stand in for them. ``page`` counts from 1; ``boxes`` are
    (page, x0, y0, x1, y1) in points from the top left of the page.
    """

    kind: NodeKind
    span: Span
    sentences: tuple[Span, ...] = ()
    rows: tuple[Row, ...] = ()
    page: int | None = None
    boxes: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with all that stands under it; the root has level 0 and spans the whole text.

    ``heading`` is the span of the heading's own lines. The root has one only when the document
    opens with a single top heading, which then names the document.
    """

    title: str
    level: int
    heading: Span | None
    span: Span
    children: tuple[Section | Leaf, ...]

    def leaves(self) -> Iterator[Leaf]:
        """Yield every leaf below this section in reading order."""
        for child in self.children:
            if isinstance(child, Section):
                yield from child.leaves()
            else:
                yield child

    def sections(self) -> Iterator[Section]:
        """Yield every section below this one in reading order, itself left out."""
        for child in self.children:
            if isinstance(child, Section):
                yield child
                yield from child.sections()


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What a parser gives; every span in ``root`` indexes ``text``.

    ``language`` is an ISO 639-1 code or 'und'; ``pages`` is None where the format has none;
    ``warnings`` are sentences the uploader understands, ``remarks`` such on what the chosen options
    made of this document. ``unread_pages`` are pictures no text was found for; ``cut_by_page`` says
    that pages stand in for sections.
    """

    text: str
    title: str
    language: str
    root: Section
    parser: str
    parser_version: str
    pages: int | None = None
    warnings: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    unread_pages: tuple[int, ...] = ()
    cut_by_page: bool = False
