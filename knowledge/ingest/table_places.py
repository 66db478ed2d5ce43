"""Where the cells of a table stand, by the HTML standard's way of forming one, within bounds.

Source: WHATWG HTML, 4.9.12.1 "Forming a table".
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

# A table stands in so many places for each of its cells and rows; of 350 tables of real files none
# has more than 1.2 (measured).
_TIMES_PLACES = 8
_SPARE_PLACES = 2_000
# And in so many at most: measured, they take 3 s and 300 MB.
_MOST_PLACES = 2_000_000
_CLAIMS = "The table claims too many cells"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as its row lists it; spans count rows and columns of the grid, 1 when not merged.

    ``is_header`` marks what names columns, ``names_row`` what names the row it stands in.
    """

    text: str
    row_span: int = 1
    col_span: int = 1
    is_header: bool = False
    names_row: bool = False


# By column: the text there, and (row, column) where its cell begins.
_Row = dict[int, tuple[str, tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class Places:
    """Rows as column to (text, (row, column) where its cell begins).

    ``columns`` are those in which a cell with words begins, in order; no other is in ``rows``.
    """

    columns: tuple[int, ...]
    rows: tuple[_Row, ...]


def placed(rows: Sequence[Sequence[Cell]]) -> Places | None:
    """Return where cells stand, each put where those above leave room; their white space is folded.

    Where two cells overlap, the place is the earlier one's. Where rows are so unlike in length that
    most places would be empty, or more than two million in all, the cells furthest right are joined
    in the last column that there is room for. None for a table whose spans claim many times the
    places it has cells for. Raises ValueError where its cells claim more than two million places.
    """
    # Counted first: each of them takes a place at least, and it would take seconds to find it.
    if sum(1 for row in rows for cell in row if cell.text.strip()) > _MOST_PLACES:
        raise ValueError(_CLAIMS)
    most = _SPARE_PLACES + _TIMES_PLACES * sum(len(row) + 1 for row in rows)
    begun = _begun(rows, most)
    if begun is None:
        return None
    columns = sorted({cell.column for cell in begun if cell.text})
    places: list[_Row] = [{} for _ in rows]
    total = 0
    for cell in begun:
        first = bisect_left(columns, cell.column)
        over = columns[first : bisect_left(columns, cell.column + cell.wide, first)]
        total += len(over) * cell.high
        if total > most:
            return None
        if total > _MOST_PLACES:
            raise ValueError(_CLAIMS)
        held = (cell.text, (cell.row, cell.column))
        for below in places[cell.row : cell.row + cell.high]:
            for column in over:
                below.setdefault(column, held)
    width = min(most, _MOST_PLACES) // max(1, sum(map(bool, places)))
    if len(columns) > width:
        columns = columns[:width]
        for r, row in enumerate(places):
            _join_behind(row, r, columns[-1])
    return Places(tuple(columns), tuple(places))


def _join_behind(row: _Row, r: int, last: int) -> None:
    """Put what stands in the columns of a row from `last` on into that one."""
    held = dict.fromkeys(row.pop(column) for column in sorted(row) if column >= last)
    # A cell from above is said where it begins, and here only if nothing else is.
    begun = [text for text, origin in held if text and origin >= (r, last)]
    if begun:
        row[last] = (", ".join(begun), (r, last))
    elif held:
        text, origin = next(iter(held))
        row[last] = (text, (origin[0], min(origin[1], last)))


@dataclass(frozen=True, slots=True)
class _Begun:
    text: str
    row: int
    column: int
    high: int
    wide: int


def _begun(rows: Sequence[Sequence[Cell]], most: int) -> list[_Begun] | None:
    """Return each cell where it begins, None when more than `most` cells had to be passed.

    What is passed in a row are the cells that reach into it from above: where each row has one of
    rowspan 65,000, they are half as many as the square of the rows.
    """
    found: list[_Begun] = []
    above: list[tuple[int, int, int]] = []
    passed = 0
    for r, row in enumerate(rows):
        passed += len(above)
        if passed > most:
            return None
        column = number = 0
        reaching = [span for span in above if span[2] > r + 1]
        for cell in row:
            # In the order of their columns, so that none is looked at twice.
            while number < len(above) and above[number][0] <= column:
                column = max(column, above[number][1])
                number += 1
            wide = max(1, cell.col_span)
            high = max(1, min(cell.row_span, len(rows) - r))
            found.append(_Begun(" ".join(cell.text.split()), r, column, high, wide))
            if high > 1:
                reaching.append((column, column + wide, r + high))
            column += wide
        above = sorted(reaching)
    return found
