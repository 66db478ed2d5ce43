"""What pdfplumber is told of ruled tables: cells that are boxes of their own, raised digits."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate
from statistics import median
from typing import Any

from .lines import Box, Line, covers
from .pages import RAISED_SIZE, raised

# What pdfplumber takes for one line of a grid by itself, in points.
_USUAL = 3.0
# Less is a border; boxes farther apart are panels of a page rather than cells.
_LEAST_GAP = 1.0
_MOST_GAP = 6.5
_LEAST_WIDTH = 18.0
_LEAST_HEIGHT = 7.0
# Boxes that share a border may overlap by it.
_BORDER = 2.0
_MOST_HEADER_ROWS = 4


def snap_tolerance(shapes: Sequence[Box]) -> float:
    """Return within how many points the rules of a page are one line of a grid.

    ``shapes`` are the boxes of what is drawn on the page, single lines left out. Where each cell
    has a border of its own, with gaps to its neighbours, that is the gap.
    """
    cells = [box for box in shapes if box[2] - box[0] >= _LEAST_WIDTH]
    cells = [box for box in cells if box[3] - box[1] >= _LEAST_HEIGHT]
    across = _gaps(((round(y0), round(y1)), x0, x1) for x0, y0, x1, y1 in cells)
    down = _gaps(((round(x0), round(x1)), y0, y1) for x0, y0, x1, y1 in cells)
    # Rows that are shaded in turn have gaps in one direction alone.
    if not across or not down or min(median(across), median(down)) < _LEAST_GAP:
        return _USUAL
    gap = max(median(across), median(down))
    lowest = min(y1 - y0 for _, y0, _, y1 in cells)
    return max(_USUAL, gap + 0.5) if gap <= min(_MOST_GAP, 0.6 * lowest) else _USUAL


def _gaps(ranges: Iterable[tuple[tuple[int, int], float, float]]) -> list[float]:
    """Return the gaps between neighbours of one row or column, given as (key, begin, end).

    Those that touch have a gap of 0; what stands inside another box is no neighbour.
    """
    lanes: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
    for key, begin, end in ranges:
        lanes[key].append((begin, end))
    gaps = []
    for lane in lanes.values():
        lane.sort()
        reached = accumulate((end for _, end in lane), max)
        gaps += [
            max(0.0, begin - end)
            for end, (begin, _) in zip(reached, lane[1:], strict=False)
            if begin > end - _BORDER
        ]
    return gaps


def double_rules(
    rules: Sequence[dict[str, Any]], box: Box, tops: Sequence[float], near: float
) -> list[float]:
    """Return which of ``tops``, of rows of the table in ``box``, are of two rules with a gap.

    None where most are: each cell has a border of its own, or the rules are thick.
    """
    heights = [
        rule["top"]
        for rule in rules
        if rule["orientation"] == "h" and rule["x0"] < box[2] and rule["x1"] > box[0]
    ]
    found = []
    for top in tops:
        own = [height for height in heights if abs(height - top) <= near]
        if own and max(own) - min(own) >= _LEAST_GAP:
            found.append(top)
    return found if len(found) * 2 <= len(tops) else []


def raise_digits(characters: Sequence[dict[str, Any]]) -> None:
    """Make the small raised digits among the characters of a page those of powers and marks.

    pdfplumber says "102" of 10², and "38.71" of 38.7 with the mark of a note.
    """
    base: dict[str, Any] | None = None
    for character in characters:
        is_digit = base is not None and "0" <= character["text"] <= "9"
        if base is not None and is_digit and _is_raised(character, base):
            character["text"] = raised(character["text"])
        else:
            base = character


def _is_raised(character: dict[str, Any], base: dict[str, Any]) -> bool:
    return bool(
        character["size"] <= RAISED_SIZE * base["size"]
        and base["top"] - base["size"] < character["bottom"]
        and character["bottom"] < base["bottom"] - 0.1 * base["size"]
        and -1 < character["x0"] - base["x1"] < 2 * base["size"]
    )


def bold_header_rows(
    lines: Sequence[Line], box: Box, rows: Sequence[Sequence[str]], bottoms: Sequence[float]
) -> int | None:
    """Return how many first rows of a table are bold when the next is not, None when none is.

    ``bottoms`` are the lower edges of ``rows``. All bold says nothing, nor does a single cell to a
    row, which is a title of what follows.
    """
    plain = {
        bisect_left(bottoms, (line.y0 + line.y1) / 2)
        for line in lines
        if not line.bold and line.content is None and covers(box, line.box)
    }
    count = min(plain, default=0)
    is_header = 0 < count <= _MOST_HEADER_ROWS and any(
        sum(map(bool, row)) > 1 for row in rows[:count]
    )
    return count if is_header else None
