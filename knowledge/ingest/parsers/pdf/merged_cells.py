"""Merged cells: how many rows and columns the cells of a ruled table take."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from knowledge.ingest.tables import Cell

from .lines import Box, Cells, Span

Spans = dict[tuple[int, int], Span]
"""The (rows, columns) of each cell that takes more than one, by where it begins."""

# Rules closer than this are one.
_NEAR = 1.0


def spans_of(
    boxes: Sequence[Sequence[Box | None]], tops: Sequence[float], lefts: Sequence[float]
) -> Spans:
    """Return the spans of the cells of a table.

    ``boxes`` are those of the cells of each row, None where none begins; ``tops`` and ``lefts``
    are the upper edges of rows and the left ones of columns. Empty where cells overlap: what such
    rules part cannot be told.
    """
    spans: Spans = {}
    taken: set[tuple[int, int]] = set()
    for r, row in enumerate(boxes):
        for c, box in enumerate(row):
            if box is None:
                continue
            high = max(1, bisect_left(tops, box[3] - _NEAR) - r)
            wide = max(1, bisect_left(lefts, box[2] - _NEAR) - c)
            places = {(r + down, c + right) for down in range(high) for right in range(wide)}
            if places & taken:
                return {}
            taken |= places
            if len(places) > 1:
                spans[r, c] = (high, wide)
    return spans


def moved(spans: Spans, rows: int) -> Spans:
    """Return ``spans`` of cells that begin ``rows`` further down, without those above the first."""
    return {(r + rows, c): span for (r, c), span in spans.items() if r + rows >= 0}


def cell_rows(cells: Cells) -> list[list[Cell]]:
    """Return the rows of a table as they list their cells, merged ones where they begin.

    A column in which nothing but names begins that go on in the next one is left out: that of the
    currency signs, which stand with their figures by now.
    """
    covered = _covered(cells.spans)
    kept = _kept(cells)
    rows: list[list[Cell]] = []
    for r, row in enumerate(cells.rows):
        rows.append([])
        for column, text in enumerate(row):
            high, wide = cells.spans.get((r, column), (1, 1))
            wide = sum(kept[column : column + wide])
            if wide and (r, column) not in covered:
                rows[-1].append(Cell(text, high, wide))
    return rows


def _kept(cells: Cells) -> list[bool]:
    """Return of each column whether words begin there that do not go on in a kept one."""
    width = len(cells.rows[0])
    kept = [False] * width
    for column in reversed(range(width)):
        wide = [
            cells.spans.get((r, column), (1, 1))[1]
            for r, row in enumerate(cells.rows)
            if row[column]
        ]
        kept[column] = any(not any(kept[column + 1 : column + count]) for count in wide)
    return kept


def _covered(spans: Spans) -> set[tuple[int, int]]:
    """Return the places in which merged cells go on."""
    return {
        (r + down, c + right)
        for (r, c), (high, wide) in spans.items()
        for down in range(high)
        for right in range(wide)
        if down or right
    }
