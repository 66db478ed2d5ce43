"""Chinese and Japanese from top to bottom, set as upright letters one below the other.

Text in a font's own vertical mode arrives as lines that lead down; letters that a program has
placed one by one arrive as lines of one letter each, which rows would read across the columns.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Sequence

from .lines import UPRIGHT, Line, PageText, union

DOWN = (0.0, 1.0)
_LETTER = re.compile("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff01-\uffef]")
_LEAST_LETTERS = 8
# Letters of a column follow each other closer than this, in sizes of the font.
_APART = 0.7


def join_stacked(page: PageText) -> None:
    """Put lines that lead down in place of the single letters that most of ``page`` consists of."""
    letters = [
        line
        for line in page.lines
        if len(line.text) == 1 and line.direction == UPRIGHT and _LETTER.match(line.text)
    ]
    if len(letters) < _LEAST_LETTERS or len(letters) * 2 < page.characters:
        return
    columns = _tracks(letters, down=True)
    if _joints(columns) <= 2 * _joints(_tracks(letters, down=False)):
        return
    taken = {id(letter) for letter in letters}
    page.lines = [line for line in page.lines if id(line) not in taken]
    page.lines += [_column(letters) for letters in columns]


def _tracks(letters: Sequence[Line], *, down: bool) -> list[list[Line]]:
    """Return ``letters`` in runs that stand close below each other, or close side by side."""
    tracks: dict[int, list[Line]] = defaultdict(list)
    for letter in letters:
        across = letter.x0 + letter.x1 if down else letter.y0 + letter.y1
        tracks[round(across / max(1.0, letter.size))].append(letter)
    runs: list[list[Line]] = []
    for track in tracks.values():
        track.sort(key=lambda letter: letter.y0 if down else letter.x0)
        runs.append(track[:1])
        for before, letter in itertools.pairwise(track):
            gap = letter.y0 - before.y1 if down else letter.x0 - before.x1
            if abs(gap) < _APART * letter.size:
                runs[-1].append(letter)
            else:
                runs.append([letter])
    return runs


def _joints(runs: Sequence[Sequence[Line]]) -> int:
    return sum(len(run) - 1 for run in runs)


def _column(letters: Sequence[Line]) -> Line:
    """Return one line of ``letters`` from top to bottom, in its frame turned to read rightwards."""
    first = letters[0]
    x0, y0, x1, y1 = union([letter.box for letter in letters])
    text = "".join(letter.text for letter in letters)
    return Line(text, first.page, y0, -x1, y1, -x0, first.size, first.bold, direction=DOWN)
