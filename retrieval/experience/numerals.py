"""One spelling for the numbers of a question."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from retrieval.experience.chinese_numerals import chinese_with_digits
from retrieval.experience.number_words import english_value, german_value
from retrieval.experience.russian_numerals import russian_value

NUMBER = re.compile(r"(?<![\w.,])(?<![^\W\d]-)\d+(?:[.,]\d+)*", re.ASCII)
_VALUES: Mapping[str, Callable[[str], int | None]] = {
    "en": english_value,
    "de": german_value,
    "ru": russian_value,
}
_WORD = re.compile(r"[^\W\d_]+")
_GROUPED = re.compile(r"(?<![\w.,])\d{1,3}(?:[ \u00a0\u2009\u202f'’]\d{3})+(?!\d)")
_HUNDRED_AND = re.compile(r"(?<=hundred) and (?=[a-z])", re.IGNORECASE)
_ORDINAL_ENDING = re.compile(r"(?<=\d)(?:st|nd|rd|th|-(?:й|я|е|го|м|х|ти|ми))\b", re.IGNORECASE)
_QUARTER = re.compile(r"\bQ([1-4])\b")
# "per second", "a second": the unit.
_UNIT_SECOND = re.compile(r"\b(per|a|each|every|one) second\b", re.IGNORECASE)
_FIRST_AID = re.compile(
    r"(?:first|second|third|erste|zweite|dritte)[nrsm]?-[^\W\d_]", re.IGNORECASE
)
_SCALED = re.compile(
    r"(?<![\w.,])(\d+(?:\.\d+)?)(?:[ -]?(k|thousand|mn|million|bn|billion|tsd|tausend|mio"
    r"|million(?:en)?|mrd|milliarden?|тыс|тысяч[аиеу]?|млн|миллион(?:а|ов)?|млрд|миллиард(?:а|ов)?)\b\.?"
    r"|(百|千(?![米克瓦])|万|亿))",
    re.IGNORECASE,
)
_SCALES = {
    "k": 3, "ts": 3, "ta": 3, "th": 3, "ты": 3, "百": 2, "千": 3, "万": 4, "亿": 8,
    "мл": 6, "ми": 6, "mi": 6, "mn": 6, "bn": 9, "bi": 9, "mr": 9,
}  # fmt: skip


def with_digits(text: str, language: str) -> str:
    """Return ``text`` with number words, digit groups, ordinals and scales as plain decimals.

    ``language`` (en, ru, de, zh; others have no words) also decides whether 1.500 is 1500.
    """
    text = _HUNDRED_AND.sub(" ", text)
    text = _GROUPED.sub(lambda match: re.sub(r"\D", "", match[0]), text)
    text = _UNIT_SECOND.sub(r"\1 sec", _QUARTER.sub(r"quarter \1", _ORDINAL_ENDING.sub("", text)))
    comma_decimals = language in ("de", "ru")
    text = NUMBER.sub(lambda match: _plain(match[0], comma_decimals), text)
    text = _SCALED.sub(_scaled, text)
    if language == "zh":
        return chinese_with_digits(text)
    return _replaced(text, _VALUES[language]) if language in _VALUES else text


def canonical(value: float) -> str:
    """Return a number as six significant digits: equal for values that rounding alone divides."""
    return f"{value:.6g}"


def _plain(written: str, comma_decimals: bool) -> str:
    point, group = (",", ".") if comma_decimals else (".", ",")
    if re.fullmatch(rf"\d{{1,3}}(?:\{group}\d{{3}})+(?:\{point}\d+)?", written):
        written = written.replace(group, "")
    if written.count(",") == 1 and "." not in written:
        return written.replace(",", ".")
    return written


def _scaled(match: re.Match[str]) -> str:
    name = (match[2] or match[3]).casefold()
    power = 9 if name.startswith(("milliard", "миллиард", "млрд")) else _SCALES[name[:2]]
    return f"{float(match[1]) * 10**power:.12g}"


def _replaced(text: str, value: Callable[[str], int | None]) -> str:
    """Return ``text`` with each run of number words as its value."""
    parts: list[str] = []
    run: list[int] = []
    end = 0
    for match in _WORD.finditer(text):
        gap, number = text[end : match.start()], value(match[0].casefold())
        if number is not None and number < 11 and _FIRST_AID.match(text, match.start()):
            number = None
        if run and (number is None or gap not in (" ", "-")):
            parts.append(f"{_sum(run)}")
            run = []
        parts.append("" if run else gap)
        if number is None:
            parts.append(match[0])
        else:
            run.append(number)
        end = match.end()
    return "".join(parts) + (f"{_sum(run)}" if run else "") + text[end:]


def _sum(run: list[int]) -> int:
    """Return what number words in a row say, as in two hundred five."""
    total = current = 0
    for value in run:
        if value >= 1000:
            total, current = total + (current or 1) * value, 0
        elif value == 100:
            current = (current or 1) * value
        else:
            current += value
    return total + current
