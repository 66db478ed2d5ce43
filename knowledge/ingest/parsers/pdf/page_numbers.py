"""Lines that say which page this is: alone ('7', 'xii', 'Page 7 of 9', 'F-7') or beside words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

_LONGEST = 20
_WORDS = (
    r"page|pg\.?|pp\.?|p\.|seite|blatt|folio|slide|side|sida|sivu|strona|стр\.?|страница|стор\.?"
    r"|página|pág\.?|pagina|sayfa|oldal|第|sheet|صفحة|עמוד"
)
_OF = r"of|von|/|из|de|di|da|sur|af|av|van|z|共"
_NUMBER_ONLY = re.compile(
    rf"\W*(?:(?:{_WORDS})\s*:?\s*(?:no\.?\s*)?)?(\d{{1,4}}|[ivxlc]{{1,7}})\W*"
    rf"(?:页|頁|ページ)?\W*(?:\s*(?:{_OF})\s*\d{{1,4}})?\s*(?:页|頁|ページ)?\W*(?:{_WORDS})?\W*\Z",
    re.IGNORECASE,
)
_TOTAL = re.compile(rf"\s*(?:{_OF})\s*\d{{1,4}}\W*\Z", re.IGNORECASE)
# Numbered within a part: F-7, 2-15.
_IN_PART = re.compile(r"\W*(?:[A-Z]|\d{1,2})[-–](\d{1,3})\W*\Z")
_NUMBER = re.compile(r"(?<![\w.,])\d{1,4}(?![\w]|[.,]\d)")
_DIGITS = re.compile(r"\d+")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]{2,}|[\u3040-\u30ff\u3400-\u9fff]")
_NAMED = re.compile(rf"(?:\b(?:{_WORDS})\s*)\Z", re.IGNORECASE)
# Between a page number and what else a head says.
_PARTED = re.compile(r"[|·•]\s*\Z")
# What numbers something else: "Invoice no. 7".
_OF_SOMETHING = re.compile(
    r"(?:\b(?:no|nr|num|number|nummer|numéro|número|номер)\.?|[:#№])\s*\Z", re.IGNORECASE
)
_LEAST_WORDS = 3
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


class Kind(IntEnum):
    """What makes two lines the same head, the surest first."""

    NAMED = 0
    """Alone and called a page: 'Page 7', '7 of 9'."""
    ALONE = 1
    """Alone, the number counts with the pages."""
    COUNTED = 2
    """Words with a number that counts with the pages."""
    LABELLED = 3
    """As before, where the number may be that of something else: 'Week 3', 'Introduction 3'."""
    EQUAL = 4
    """The same words and numbers."""


@dataclass(frozen=True, slots=True)
class Sameness:
    """What lines of several pages have in common when ``kind`` makes them one head."""

    kind: Kind
    key: str
    # The number less that of the page.
    offset: int | None = None


def is_page_number(text: str) -> bool:
    """Return whether ``text`` reads like a page number and nothing else."""
    return len(text) < _LONGEST and bool(_NUMBER_ONLY.match(text))


def number_alone(text: str) -> int | None:
    """Return the page number that is all of ``text``, None where it is not one."""
    if len(text) >= _LONGEST:
        return None
    match = _NUMBER_ONLY.match(text) or _IN_PART.match(text)
    if match is None:
        return None
    return int(match[1]) if match[1].isdigit() else _roman(match[1].lower())


def numbers_something(text: str) -> bool:
    """Return whether ``text`` says what the number behind it numbers: 'Invoice no.'."""
    return bool(_OF_SOMETHING.search(text))


def samenesses(text: str, page: int, pages: int) -> Iterator[Sameness]:
    """Yield in what ways ``text``, on ``page`` of ``pages``, may come back on other pages."""
    folded = text.casefold()
    yield Sameness(Kind.EQUAL, folded)
    number = number_alone(text)
    if number is not None:
        match = _NUMBER_ONLY.match(text) or _IN_PART.match(text)
        start, end = match.span(1) if match else (0, 0)
        rest = f"{folded[:start]}#{folded[end:]}"
        if _LETTER.search(rest) and _NUMBER_ONLY.match(text):
            yield Sameness(Kind.NAMED, _DIGITS.sub("#", rest))
        yield Sameness(Kind.ALONE, f"{rest} {number - page}", number - page)
        return
    for found in _NUMBER.finditer(folded):
        before, after = folded[: found.start()], folded[found.end() :]
        kind = _kind(before, after, int(found[0]), pages)
        if kind is not None:
            offset = int(found[0]) - page
            yield Sameness(kind, f"{before}#{after} {offset}", offset)


def _kind(before: str, after: str, number: int, pages: int) -> Kind | None:
    """Return what the number between ``before`` and ``after`` makes of the line."""
    if _NAMED.search(before) or _TOTAL.match(after):
        return Kind.COUNTED
    if numbers_something(before) or (before.strip() and after.strip()):
        return None
    if not before.strip() or _PARTED.search(before):
        return Kind.COUNTED
    is_plain = 0 < number <= pages and len(_WORD.findall(before)) >= _LEAST_WORDS
    return Kind.COUNTED if is_plain else Kind.LABELLED


def _roman(text: str) -> int:
    values = [_ROMAN[letter] for letter in text]
    return sum(
        -value if value < max(values[index:]) else value for index, value in enumerate(values)
    )
