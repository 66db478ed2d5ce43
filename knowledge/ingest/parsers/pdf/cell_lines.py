"""Cells whose words run upwards, downwards or from the right, which pdfplumber reads backwards.

It puts letters in order from the left, whatever their direction; MuPDF's lines have theirs.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from pdfplumber.table import CellGroup

from .lines import UPRIGHT, Box, Line, covers
from .merged_cells import Spans
from .rtl import is_rtl, reversed_line

# Letters reach a little over the rules of their cell.
_OVER = 3.0
# Twice how far the middles of words on one height may be apart, in sizes of their font.
_LEVEL = 0.3

Place = tuple[int, int]


def read_by_lines(
    rows: Sequence[CellGroup], texts: Sequence[Sequence[str]], lines: Sequence[Line]
) -> list[list[str]]:
    """Return ``texts``, the cells of ``rows``, with the words of ``lines`` where others would be
    read backwards.

    A line over several cells tells of none; what is read from the right is turned round there.
    """
    result = [list(row) for row in texts]
    if not any(_is_turned(line) for line in lines):
        return [[_in_order(text) for text in row] for row in result]
    held: dict[Place, list[Line]] = defaultdict(list)
    torn: set[Place] = set()
    for line in lines:
        for place, cell in _cells_of(rows, line):
            held[place].append(line)
            if not _is_within(cell, line.box):
                torn.add(place)
    for r, row in enumerate(result):
        for c, text in enumerate(row):
            own = held[r, c]
            if text and any(map(_is_turned, own)) and (r, c) not in torn:
                row[c] = _joined(own)
            else:
                row[c] = _in_order(text)
    return result


def _is_turned(line: Line) -> bool:
    return line.direction != UPRIGHT or (not line.text.isascii() and is_rtl(line.text))


def _cells_of(rows: Sequence[CellGroup], line: Line) -> Iterator[tuple[Place, Box]]:
    """Yield the cells in which the middle of a line is: one, where they do not overlap."""
    box = line.box
    middle = (box[1] + box[3]) / 2
    for r, row in enumerate(rows):
        if row.bbox[1] <= middle <= row.bbox[3]:
            for c, cell in enumerate(row.cells):
                if cell and covers(cell, box):
                    yield (r, c), cell


def _is_within(cell: Box, box: Box) -> bool:
    return (
        box[0] >= cell[0] - _OVER
        and box[1] >= cell[1] - _OVER
        and box[2] <= cell[2] + _OVER
        and box[3] <= cell[3] + _OVER
    )


def _joined(lines: Sequence[Line]) -> str:
    """Return the words of a cell, its pieces on one height from the right where they are so."""
    from_right = is_rtl(" ".join(line.text for line in lines))

    def place(line: Line) -> tuple[float, float]:
        return (round(line.y0 / max(1.0, line.size)), -line.x1 if from_right else line.x0)

    return " ".join(line.text for line in sorted(lines, key=place))


def _in_order(text: str) -> str:
    """Return a text that was read from the left as it is meant."""
    if text.isascii() or not is_rtl(text):
        return text
    # A ligature's letters are in order, the rest is reversed.
    letters = "".join(unicodedata.normalize("NFKC", letter)[::-1] for letter in text)
    return "\n".join(map(reversed_line, letters.split("\n")))


def part_by_lines(
    rows: Sequence[list[str]],
    spans: Spans,
    grid: Sequence[CellGroup],
    lines: Sequence[Line],
) -> Spans:
    """Give cells over several rows, a line of words on the height of each, to those rows.

    No rules part the labels of some tables. Returns the spans that are left; ``grid`` are the rows
    as they are ruled, ``rows`` their texts, which change.
    """
    left = dict(spans)
    for (r, c), (high, wide) in spans.items():
        cell = grid[r].cells[c]
        if high < 2 or cell is None or not rows[r][c]:
            continue
        own = sorted((x for x in lines if covers(cell, x.box)), key=lambda line: line.y0)
        if len(own) != high or not all(_has_neighbour(line, cell, lines) for line in own):
            continue
        if any(line.text.lstrip()[:1].islower() for line in own[1:]):
            continue  # one label, which goes on
        tops = [row.bbox[1] for row in grid[r : r + high]]
        if [bisect_right(tops, (line.y0 + line.y1) / 2) - 1 for line in own] != [*range(high)]:
            continue
        del left[r, c]
        for down, line in enumerate(own):
            rows[r + down][c] = line.text
            if wide > 1:
                left[r + down, c] = (1, wide)
    return left


def _has_neighbour(line: Line, cell: Box, lines: Sequence[Line]) -> bool:
    """Return whether beside ``cell`` there are words on the height of ``line``."""
    middle = line.y0 + line.y1
    return line.direction == UPRIGHT and any(
        abs(other.y0 + other.y1 - middle) < _LEVEL * line.size
        and not covers(cell, other.box)
        and other.direction == UPRIGHT
        for other in lines
    )
