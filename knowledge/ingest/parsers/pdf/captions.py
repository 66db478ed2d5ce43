"""Captions of tables and figures, and the lines that go on with them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .lines import Box, Line

_NUMBER = r"\s*(?:[A-Z]?\d{1,3}(?:[.-]\d{1,3})*[a-z]?|[IVX]{1,5})(?![\w%])"
TABLE = re.compile(
    rf"(?:table|tab\.|таблица|табл\.|tabelle|tableau|tabla|tabella|表格?){_NUMBER}", re.IGNORECASE
)
FIGURE = re.compile(
    rf"(?:figure|fig\.|chart|рис(?:унок|\.)|abbildung|abb\.|figura|графік|图|圖){_NUMBER}",
    re.IGNORECASE,
)
_MOST_LINES = 8
_FARTHEST = 45.0


def caption_lines(lines: Sequence[Line], start: Line) -> list[Line]:
    """Return the lines of the caption that begins with ``start``, from top to bottom."""
    found = [start]
    below = sorted((line for line in lines if line.y0 > start.y0 + 1), key=lambda line: line.y0)
    for line in below:
        last = found[-1]
        if line.y0 - last.y1 > 0.7 * line.size or len(found) == _MOST_LINES:
            break
        beside = line.x0 >= last.x1 or line.x1 <= last.x0
        if beside or line.content or abs(line.size - last.size) > 0.6:
            continue
        if TABLE.match(line.text) or FIGURE.match(line.text):
            break
        found.append(line)
    return found


def nearest(
    lines: Sequence[Line], pattern: re.Pattern[str], box: Box, *, above_first: bool
) -> Line | None:
    """Return the line that begins the caption of what stands in ``box``, None without one."""
    best: tuple[float, Line] | None = None
    for line in lines:
        if line.content or not pattern.match(line.text) or len(line.text) > 400:
            continue
        if line.x1 < box[0] - 20 or line.x0 > box[2] + 20:
            continue
        is_above = line.y1 <= box[1] + 6
        gap = box[1] - line.y1 if is_above else line.y0 - box[3]
        if -6 <= gap <= _FARTHEST:
            score = max(gap, 0.0) + (0.0 if is_above == above_first else 15.0)
            if best is None or score < best[0]:
                best = (score, line)
    return best[1] if best else None
