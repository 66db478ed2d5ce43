"""The names of columns that stand above the ruled part of a table, as in most accounts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .captions import FIGURE, TABLE
from .lines import Box, Line, union

_FARTHEST = 16.0
_MOST_LINES = 4
_LONGEST = 60
_FIGURE = re.compile(r"[^\w]*[$€£¥]?\(?\d[\d.,]*\)?%?\Z")


def with_header_above(
    lines: Sequence[Line],
    box: Box,
    rows: list[list[str]],
    columns: Sequence[tuple[float, float]],
) -> tuple[Box, list[list[str]]]:
    """Return box and rows with a header row from the lines above, when there is none inside.

    ``columns`` are the x ranges of the cells of ``rows``. A line over several columns names all
    of them: "Three months ended" over "2022" and "2023".
    """
    figures = sum(bool(_FIGURE.match(cell)) for cell in rows[0][1:])
    if len(columns) < 2 or not figures:
        return box, rows
    found = _lines_above(lines, box, columns[1][0])
    names = [[""] for _ in columns]
    for line in found:
        for number, (low, high) in enumerate(columns):
            if number and line.x0 < high - 2 and line.x1 > low + 2:
                names[number].append(line.text)
    header = [" ".join(part for part in parts if part) for parts in names]
    if sum(map(bool, header[1:])) * 2 < len(columns) - 1:
        return box, rows
    return union([box, *(line.box for line in found)]), [header, *rows]


def _lines_above(lines: Sequence[Line], box: Box, left: float) -> list[Line]:
    """Return the lines just above ``box`` that stand over its later columns, top to bottom."""
    above = sorted(
        (line for line in lines if not line.content and line.y1 <= box[1] + 4),
        key=lambda line: -line.y1,
    )
    found: list[Line] = []
    edge = box[1]
    for line in above:
        if edge - line.y1 > _FARTHEST or len(found) >= _MOST_LINES * 6:
            break
        fits = line.x0 >= left - 30 and line.x1 <= box[2] + 10 and len(line.text) <= _LONGEST
        if not fits or TABLE.match(line.text) or FIGURE.match(line.text):
            break
        found.append(line)
        edge = min(edge, line.y0)
    return found[::-1]
