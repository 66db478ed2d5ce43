"""Days, months, years and weekdays of a question, whole or in part."""

from __future__ import annotations

import re
from collections.abc import Iterable

from retrieval.agent.constraints import years_in
from retrieval.agent.values import value_of

_WHOLE = re.compile(
    r"\b\d{4}-\d{1,2}-\d{1,2}\b|\d{4}年\d{1,2}月\d{1,2}[日号]?|\b\d{1,2}\.\d{1,2}\.\d{4}\b"
)
_DAY_BEFORE, _DAY_AFTER = (
    r"(?:(?<![\w.,])(?P<before>\d{1,2})\.? (?:of )?)?",
    r"(?: (?P<after>\d{1,2})(?![\w.,]?\d))?",
)
# "May I" is no month.
_ENGLISH_MAY = (
    r"(?:(?<=\d )|(?<=\bin )|(?<=\bof )|(?<=\bby )|(?<=until )|(?<=since ))may|may(?= \d)"
)
_MONTHS = (
    "jan|january|januar|jänner|январ[ьяею]м?", "feb|february|februar|феврал[ьяею]м?",
    "march|märz|март[ауе]?|мартом", "apr|april|апрел[ьяею]м?", f"{_ENGLISH_MAY}|mai|ма[йяюе]|маем",
    "june?|juni|июн[ьяею]м?", "july?|juli|июл[ьяею]м?", "aug|august|август[ауе]?|августом",
    "sept?|september|сентябр[ьяею]м?", "o[ck]t|o[ck]tober|октябр[ьяею]м?",
    "nov|november|ноябр[ьяею]м?", "de[cz]|de[cz]ember|декабр[ьяею]м?",
)  # fmt: skip
_MONTH = [
    re.compile(
        rf"{_DAY_BEFORE}\b(?:{names})\b{_DAY_AFTER}"
        rf"|(?<!\d){number}月(?:(?P<han>\d{{1,2}})[日号])?",
        re.IGNORECASE,
    )
    for number, names in enumerate(_MONTHS, start=1)
]
_WEEKDAYS = (
    r"mondays?|montags?|понедельник\w*", r"tuesdays?|dienstags?|вторник\w*",
    r"wednesdays?|mittwochs?|сред[аыуе]|средам", r"thursdays?|donnerstags?|четверг\w*",
    r"fridays?|freitags?|пятниц\w*", r"saturdays?|samstags?|sonnabends?|суббот\w*",
    r"sundays?|sonntags?|воскресен\w*",
)  # fmt: skip
_WEEKDAY = [
    re.compile(rf"\b(?:{names})\b|(?:周|星期)(?:{han})(?!天)", re.IGNORECASE)
    for names, han in zip(
        _WEEKDAYS, ("一", "[二2]", "[三3]", "[四4]", "[五5]", "[六6]", "[日天末]"), strict=True
    )
]
_PERIODS = {
    "year": r"years?|jahr\w*|год\w*|年", "month": r"months?|monat\w*|месяц\w*|个?月",
    "week": r"weeks?|woche\w*|недел\w*|个?(?:周|星期)",
    "quarter": r"quarters?|quartal\w*|квартал\w*|个?季度",
}  # fmt: skip
_PREVIOUS = (
    r"\b(?:last|previous|past|(?:letzte|vorige|vergangene)[nrsm]?|прошл\w+|предыдущ\w+) "
    r"|上|vor(?=jahr|monat)|去(?=年)"
)
_NEXT = r"\b(?:next|coming|following|(?:nächste|kommende)[nrsm]?|следующ\w+|будущ\w+) |下|明(?=年)"
_RELATIVE = {
    f"{side} {period}": re.compile(rf"(?:{words})(?:{names})", re.IGNORECASE)
    for side, words in (("previous", _PREVIOUS), ("next", _NEXT))
    for period, names in _PERIODS.items()
}


def dates_in(text: str) -> tuple[frozenset[str], str]:
    """Return the parts of dates that ``text`` names, and the text without them; years see below.

    Parts are "2025", "month 5", "day 5-31", "weekday 1" (Monday) and "previous year", so that a
    date is equal in any order and language. ``text`` has its numbers as `with_digits` writes them.
    """
    found: set[str] = set()
    for match in _WHOLE.finditer(text):
        if day := value_of(match[0]).day:
            found |= {str(day.year), f"day {day.month}-{day.day}"}
            text = text.replace(match[0], " ")
    for number, pattern in enumerate(_MONTH, start=1):
        for match in pattern.finditer(text):
            day_of_month = match["before"] or match["after"] or match["han"]
            found.add(f"day {number}-{int(day_of_month)}" if day_of_month else f"month {number}")
        text = pattern.sub(" ", text)
    text = _named(text, found, ((f"weekday {n}", one) for n, one in enumerate(_WEEKDAY, start=1)))
    text = _named(text, found, _RELATIVE.items())
    return frozenset(found), text


def years_named(text: str) -> tuple[frozenset[str], str]:
    """Return the years that ``text`` names, and the text without them.

    ``text`` is without its quantities: 2000 kg are no year.
    """
    years = years_in(text)
    for year in years:
        text = re.sub(rf"(?<!\d){year}(?!\d)(?:\s*年|\s*год[уа]?\b|\s*г\.)?", " ", text)
    return years, text


def _named(text: str, found: set[str], patterns: Iterable[tuple[str, re.Pattern[str]]]) -> str:
    for name, pattern in patterns:
        if pattern.search(text):
            found.add(name)
            text = pattern.sub(" ", text)
    return text
