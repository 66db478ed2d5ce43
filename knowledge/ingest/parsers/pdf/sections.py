"""How a line is numbered as a section: '1.2', 'A.3', 'Article IV', '第三章', '§ 5'."""

from __future__ import annotations

import re
from dataclasses import dataclass

_KEYWORD = re.compile(
    r"(chapter|section|part|appendix|article|annex|schedule|exhibit|глава|раздел|часть|статья"
    r"|приложение|kapitel|abschnitt|teil|anhang|artikel|chapitre|partie|annexe|capítulo|sección)"
    r"\s+(?:\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6}|[A-ZА-Я]|one|two|three|four|five|six|seven|eight"
    r"|nine|ten|eleven|twelve|thirteen|fourteen|fifteen)(?!\w)[.:)]?\s*[—–-]?\s*",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"第\s*[〇零一二三四五六七八九十百千\d]{1,8}\s*([编編卷部篇章节節条條])\s*")
_CHINESE_COUNT = re.compile(
    r"(?:[一二三四五六七八九十]{1,3}(、)|[（(][一二三四五六七八九十]{1,3}([）)]))\s*"
)
_SIGN = re.compile(r"§+\s*\d{1,4}[a-z]?\.?\s+")
_DECIMAL = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,6})([.:)]?)\s+(?=[^\W\d_]|[\"“«(¿]?[^\W\d_])")
_LETTERED = re.compile(r"([A-Z](?:\.\d{1,3}){1,6})\.?\s+(?=\S)")
_ROMAN = re.compile(r"(?=[IVXL])(X{0,3}(?:IX|IV|V?I{0,3}))[.)]\s+(?=\S)")
_LETTER = re.compile(r"([A-Z])[.)]\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Number:
    """The number of a section: its kind, how many parts it has, and where the title begins."""

    kind: str
    depth: int
    end: int
    sure: bool


def number_of(text: str) -> Number | None:
    """Return how ``text`` is numbered, None when it is not.

    ``sure`` numbers are hardly ever those of list items.
    """
    if match := _KEYWORD.match(text):
        return Number(match[1].casefold(), 1, match.end(), True)
    if match := _CHINESE.match(text):
        return Number(match[1], 1, match.end(), True)
    if match := _CHINESE_COUNT.match(text):
        return Number(match[1] or "（）", 1, match.end(), False)
    if match := _SIGN.match(text):
        return Number("§", 1, match.end(), True)
    if match := _DECIMAL.match(text):
        depth = match[1].count(".") + 1
        return Number("decimal", depth, match.end(), depth > 1)
    if match := _LETTERED.match(text):
        return Number("lettered", match[1].count(".") + 1, match.end(), True)
    if match := _ROMAN.match(text):
        return Number("roman", 1, match.end(), False)
    if match := _LETTER.match(text):
        return Number("letter", 1, match.end(), False)
    return None


def without_number(text: str) -> str:
    """Return ``text`` without its section's number."""
    found = number_of(text)
    return text[found.end :] if found else text
