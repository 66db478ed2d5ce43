"""Tables without ruling lines: rows of short pieces that stand under each other."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from .lines import Box, Line, union
from .signs import merged_signs

_FIGURE = re.compile(
    r"[^\w]*[$€£¥]?\s*\(?[-–—+−]?\s*(?:\d[\d.,:\s/]*\)?\s*[%A-Za-z]{0,3}|[-–—])\W*\Z"
)
_GAP = 0.9
_LEAST_ROWS = 3
_LEAST_TEXT_ROWS = 4
_MOST_COLUMNS = 24
_LONGEST_CELL = 60
# A row farther below than so many times its height begins something else.
_APART = 3.2

Row = list[Line]


def aligned_tables(lines: Sequence[Line]) -> list[tuple[Box, list[list[str]]]]:
    """Return the boxes and cells of the tables among ``lines``, upright ones of one page."""
    rows = _rows(lines)
    if sum(len(row) > 1 for row in rows) < _LEAST_ROWS:
        return []
    found = []
    for run in _runs(rows):
        columns = _columns(run)
        if _is_table(run, columns):
            box = union([line.box for row in run for line in row])
            found.append((box, _cells(run, columns)))
    return found


def _rows(lines: Sequence[Line]) -> list[Row]:
    """Return ``lines`` by base line, pieces with no gap between them as they are."""
    result: list[Row] = []
    for line in sorted(lines, key=lambda line: (line.y0 + line.y1, line.x0)):
        middle = (line.y0 + line.y1) / 2
        if result and result[-1][0].y0 < middle < result[-1][0].y1:
            result[-1].append(line)
        else:
            result.append([line])
    for row in result:
        row.sort(key=lambda line: line.x0)
    return result


def _is_spread(row: Row) -> bool:
    return len(row) > 1 and all(
        after.x0 - before.x1 >= _GAP * before.size
        or (len(before.text) == 1 and not before.text.isalnum())
        for before, after in itertools.pairwise(row)
    )


def _runs(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Yield rows that follow each other, cut to the first and last that has several pieces."""
    run: list[Row] = []
    single = 0
    for row in rows:
        spread = _is_spread(row)
        far = bool(run) and row[0].y0 - run[-1][0].y1 > _APART * row[0].size
        long = not spread and sum(len(line.text) for line in row) > 1.5 * _LONGEST_CELL
        if far or long or (not spread and single >= 2):
            yield from _cut(run)
            run, single = [], 0
            if long or not spread:
                continue
        run.append(row)
        single = 0 if spread else single + 1
    yield from _cut(run)


def _cut(run: list[Row]) -> Iterator[list[Row]]:
    spread = [number for number, row in enumerate(run) if _is_spread(row)]
    if len(spread) >= _LEAST_ROWS:
        yield run[spread[0] : spread[-1] + 1]


def _columns(run: Sequence[Row]) -> list[tuple[float, float]]:
    """Return the x ranges of the columns: pieces that overlap are in one."""
    ranges: list[list[float]] = []
    pieces = sorted((line.x0, line.x1) for row in run if len(row) > 1 for line in row)
    for x0, x1 in pieces:
        if ranges and x0 < ranges[-1][1] - 1:
            ranges[-1][1] = max(ranges[-1][1], x1)
        else:
            ranges.append([x0, x1])
    return [(low, high) for low, high in ranges]


def _is_table(run: Sequence[Row], columns: Sequence[tuple[float, float]]) -> bool:
    spread = [row for row in run if len(row) > 1]
    if not 2 <= len(columns) <= _MOST_COLUMNS or len(spread) * 2 < len(run):
        return False
    rest = [line.text for row in spread for line in row[1:]]
    if median(map(len, rest)) > _LONGEST_CELL:
        return False
    figures = sum(bool(_FIGURE.match(text)) for text in rest)
    if figures * 2 >= len(rest):
        return True
    counts = Counter(len(row) for row in spread)
    most, often = counts.most_common(1)[0]
    words = [line.text for row in spread for line in row]
    return (
        len(columns) >= 3
        and most >= 3
        and len(spread) >= _LEAST_TEXT_ROWS
        and often >= 0.6 * len(spread)
        and 2 < median(map(len, words)) <= 28
    )


def _cells(run: Sequence[Row], columns: Sequence[tuple[float, float]]) -> list[list[str]]:
    table: list[list[str]] = []
    for row in run:
        cells = [""] * len(columns)
        for line in row:
            number = _column(line, columns)
            cells[number] = f"{cells[number]} {line.text}".strip()
        # A piece alone in a later column goes on with the cell above it.
        only = [number for number, cell in enumerate(cells) if cell]
        if table and len(only) == 1 and only[0] > 0 and table[-1][only[0]]:
            table[-1][only[0]] += " " + cells[only[0]]
        else:
            table.append(cells)
    table, used = merged_signs(table)
    return [[row[number] for number in used] for row in table]


def _column(line: Line, columns: Sequence[tuple[float, float]]) -> int:
    """Return the column ``line`` overlaps most, the nearest when none."""

    def fit(number: int) -> tuple[float, float]:
        low, high = columns[number]
        return (min(high, line.x1) - max(low, line.x0), -abs(low - line.x0))

    return max(range(len(columns)), key=fit)
