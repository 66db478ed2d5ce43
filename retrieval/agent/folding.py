"""Text under the foldings that a quote may differ from its source by, with the way back.

White space, dashes, quotation marks and compatibility forms (Unicode NFKC, UAX #15) are folded, and
the marks of footnotes behind a word are left out: a reader quotes the sentence, not the mark.
Nothing that is a number is: NFKC makes 10² into 102, ½ into 1⁄2 and ① into 1, and a quote with a
changed number must not be found.
Only the lowered digits of formulas are: CO₂ is typed CO2.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from knowledge.ingest.note_marks import MARK

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
# Single and double stay apart: 5' and 5" are feet and inches.
_SINGLE = "\u2018\u2019\u201a\u201b\u2039\u203a\u02bc\uff07\u00b4\u0060"
_DOUBLE = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f\u301d\u301e\u301f\uff02"
_SPELLINGS = {
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(_SINGLE, "'"),
    **dict.fromkeys(_DOUBLE, '"'),
}
# Not in front of a letter or digit, with which what stands before it would become another word.
_NOTE = re.compile(rf"{MARK.pattern}(?!\w)")
# Of formulas: "CO2" is how one types CO₂. Behind a digit they would change a number.
_LOWERED = re.compile(r"(?<=[^\W\d_])[₀-₉]+")
_PLAIN = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
# Soft hyphen, zero-width space, word joiner, byte order mark, and the marks of the direction that
# text runs in: nobody sees or types them.
_INVISIBLE = frozenset(
    "\u00ad\u200b\u2060\ufeff\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_GONE = dict.fromkeys(map(ord, _INVISIBLE))


@dataclass(frozen=True, slots=True)
class Folded:
    """``text`` folded; character i of it comes from ``starts[i]`` to ``ends[i]`` of the source."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def source(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the offsets in the source of characters ``start`` to ``end``.

        None when they begin or end inside what one letter of the source became: `e` is no quote
        of `é`.
        """
        if start and self.starts[start - 1] == self.starts[start]:
            return None
        if end < len(self.text) and self.starts[end] == self.starts[end - 1]:
            return None
        return self.starts[start], self.ends[end - 1]


def folded(text: str) -> Folded:
    """Return ``text`` folded; runs of white space become one space."""
    text = with_plain_formulas(text)
    characters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    position = 0
    while position < len(text):
        if position and text[position] == "[" and (mark := _NOTE.match(text, position)):
            position = mark.end()
            continue
        end = _end_of_letter(text, position)
        letter = _fold(text[position:end])
        characters.append(letter)
        starts.extend([position] * len(letter))
        ends.extend([end] * len(letter))
        position = end
    return Folded("".join(characters), tuple(starts), tuple(ends))


def with_plain_formulas(text: str) -> str:
    """Return ``text`` with the lowered digits behind a letter as plain ones: as long as it was."""
    return _LOWERED.sub(lambda digits: digits[0].translate(_PLAIN), text)


def visible(text: str) -> str:
    """Return ``text`` without what nobody sees: a number goes on behind it."""
    return text.translate(_GONE)


def is_numeric(character: str) -> bool:
    """Return whether the character has a value: 7, ², ½, Ⅷ, ٣, 五."""
    return unicodedata.numeric(character, None) is not None


def _end_of_letter(text: str, start: int) -> int:
    """Return where the character at ``start`` ends with all marks, or the run of white space."""
    end = start + 1
    if text[start].isspace():
        while end < len(text) and (text[end].isspace() or text[end] in _INVISIBLE):
            end += 1
        return end
    while end < len(text) and (text[end] in _INVISIBLE or unicodedata.combining(text[end])):
        end += 1
    return end


def _fold(letter: str) -> str:
    if letter[0].isspace():
        return " "
    marks = "".join(_decomposed(char) for char in letter if char not in _INVISIBLE)
    # Only the marks of one letter can be out of order, which is why folding letter by letter
    # equals folding the text.
    return unicodedata.normalize("NFD", marks) if len(letter) > 1 else marks


@lru_cache(maxsize=4096)
def _decomposed(character: str) -> str:
    if character in _SPELLINGS:
        return _SPELLINGS[character]
    # NFKD and NFKC tell the same texts apart, but only NFKD goes character by character.
    parts = unicodedata.normalize("NFKD", character)
    if is_numeric(character) or any(is_numeric(part) for part in parts):
        return character
    return "".join(_SPELLINGS.get(part, part) for part in parts)
