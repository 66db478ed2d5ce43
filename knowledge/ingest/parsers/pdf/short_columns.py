"""Columns of two or three lines, which only their words tell from the rows of a table.

In a column the sentence goes on in the line below; in a row it goes on beside, or ends.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from .lines import Line
from .rtl import is_rtl

_LEAST_ROWS = 2
_LEAST_WORDS = 3
# In scripts without spaces.
_LEAST_SIGNS = 10
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
# Between two lines of a column, as a share of the size of the font.
_PITCH = 1.9
_SENTENCE_END = re.compile(r"[.!?:;。！？][\"'»”)\]]*\Z")
# Letters of formulas are no words.
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|\s+[^\W\d_]{2})")

Row = Sequence[Line]


def parted(rows: Sequence[Row]) -> list[list[Line]]:
    """Return the lines of ``rows`` in runs; each row holds what stands on one base line.

    Two columns that stand beside each other are a run each, the rest is left as it is.
    """
    runs: list[list[Line]] = [[]]
    index = 0
    while index < len(rows):
        columns, end = _columns(rows, index)
        if columns:
            runs += [*columns, []]
            index = end
        else:
            runs[-1] += rows[index]
            index += 1
    return [run for run in runs if run]


def _columns(rows: Sequence[Row], start: int) -> tuple[list[list[Line]], int]:
    """Return the two columns that begin in row ``start``, and the row behind them; none else."""
    if len(rows[start]) != 2 or any(line.content for line in rows[start]):
        return [], start
    left, right = ([line] for line in sorted(rows[start], key=lambda line: line.x0))
    end = start + 1
    while end < len(rows) and len(rows[end]) <= 2:
        places = [_place(line, left, right) for line in rows[end]]
        if None in places or len(set(places)) < len(places):
            break
        for line, place in zip(rows[end], places, strict=True):
            (left if place == 0 else right).append(line)
        end += 1
    gap = min(line.x0 for line in right) - max(line.x1 for line in left)
    if min(len(left), len(right)) < _LEAST_ROWS or gap < left[0].size:
        return [], start
    if not (_flows(left) and _flows(right)):
        return [], start
    from_right = is_rtl(" ".join(line.text for line in [*left, *right]))
    return ([right, left] if from_right else [left, right]), end


def _place(line: Line, left: Row, right: Row) -> int | None:
    """Return which of two columns ``line`` goes on, 0 or 1; None where it goes on neither."""
    if line.content:
        return None
    for place, column in enumerate((left, right)):
        last = column[-1]
        aligned = min(abs(line.x0 - last.x0), abs(line.x1 - last.x1)) <= 0.5 * last.size
        near = line.y0 - last.y0 <= _PITCH * last.size
        if aligned and near and abs(line.size - last.size) <= 0.1 * last.size:
            return place
    return None


def _is_prose(line: Line) -> bool:
    """Return whether a line has words enough for one of a column, not of a cell."""
    if _UNSPACED.search(line.text):
        return len(line.text) >= _LEAST_SIGNS
    return len(line.text.split()) >= _LEAST_WORDS


def _flows(column: Row) -> bool:
    """Return whether most lines of ``column`` go on with the sentence of the line before."""
    if not all(map(_is_prose, column[:-1])) or column[0].text[0].islower():
        return False
    going = sum(
        not _SENTENCE_END.search(before.text)
        and bool(_WORD.match(line.text))
        and not line.text[0].isupper()
        for before, line in pairwise(column)
    )
    return going * 2 > len(column) - 1
