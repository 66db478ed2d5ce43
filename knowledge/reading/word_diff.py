"""Two wordings of a passage, word by word."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from knowledge.reading.alignment import differences
from knowledge.reading.readable import RAISED

LONGEST = 20_000
"""Characters of a wording that are compared; what goes on beyond is left out."""

_SPACELESS = r"\u2e80-\u9fff\uac00-\ud7af\u0e00-\u0eff"
_LETTER = rf"(?:\d|[^\W{_SPACELESS}{RAISED}])"
# A number is one word with its sign, points, dashes and groups (-1,234.50; 2026-01-31; 10:30;
# 10 000), and so is "don't": what changed of it says nothing without the rest.
_IN_NUMBER = r"(?<=\d)[.,:/'’\u00a0\u202f\u2011-](?=\d)|(?<!\d{4})(?<=\d) (?=\d{3}(?!\d))"
_JOINED = rf"(?:{_IN_NUMBER}|(?<=\w)['’](?=\w)){_LETTER}+"
_NUMBER_OR_WORD = rf"(?:(?<![\w)])[-+\u2212](?=\d))?{_LETTER}+(?:{_JOINED})*"
# A word, raised marks, a sign, or one letter of a script that puts no spaces between words.
_WORD = re.compile(rf"(?:{_NUMBER_OR_WORD}|[{RAISED}]+|[{_SPACELESS}]|[^\w\s])\s*|\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that both wordings have, or only the old or the new one."""

    kind: Literal["same", "removed", "added"]
    text: str


def word_diff(old: str, new: str) -> tuple[Piece, ...]:
    """Return the pieces of both wordings in reading order, at most `LONGEST` characters of each.

    The same and the added ones together are the new wording, the same and the removed ones the old
    one but for its white space.
    """
    return tuple(_pieces(_words(old[:LONGEST]), _words(new[:LONGEST])))


def row_diff(old: str, new: str) -> tuple[Piece, ...]:
    """Return the same of lines that are rows of a table: a row is compared with a row."""
    old_rows, new_rows = (text[:LONGEST].splitlines(keepends=True) for text in (old, new))
    pieces: list[Piece] = []
    at = 0
    for part in differences([row.strip() for row in old_rows], [row.strip() for row in new_rows]):
        pieces.append(Piece("same", "".join(new_rows[at : part.new_start])))
        olds = old_rows[part.old_start : part.old_end]
        news = new_rows[part.new_start : part.new_end]
        for before, after in zip_longest(olds, news, fillvalue=""):
            pieces += _pieces(_words(before), _words(after))
        at = part.new_end
    pieces.append(Piece("same", "".join(new_rows[at:])))
    return tuple(piece for piece in pieces if piece.text)


def _pieces(old: list[str], new: list[str]) -> Iterator[Piece]:
    at = 0
    for part in differences([word.strip() for word in old], [word.strip() for word in new]):
        if at < part.new_start:
            yield Piece("same", "".join(new[at : part.new_start]))
        if part.old_start < part.old_end:
            yield Piece("removed", "".join(old[part.old_start : part.old_end]))
        if part.new_start < part.new_end:
            yield Piece("added", "".join(new[part.new_start : part.new_end]))
        at = part.new_end
    if at < len(new):
        yield Piece("same", "".join(new[at:]))


def _words(text: str) -> list[str]:
    """Return the words, each with the white space behind it."""
    return _WORD.findall(text)
