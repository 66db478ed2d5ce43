"""The reading order of one page: columns, and rows of lines that stand side by side."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from statistics import median

from .lines import Line
from .pages import RAISED_SIZE, raised
from .rtl import is_rtl
from .sections import number_of
from .short_columns import parted

# Fewer lines than this on a side are no column.
_LEAST_LINES = 4
# Columns of text are filled; columns of a table, forms and addresses are not.
_LEAST_FILL = 0.55
_LEAST_WORDS = 3
_MOST_CROSSING = 0.4
_DEEPEST = 4
# A gap of so many times the size of the font is no space between two words.
_FAR = 1.5


def regions(lines: Sequence[Line], *, depth: int = 0) -> list[list[Line]]:
    """Return ``lines`` in runs to be read one after the other, each from top to bottom."""
    gutter = _gutter(lines) if len(lines) >= 2 * _LEAST_LINES and depth < _DEEPEST else None
    if gutter is None:
        return parted(_grouped(lines))
    crossing = _over_columns(lines, gutter)
    over = {id(line) for line in crossing}
    cuts = [(line.y0 + line.y1) / 2 for line in crossing]
    sides: list[tuple[list[Line], list[Line]]] = [([], []) for _ in range(len(cuts) + 1)]
    for line in lines:
        if id(line) not in over:
            left, right = sides[bisect_right(cuts, (line.y0 + line.y1) / 2)]
            (left if (line.x0 + line.x1) / 2 < gutter else right).append(line)
    result: list[list[Line]] = []
    run: list[Line] = []
    from_right = is_rtl(" ".join(line.text for line in lines[:40]))
    for number, (left, right) in enumerate(sides):
        if left or right:
            if run:
                result.append(run)
                run = []
            for side in (right, left) if from_right else (left, right):
                result += regions(side, depth=depth + 1)
        if number < len(crossing):
            run.append(crossing[number])
    if run:
        result.append(run)
    return result


def _over_columns(lines: Sequence[Line], gutter: float) -> list[Line]:
    """Return the lines that stand over both columns, from top to bottom.

    The last line of a paragraph may end before the gutter: it begins where the line above does,
    right below it, and has nothing beside it.
    """
    crossing = sorted((line for line in lines if _crosses(line, gutter)), key=lambda line: line.y0)
    ordered = sorted(lines, key=_middle)
    last: list[Line] = []
    for wide in crossing:
        first = bisect_right(ordered, wide.y1, key=_middle)
        below = ordered[first : bisect_right(ordered, wide.y1 + wide.size, key=_middle)]
        if len(below) == 1 and not _crosses(below[0], gutter) and _follows(wide, below[0]):
            last += below
    return sorted([*crossing, *last], key=lambda line: line.y0)


def _middle(line: Line) -> float:
    return (line.y0 + line.y1) / 2


def _follows(before: Line, line: Line) -> bool:
    """Return whether ``line`` looks and begins like ``before``, from either side."""
    edge = min(abs(line.x0 - before.x0), abs(line.x1 - before.x1))
    alike = abs(line.size - before.size) <= 0.08 * before.size and line.bold == before.bold
    # The first line may be indented.
    return line.content is None and alike and edge <= 2 * line.size


def _crosses(line: Line, gutter: float) -> bool:
    return line.x0 < gutter - 2 and line.x1 > gutter + 2


def _gutter(lines: Sequence[Line]) -> float | None:
    """Return an x between two columns of text, None when there is one column."""
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    starts = Counter(round(line.x0 / 3) for line in lines)
    best: tuple[int, float] | None = None
    for start, count in starts.items():
        near = count + starts.get(start + 1, 0) + starts.get(start - 1, 0)
        x = start * 3 - 3.0
        if (
            near < _LEAST_LINES
            or not left + (right - left) * 0.2 < x < right - (right - left) * 0.15
        ):
            continue
        crossing = _as_columns(lines, x, left, right)
        if crossing is not None and (best is None or (crossing, x) < best):
            best = (crossing, x)
    return best[1] if best else None


def _as_columns(lines: Sequence[Line], x: float, left: float, right: float) -> int | None:
    """Return how many lines cross ``x``, None when what stands beside it are no two columns."""
    before = [line for line in lines if line.x1 <= x + 2]
    after = [line for line in lines if line.x0 >= x - 2]
    crossing = len(lines) - len(before) - len(after)
    if min(len(before), len(after)) < _LEAST_LINES or crossing > len(lines) * _MOST_CROSSING:
        return None
    if min(line.y0 for line in after) > max(line.y1 for line in before):
        return None
    if max(line.y1 for line in after) < min(line.y0 for line in before):
        return None
    for side, width in ((before, max(line.x1 for line in before) - left), (after, right - x)):
        wide = [line for line in side if line.content is None]
        if not wide:
            return None
        if median(line.x1 - line.x0 for line in wide) < width * _LEAST_FILL:
            return None
        if median(len(line.text.split()) for line in wide) < _LEAST_WORDS and all(
            line.text.isascii() for line in wide
        ):
            return None
    return crossing


def rows(lines: Sequence[Line]) -> list[Line]:
    """Return ``lines`` of one run from top to bottom, those on one base line joined into one."""
    return [_joined(row) for row in _grouped(lines)]


def _grouped(lines: Sequence[Line]) -> list[list[Line]]:
    """Return ``lines`` from top to bottom, each with those on its base line."""
    result: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.y0 + line.y1):
        row = result[-1] if result else []
        if row and not (line.content or row[0].content) and _beside(row, line):
            row.append(line)
        else:
            result.append([line])
    return result


def _beside(row: list[Line], line: Line) -> bool:
    middle = (line.y0 + line.y1) / 2
    other = row[0]
    if not other.y0 < middle < other.y1 and not line.y0 < (other.y0 + other.y1) / 2 < line.y1:
        return False
    return all(line.x0 >= held.x1 - 2 or line.x1 <= held.x0 + 2 for held in row)


def _joined(row: list[Line]) -> Line:
    if len(row) == 1:
        return row[0]
    row.sort(key=lambda line: line.x0)
    parts = row[::-1] if is_rtl(" ".join(line.text for line in row)) else row
    text = parts[0].text
    for before, line in itertools.pairwise(parts):
        gap = max(line.x0 - before.x1, before.x0 - line.x1)
        apart = before.ends_blank or gap > 0.12 * min(line.size, before.size)
        text += (" " if apart else "") + (line.text if apart else _raised(before, line))
    main = max(row, key=lambda line: len(line.text))
    heavy = sum(len(line.text) for line in row if line.bold)
    return Line(
        text,
        main.page,
        row[0].x0,
        min(line.y0 for line in row),
        row[-1].x1,
        max(line.y1 for line in row),
        main.size,
        bold=heavy * 2 > len(text),
        italic=main.italic,
        direction=main.direction,
        spread=_is_spread(parts),
    )


def _raised(before: Line, line: Line) -> str:
    """Return the text of ``line``, as a power or mark where it is a small number set higher."""
    small = line.size <= RAISED_SIZE * before.size and line.y1 < before.y1 - 0.1 * before.size
    return raised(line.text) if small and line.text.isdigit() else line.text


def _is_spread(parts: Sequence[Line]) -> bool:
    gaps = [
        max(line.x0 - before.x1, before.x0 - line.x1) > _FAR * line.size
        for before, line in itertools.pairwise(parts)
    ]
    # What stands behind a section's number may be far from it.
    return any(gaps[1:] if number_of(f"{parts[0].text} A") else gaps)
