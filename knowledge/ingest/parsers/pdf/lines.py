"""Lines of text as the parser moves them about: what they say, where they stand, how they look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points from the top left of the page as it is displayed."""

Span = tuple[int, int]
"""How many rows and columns a cell takes."""

UPRIGHT = (1.0, 0.0)


@dataclass(slots=True)
class Cells:
    """A table on its way: a rectangle of texts, '' where a cell goes on, and where it stands.

    ``edges`` are its left and right ones, ``columns`` the left ones of its columns, none where only
    the words tell. ``spans`` has the merged cells by the (row, column) where they begin.
    """

    rows: list[list[str]]
    edges: tuple[float, float]
    columns: tuple[float, ...] = ()
    spans: dict[tuple[int, int], Span] = field(default_factory=dict)
    caption: str = ""
    # How many rows in front name the columns, None where only their words can tell.
    header_rows: int | None = None
    # How many of the last rows are new on each page: (page, box) pairs in order.
    parts: list[tuple[int, Box]] = field(default_factory=list)


@dataclass(slots=True)
class Picture:
    """A figure on its way: where it is, and its caption once that is found."""

    page: int
    box: Box
    caption: str = ""


@dataclass(slots=True)
class Line:
    """A line of text, or a table or picture that takes a line's place in the reading order.

    ``x0`` to ``y1`` are in a frame turned with the text, so that it always reads rightwards;
    ``direction`` is the reading direction on the displayed page.
    """

    text: str
    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool = False
    italic: bool = False
    direction: tuple[float, float] = UPRIGHT
    content: Cells | Picture | None = None
    # (level, title) where a bookmark or the layout model says that a heading starts here; rows
    # that go on with it have level 0.
    mark: tuple[int, str] | None = None
    note: bool = False
    # What the footnote that begins here is called: '1', '*'.
    label: str = ""
    # Pieces far from each other, as the cells of a row have them; a number in front is none.
    spread: bool = False
    # A blank ends it, which its box has in it.
    ends_blank: bool = False

    @property
    def box(self) -> Box:
        """The box on the displayed page."""
        if self.direction == UPRIGHT:
            return (self.x0, self.y0, self.x1, self.y1)
        dx, dy = self.direction
        xs = [x * dx - y * dy for x in (self.x0, self.x1) for y in (self.y0, self.y1)]
        ys = [x * dy + y * dx for x in (self.x0, self.x1) for y in (self.y0, self.y1)]
        return (min(xs), min(ys), max(xs), max(ys))


@dataclass(slots=True)
class PageText:
    """What was read from one page; ``number`` counts from 1, sizes are in points."""

    number: int
    width: float
    height: float
    lines: list[Line]
    vectors: list[Box] = field(default_factory=list)
    images: list[Box] = field(default_factory=list)
    # Where words with a line through them were left out, and words that nobody sees.
    struck: list[Box] = field(default_factory=list)
    hidden: list[Box] = field(default_factory=list)
    read_by_ocr: bool = False

    @property
    def characters(self) -> int:
        """How many characters of text there are."""
        return sum(len(line.text) for line in self.lines)


def union(boxes: Sequence[Box]) -> Box:
    """Return the smallest box around ``boxes``."""
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def covers(outer: Box, inner: Box) -> bool:
    """Return whether the middle of ``inner`` lies in ``outer``."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


def overlap(a: Box, b: Box) -> bool:
    """Return whether two boxes have a place in common."""
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def rounded(box: Box) -> Box:
    """Return ``box`` to a tenth of a point."""
    return (round(box[0], 1), round(box[1], 1), round(box[2], 1), round(box[3], 1))
