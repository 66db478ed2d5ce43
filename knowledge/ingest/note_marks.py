"""Marks of footnotes in canonical text: '[^1]' in a sentence, and in front of the note it means.

The caret keeps them apart from the [1] of an answer's citation. Parsers write them whatever the
marks of a file look like: Arabic numbers, or small Roman ones for the endnotes of Word.
"""

from __future__ import annotations

import re

MARK = re.compile(r"\[\^(?:\d{1,4}|[ivxlc]{1,8})\]")
# What is raised behind a number or a unit is its power: 10², 50 m².
_BASE = re.compile(r"(?:\d|(?<![^\W\d_])[^\W\d_]{1,2})\Z")
_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d\Z")
# Behind a digit these are as likely signs of a number or list: 3,⁹⁹ and 25¹,².
_SENTENCE_END = re.compile(
    r"(?:[^\d⁰¹²³⁴-⁹₀-₉][.,;:]|[!?…。！？，；：]|[.,;:](?=[\"'”’»）)\]]))[\"'”’»）)\]]*\Z"
)
_SPACED = re.compile(rf"[ \t]*{MARK.pattern}")


def without_marks(text: str) -> str:
    """Return ``text`` without the marks of notes, nor the spaces in front of them."""
    return _SPACED.sub("", text)


def takes_power(before: str) -> bool:
    """Return whether digits raised right behind ``before`` are its power, not a mark."""
    # Nobody raises a year.
    return _BASE.search(before[-4:]) is not None and not _YEAR.search(before[-6:])


def ends_sentence(before: str) -> bool:
    """Return whether a number raised right behind ``before`` is a mark, have it a note or not."""
    return _SENTENCE_END.search(before[-10:]) is not None
