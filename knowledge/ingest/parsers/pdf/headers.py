"""The names of columns that stand above the ruled part of a table, as in most accounts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .captions import FIGURE, TABLE
from .lines import Box, Line, union

_FARTHEST = 16.0
_MOST_LINES = 4
_LONGEST = 60
_FIGURE = re.compile(r"[^\w]*[$€£¥]?\(?\d[\d.,]*\)?%?\Z")


def header_above(
    lines: Sequence[Line],
    box: Box,
    row: Sequence[str],
    columns: Mapping[int, tuple[float, float]],
) -> tuple[Box, list[str]]:
    """Return a header from the lines above a table and the box with it, [] when there is none.

    ``row`` is the first one of the table: a header is inside when it has no figures. ``columns``
    are the x ranges of those that are not empty. A line over several columns names all of them,
    "Three months ended" over "2022" and "2023", but only above such names: alone it is text.
    """
    _, *later = columns
    if not any(_FIGURE.match(cell) for cell in row[1:]) or not later:
        return box, []
    found = _lines_above(lines, box, columns[later[0]][0])
    if len(later) > 1 and not _are_names(found, [columns[number] for number in later]):
        return box, []
    names: list[list[str]] = [[] for _ in row]
    for line in found:
        for number in later:
            if _is_over(line, columns[number]):
                names[number].append(line.text)
    header = [" ".join(parts) for parts in names]
    if sum(map(bool, header)) * 2 < len(later):
        return box, []
    return union([box, *(line.box for line in found)]), header


def _is_over(line: Line, column: tuple[float, float]) -> bool:
    return line.x0 < column[1] - 2 and line.x1 > column[0] + 2


def _are_names(lines: Sequence[Line], columns: Sequence[tuple[float, float]]) -> bool:
    """Return whether the lowest of ``lines`` name two columns, or stand side by side.

    Lines of text stand below each other and are over several columns.
    """
    named: set[int] = set()
    for number, line in reversed(list(enumerate(lines))):
        middle = (line.y0 + line.y1) / 2
        over = [place for place, column in enumerate(columns) if _is_over(line, column)]
        named.update(over)
        if len(named) > len(over) or any(x.y0 < middle < x.y1 for x in lines[:number]):
            return True
        if len(over) > 1:
            return False
    return False


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
