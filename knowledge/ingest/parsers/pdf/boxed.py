"""What pdfplumber is told of ruled tables: cells that are boxes of their own, raised digits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate
from statistics import median
from typing import Any

from .lines import Box, Line, covers
from .pages import RAISED_SIZE, raised

# What pdfplumber takes for one line of a grid by itself.
_USUAL = 3.0
# Boxes farther apart are panels of a page rather than cells.
_FARTHEST = 12.0
_LEAST_GAP = 1.0
_LEAST_WIDTH = 18.0
_LEAST_HEIGHT = 7.0
# Boxes that share a border overlap by it.
_STROKE = 2.0


def snap_tolerance(vectors: Sequence[Box]) -> float:
    """Return within how many points the rules of a page are one line of a grid.

    Where each cell has a border of its own, with gaps to its neighbours, that is the gap.
    """
    cells = [
        box
        for box in vectors
        if box[2] - box[0] >= _LEAST_WIDTH and box[3] - box[1] >= _LEAST_HEIGHT
    ]
    across = _gaps(((round(y0), round(y1)), x0, x1) for x0, y0, x1, y1 in cells)
    down = _gaps(((round(x0), round(x1)), y0, y1) for x0, y0, x1, y1 in cells)
    # Less is a border. Rows that are shaded in turn have gaps in one direction alone.
    if not across or not down or min(median(across), median(down)) < _LEAST_GAP:
        return _USUAL
    # The boxes of strokes reach farther than what is drawn, the more so the thicker they are.
    near = max(median(across), median(down)) + _USUAL
    lowest = min(y1 - y0 for _, y0, _, y1 in cells)
    return near if near <= min(_FARTHEST, 0.8 * lowest) else _USUAL


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
            if begin > end - _STROKE
        ]
    return gaps


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
    lines: Sequence[Line], box: Box, first_row: Sequence[str], bottom: float
) -> int | None:
    """Return 1 when the first row of a table, down to ``bottom``, is bold and the next is not.

    None where the type says nothing: all is bold, or a single cell that is a title of what follows.
    """
    if sum(map(bool, first_row)) < 2:
        return None
    inside = [line for line in lines if line.content is None and covers(box, line.box)]
    first = [line for line in inside if (line.y0 + line.y1) / 2 < bottom]
    rest = [line for line in inside if (line.y0 + line.y1) / 2 >= bottom]
    if not first or not rest or not all(line.bold for line in first):
        return None
    nearest = min(line.y0 for line in rest)
    second = [line for line in rest if line.y0 <= nearest + 0.5 * line.size]
    return None if all(line.bold for line in second) else 1
