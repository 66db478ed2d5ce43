"""Tables without ruling lines: rows of short pieces that stand under each other."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import median

from .lines import Box, Cells, Line, union
from .merged_cells import Spans
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
# So much larger than the row above it a heading is.
_LARGER = 1.1
# Nearer, as a share of the size, a line goes on with what is above it.
_CLOSE = 0.35

# So many rows with the most pieces tell which headings are over several columns.
_FULLEST = 3

Row = list[Line]
Range = tuple[float, float]


def aligned_tables(lines: Sequence[Line]) -> list[tuple[Box, Cells]]:
    """Return the boxes and cells of the tables among ``lines``, upright ones of one page."""
    rows = _rows(lines)
    if sum(len(row) > 1 for row in rows) < _LEAST_ROWS:
        return []
    found = []
    for run in _runs(rows):
        columns = _columns(run)
        if _is_table(run, columns):
            box = union([line.box for row in run for line in row])
            texts, spans = _cells(run, columns)
            found.append((box, Cells(texts, (box[0], box[2]), spans=spans)))
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
    """Yield rows that follow each other and may be tables."""
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
    while end := _heading_below(run):
        yield from _spread_part(run[:end])
        run = run[end:]
    yield from _spread_part(run)


def _spread_part(run: list[Row]) -> Iterator[list[Row]]:
    """Yield ``run`` cut to the first and last row that has several pieces, if enough have."""
    spread = [number for number, row in enumerate(run) if _is_spread(row)]
    if len(spread) >= _LEAST_ROWS:
        last = end = spread[-1] + 1
        while end < len(run) and _ends_cell(run[end], run[end - 1], run[last - 1]):
            end += 1
        yield run[spread[0] : end]


def _heading_below(run: Sequence[Row]) -> int:
    """Return which of the rows is a heading below the table of those before it, 0 for none.

    It is larger and bold, and no row below it stands under the pieces of the table, as those do
    that a heading in the table is over.
    """
    edges: set[int] = set()
    for number, row in enumerate(run):
        larger = number and row[0].size >= _LARGER * run[number - 1][0].size
        if larger and len(row) == 1 and row[0].bold:
            below = run[number + 1 :]
            if all(sum(bool(edges & _edges(x)) for x in other) < 2 for other in below):
                return number
        if len(row) > 1:
            edges.update(edge + near for x in row for edge in _edges(x) for near in (-1, 0, 1))
    return 0


def _edges(line: Line) -> set[int]:
    return {round(line.x0), round(line.x1)}


def _ends_cell(row: Row, above: Row, last: Row) -> bool:
    """Return whether ``row`` goes on, without a gap, with a cell of the ``last`` one of a table.

    Not with its first cell: a paragraph below begins there too.
    """
    line = row[0]
    close = line.y0 - above[0].y1 < _CLOSE * line.size
    return (
        len(row) == 1
        and close
        and any(abs(line.x0 - x.x0) <= 1 and _look(line) == _look(x) for x in last[1:])
    )


def _look(line: Line) -> tuple[float, bool]:
    return (round(line.size, 1), line.bold)


def _columns(run: Sequence[Row]) -> list[Range]:
    """Return the x ranges of the columns: pieces that overlap are in one.

    Not those of a few rows that stand over several pieces of fuller ones, as a heading does.
    """
    rows = [row for row in run if len(row) > 1]
    fullest = sorted(rows, key=len, reverse=True)[:_FULLEST]
    over = {id(line) for row in rows for line in row if _is_over_several(line, row, fullest)}
    if over and sum(any(id(line) in over for line in row) for row in rows) * 3 <= len(rows):
        columns = _ranges(line for row in rows for line in row if id(line) not in over)
        if all(_are_apart(row, columns) for row in rows):
            return columns
    return _ranges(line for row in rows for line in row)


def _ranges(pieces: Iterable[Line]) -> list[Range]:
    ranges: list[list[float]] = []
    for x0, x1 in sorted((line.x0, line.x1) for line in pieces):
        if ranges and x0 < ranges[-1][1] - 1:
            ranges[-1][1] = max(ranges[-1][1], x1)
        else:
            ranges.append([x0, x1])
    return [(low, high) for low, high in ranges]


def _is_over_several(line: Line, row: Row, fullest: Sequence[Row]) -> bool:
    """Return whether ``line`` overlaps pieces of one fuller row, signs of currency not counted."""
    return any(
        len(other) > len(row)
        and sum(line.x0 < x.x1 - 1 and line.x1 > x.x0 + 1 and not _is_sign(x) for x in other) > 1
        for other in fullest
    )


def _is_sign(line: Line) -> bool:
    return not any(map(str.isalnum, line.text))


def _are_apart(row: Row, columns: Sequence[Range]) -> bool:
    """Return whether no two pieces of ``row`` are in one column."""
    places = [_place(line, columns) for line in row]
    return all(first + wide <= after for (first, wide), (after, _) in itertools.pairwise(places))


def _is_table(run: Sequence[Row], columns: Sequence[Range]) -> bool:
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


def _cells(run: Sequence[Row], columns: Sequence[Range]) -> tuple[list[list[str]], Spans]:
    """Return the texts of the cells, without empty columns, and the cells over several columns."""
    table: list[list[str]] = []
    spans: Spans = {}
    upper = _upper_lines(run, columns)
    begun = [""] * len(columns)
    for index, row in enumerate(run):
        cells = begun
        places = [_place(line, columns) for line in row]
        for line, (number, _) in zip(row, places, strict=True):
            cells[number] = f"{cells[number]} {line.text}".strip()
        if index in upper:
            continue
        begun = [""] * len(columns)
        number, wide = places[0]
        if (
            table
            and len({*places}) == wide == 1 <= number
            and _goes_on(cells[number], table[-1][number])
        ):
            table[-1][number] += " " + cells[number]
            continue
        spans |= {(len(table), number): (1, wide) for number, wide in places if wide > 1}
        table.append(cells)
    table, used = merged_signs(table)
    if not spans:
        table = _named([[row[number] for number in used] for row in table])
    return table, spans


def _named(table: list[list[str]]) -> list[list[str]]:
    """Return ``table`` with the names that stand beside the column they are over in its first row.

    They may be set from the left, the figures below from the right.
    """
    names, rows = list(table[0]), table[1:]
    empty = {number for number in range(len(names)) if not any(row[number] for row in rows)}
    for number in sorted(empty):
        # Not to the first column, whose cells may be names themselves.
        for other in (number + 1, number - 1):
            if names[number] and 0 < other < len(names) and other not in empty and not names[other]:
                names[number], names[other] = "", names[number]
    return [
        [cell for number, cell in enumerate(row) if names[number] or number not in empty]
        for row in (names, *rows)
    ]


def _upper_lines(run: Sequence[Row], columns: Sequence[Range]) -> set[int]:
    """Return the rows that are upper lines of a cell whose last line stands in the row below.

    Between two rows of several pieces the widest gap parts what belongs to each.
    """
    upper: set[int] = set()
    spread = [number for number, row in enumerate(run) if len(row) > 1]
    for above, below in itertools.pairwise(spread):
        gaps = [run[n + 1][0].y0 - run[n][0].y1 for n in range(above, below)]
        widest = max(gaps)
        start = above + gaps.index(widest) + 1
        if start == below or widest - sorted(gaps)[-2] <= _CLOSE * run[below][0].size:
            continue
        lines = [run[number][0] for number in range(start, below)]
        places = {_place(line, columns) for line in lines}
        is_cell = len(places) == 1 and places <= {_place(line, columns) for line in run[below]}
        if (
            is_cell
            and 0 not in next(iter(places))
            and not any(_FIGURE.match(x.text) for x in lines)
        ):
            upper.update(range(start, below))
    return upper


def _goes_on(text: str, above: str) -> bool:
    """Return whether a piece alone in a row goes on with the cell above it.

    A figure below a figure is one of its own: a sum has often no label.
    """
    is_figure = _FIGURE.match(text) and _FIGURE.match(above)
    return any(map(str.isalnum, above)) and not is_figure


def _place(line: Line, columns: Sequence[Range]) -> tuple[int, int]:
    """Return the column in which ``line`` begins, and how many it is over."""
    over = [n for n, (low, high) in enumerate(columns) if line.x0 < high - 1 and line.x1 > low + 1]
    return (over[0], len(over)) if over else (_column(line, columns), 1)


def _column(line: Line, columns: Sequence[Range]) -> int:
    """Return the column that begins nearest to ``line``, which is over none, or the edge of one."""

    def fit(number: int) -> tuple[float, float]:
        low, high = columns[number]
        return (min(high, line.x1) - max(low, line.x0), -abs(low - line.x0))

    return max(range(len(columns)), key=fit)
