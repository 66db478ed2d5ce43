"""Words, codes and unspaced runs of a normalised text, in order."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

# Scripts written without spaces, and Korean, whose particles hang on to the word.
_RUN = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # kana and the repetition marks
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\u1100-\u11ff\uac00-\ud7af"  # Hangul
)
# `\w` stops at the vowel signs of Indic scripts, which are marks.
_VOWEL_SIGNS = "".join(
    chr(code) for code in range(0x0900, 0x0E00) if unicodedata.category(chr(code)) in ("Mn", "Mc")
)
_LETTER = rf"(?:[{_VOWEL_SIGNS}]|(?![{_RUN}_])\w)"
_PART = rf"{_LETTER}+(?:'{_LETTER}+)*"
_TOKEN = re.compile(
    rf"(?P<run>(?:(?![\u30fb])[{_RUN}])+)"
    r"|(?P<number>(?<![\w.,])(?:"
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d+,\d+)(?![\w,]))"
    rf"|(?P<code>{_LETTER}(?:\+\+|#)(?!{_LETTER}))"
    rf"|(?P<word>{_PART}(?:[-._&]{_PART})*)"
)


class Kind(Enum):
    """How a token becomes terms."""

    WORD = "word"  # stemmed
    CODE = "code"  # kept whole
    RUN = "run"  # cut into pairs of characters


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of a normalised text."""

    text: str
    kind: Kind


def tokens(text: str) -> Iterator[Token]:
    """The tokens of an already normalised text.

    A compound is one code when a digit, an underscore or a single letter is in it (`e-104`,
    `v2.4.1`, `max_tokens`, `r&d`, `u.s`), else one word for each part (`state-of-the-art`).
    Thousands and decimals are written one way: `1,234` is `1234`, `1.234,5` is
    `1234.5` and `3,5` is `3.5`.
    """
    for match in _TOKEN.finditer(text):
        found = match[0]
        if match.lastgroup == "run":
            yield Token(found, Kind.RUN)
        elif match.lastgroup == "number":
            yield Token(_plain_number(found), Kind.CODE)
        elif match.lastgroup == "code":
            yield Token(found, Kind.CODE)
        else:
            yield from _word_or_code(found)


def _word_or_code(found: str) -> Iterator[Token]:
    parts = re.split(r"[-._&]", found)
    compound = len(parts) > 1 and ("_" in found or min(map(len, parts)) == 1)
    if compound or any(char.isdigit() for char in found):
        yield Token(found, Kind.CODE)
    else:
        yield from (Token(part, Kind.WORD) for part in parts)


def _plain_number(found: str) -> str:
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", found):
        return found.replace(",", "")
    if "." in found:
        found = found.replace(".", "")
    return found.replace(",", ".")
