"""Values of answers by type: numbers with units, dates, and text."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from math import isclose

TOLERANCE = 0.001
"""Numbers within 0.1 % are equal (the WattBot 2025 rule, arXiv 2603.07612)."""

_LONGEST_YEAR = 4
_YEARS = range(1500, 2101)
"""Whole numbers without a unit that are years, as far as anybody can tell: there 0.1 % are two."""

_NUMBER = re.compile(r"[-−–]?\d[\d\s,.'’\u00a0\u202f]*(?:[eE][-+]?\d+)?")
# "20 days" of "10-20 days", "of 7": more numbers than the one that a value has; not "m2", "CO2".
_FURTHER_NUMBER = re.compile(r"(?<![^\W_])\d")
_SCALES = {
    "thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9,
    "тыс": 1e3, "млн": 1e6, "млрд": 1e9, "万": 1e4, "亿": 1e8, "tsd": 1e3, "mio": 1e6, "mrd": 1e9,
}  # fmt: skip
# The mean of the Gregorian calendar: twelve months are a year, and a year is 365 days to 0.1 %.
_YEAR = ("s", 365.2425 * 86400)
_MONTH = ("s", 365.2425 * 86400 / 12)
_UNITS = {
    "kg": ("kg", 1.0), "g": ("kg", 1e-3), "mg": ("kg", 1e-6), "t": ("kg", 1e3),
    "km": ("m", 1e3), "cm": ("m", 1e-2), "mm": ("m", 1e-3), "metre": ("m", 1.0),
    "l": ("l", 1.0), "ml": ("l", 1e-3), "wh": ("wh", 1.0), "kwh": ("wh", 1e3),
    "mwh": ("wh", 1e6), "gwh": ("wh", 1e9), "w": ("w", 1.0), "kw": ("w", 1e3), "mw": ("w", 1e6),
    "%": ("%", 1.0), "percent": ("%", 1.0), "процентов": ("%", 1.0),
    "h": ("s", 3600.0), "hour": ("s", 3600.0), "minute": ("s", 60.0), "min": ("s", 60.0),
    "second": ("s", 1.0), "s": ("s", 1.0), "sec": ("s", 1.0), "ms": ("s", 1e-3),
    "day": ("s", 86400.0), "week": ("s", 604800.0),
    **dict.fromkeys(("month", "monat", "monate", "месяц", "месяца", "месяцев", "个月"), _MONTH),
    **dict.fromkeys(("year", "yr", "jahr", "jahre", "год", "года", "лет", "年"), _YEAR),
    "$": ("usd", 1.0), "usd": ("usd", 1.0), "dollar": ("usd", 1.0),
    "€": ("eur", 1.0), "eur": ("eur", 1.0), "euro": ("eur", 1.0),
    "£": ("gbp", 1.0), "gbp": ("gbp", 1.0), "¥": ("¥", 1.0),
    "₽": ("rub", 1.0), "rub": ("rub", 1.0), "руб": ("rub", 1.0), "рублей": ("rub", 1.0),
}  # fmt: skip
_MONEY = frozenset({"usd", "eur", "gbp", "rub", "¥"})
_CURRENCIES = "$€£¥₽"
_BEFORE_NUMBER = re.compile(rf"[~≈{_CURRENCIES} ]*")
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan янв", "feb фев", "mar мар mär", "apr апр", "may мая май mai", "jun июн",
            "jul июл", "aug авг", "sep сен", "oct окт okt", "nov ноя", "dec дек dez",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Value:
    """One of ``number`` (in the base unit of ``unit``), ``day`` or ``text``."""

    number: float | None = None
    unit: str = ""
    day: date | None = None
    text: str = ""


def value_of(text: str, unit: str = "") -> Value:
    """Return what ``text`` says: a date, a number in its unit, or folded text."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split()).strip(" .")
    if day := _date(folded):
        return Value(day=day)
    before = _BEFORE_NUMBER.match(folded)
    match = _NUMBER.match(folded, before.end() if before else 0)
    if match is None:
        return Value(text=folded)
    number, words = _parsed(match[0]), folded[match.end() :]
    if number is None or len(words.split()) > 3 or _FURTHER_NUMBER.search(words):
        return Value(text=folded)
    if re.fullmatch(r"\d{4}\s*", match[0]) and number in _YEARS and _is_year(f"{words} {unit}"):
        return Value(number=number)
    sign = folded[: match.start()].strip("~≈ ")
    return _measured(number, f"{sign} {words} {unit.casefold()}")


def same_value(one: Value, other: Value) -> bool:
    """Return whether two values are equal: numbers to 0.1 %, in one unit where both name one, and
    years as they are."""
    if one.number is not None and other.number is not None:
        units = {one.unit, other.unit} - {""}
        are_years = not units and one.number in _YEARS and other.number in _YEARS
        tolerance = 0.0 if are_years else TOLERANCE
        return len(units) < 2 and isclose(one.number, other.number, rel_tol=tolerance)
    return one == other


def _is_year(words: str) -> bool:
    """Return whether words behind a number name a year, and not so many of them: 2025年."""
    names = re.findall(r"[^\W\d_]+", words.casefold())
    return bool(names) and all(_UNITS.get(name) is _YEAR for name in names)


def _measured(number: float, words: str) -> Value:
    unit = ""
    for word in re.findall(rf"[%{_CURRENCIES}]|[^\W\d_]+", words):
        # A plural loses its s; "ms", "gs" and the like are units of their own.
        name = word[:-1] if word not in _UNITS and len(word) > 3 and word[-1] == "s" else word
        # "m" alone may be metres; of money it is a million.
        if word in _SCALES and (word != "m" or unit in _MONEY):
            number *= _SCALES[word]
        elif name in _UNITS and not unit:
            unit, factor = _UNITS[name]
            number *= factor
        elif not unit:
            unit = name
    return Value(number=number, unit=unit)


def _parsed(written: str) -> float | None:
    digits = re.sub(r"[\s'’\u00a0\u202f]", "", written).rstrip(".,")
    digits = digits.replace("−", "-").replace("–", "-")
    if re.fullmatch(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits):
        digits = digits.replace(",", "")
    elif re.fullmatch(r"-?\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?|-?\d+,\d+", digits):
        digits = digits.replace(".", "").replace(",", ".")
    try:
        return float(digits)
    except ValueError:
        return None


def _date(text: str) -> date | None:
    if match := re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})|(\d{4})年(\d{1,2})月(\d{1,2})日?", text):
        year, month, day = (int(part) for part in match.groups() if part)
        return _valid(year, month, day)
    if match := re.fullmatch(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", text):
        return _valid(int(match[3]), int(match[2]), int(match[1]))
    words = re.findall(r"[^\W\d_]+|\d+", re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", text))
    months = [number for word in words if (number := _MONTHS.get(word[:3]))]
    numbers = [int(word) for word in words if word.isdecimal() and len(word) <= _LONGEST_YEAR]
    if len(months) != 1 or len(numbers) != 2 or len(words) > 5:
        return None
    day, year = sorted(numbers)
    return _valid(year, months[0], day)


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
