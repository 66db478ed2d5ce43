"""One spelling for text that reads the same."""

import re
import unicodedata

_NARROW_SPACES = "\u00a0\u202f\u2009"
# Digit groups set apart by a space that does not break, before NFKC makes it an ordinary one.
_SPACED_THOUSANDS = re.compile(rf"(?<!\d)\d{{1,3}}(?:[{_NARROW_SPACES}]\d{{3}})+(?!\d)")
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")
# Characters that carry no letter: what NFKC left of accents, stress marks, Hebrew points, Arabic
# vowel signs; tatweel, soft hyphen, zero-width ones. Indic and Thai marks are vowels: kept.
_DROPPED = {code: None for code in range(0x0300, 0x0900) if unicodedata.category(chr(code)) == "Mn"}
_DROPPED |= dict.fromkeys([0x00AD, 0x0640, 0x061C, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF])
_SPELLINGS = str.maketrans({"ё": "е", "’": "'", "ʼ": "'", "‐": "-", "‑": "-", "٫": ".", "٬": ","})
# Letters that NFD does not take apart.
_PLAIN_LATIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"})


def normalised(text: str) -> str:
    """The text under NFKC and case folding, with ASCII digits, one apostrophe and one hyphen.

    Stress, points and vowel signs are dropped, `ё` becomes `е`, and digit groups divided by a
    no-break space become one number. The result is for matching only: its offsets are not the
    text's.
    """
    text = _SPACED_THOUSANDS.sub(lambda match: re.sub(r"\D", "", match[0]), text)
    text = unicodedata.normalize("NFKC", text).casefold().translate(_SPELLINGS).translate(_DROPPED)
    return _FOREIGN_DIGIT.sub(_ascii_digit, text)


def without_accents(word: str) -> str:
    """The normalised word in plain letters if it is Latin or Greek, else unchanged.

    Done after stemming, because the stemmers know the accents: `niño` and `nino` then meet.
    Cyrillic `й` is a letter of its own and stays.
    """
    if word.isascii() or not "\u0080" < max(word) < "\u0400":
        return word
    decomposed = unicodedata.normalize("NFD", word.translate(_PLAIN_LATIN))
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _ascii_digit(match: re.Match[str]) -> str:
    return str(unicodedata.decimal(match[0]))
