"""Numbers as a chart shows them: per cents, dates and units from the format codes of Excel.

Source: ECMA-376, part 1, 18.8.31 (numFmts). Figures keep their precision: what a code rounds or
groups is left as it is.
"""

from __future__ import annotations

import operator
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation

# A quoted or escaped text, a currency with its locale, a mark such as [Red] or [h], the width of a
# character left blank or repeated.
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|(\[[^\]]*\])|[_*].')
_CURRENCY = frozenset("$€£¥")
_PLACES = frozenset("0#?.,")
_DATE = re.compile(r"[ymdhs]", re.IGNORECASE)
_ELAPSED = re.compile(r"\[[hms]+\]", re.IGNORECASE)
_THOUSANDS = re.compile(r"[0#?](,+)(?![,0#?])")
# A section for numbers of a size alone: [>=1000000].
_CONDITION = re.compile(r"(?:\[[^\]]*\])*?\[(<=|>=|<>|<|>|=)\s*(-?\d{1,15}(?:\.\d{1,15})?)\]")
_COMPARISONS = {
    "<=": operator.le, ">=": operator.ge, "<>": operator.ne,
    "<": operator.lt, ">": operator.gt, "=": operator.eq,
}  # fmt: skip
# Digits that a binary number keeps; more are noise, 0.30000000000000004.
_DIGITS = 15
# Excel counts days from here, as 1900 has a 29 February for it; the old Macintosh from 1904.
_EPOCH, _EPOCH_1904 = datetime(1899, 12, 30, tzinfo=UTC), datetime(1904, 1, 1, tzinfo=UTC)
# The end of the year 9999 for both.
_MOST_DAYS = 2_957_003
_HOUR = 3_600
_MOST_THOUSANDS = 4
# That of Excel.
_LONGEST_CODE = 255


def formatted(text: str, code: str, *, from_1904: bool = False) -> str:
    """Return a cached number as its format code shows it: '25%', '2023-05-01', '5 kg'.

    ``text`` comes back unchanged where it is no number or the code does not tell how.
    """
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    if not number.is_finite() or abs(number) > 10**15 or len(code) > _LONGEST_CODE:
        return text
    section = _section(code, number)
    kind = _LITERAL.sub(lambda found: found[4] or "", section)
    if _ELAPSED.search(kind):
        return text
    kind = re.sub(r"\[[^\]]*\]", "", kind)
    before, after = _around(section)
    if number == 0 and before + after and _is_of_words(kind):
        return before + after
    is_general = kind.strip().lower() in ("general", "standard")
    if not is_general and _DATE.search(kind) and not _PLACES & set("0#") & set(kind):
        return _date(number, kind.lower(), from_1904) or text
    if "/" in kind:
        return _plain(number)
    scaled = number * 100 if "%" in kind else number
    thousands = _THOUSANDS.search(kind)
    if thousands:
        scaled /= 1000 ** min(len(thousands[1]), _MOST_THOUSANDS)
    return f"{before}{_plain(scaled)}{after}"


def _section(code: str, number: Decimal) -> str:
    """Return the part of a code for a number of its size; one below zero keeps its own sign."""
    parts = re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*\Z)', code)[:3]
    conditions = [_CONDITION.match(part.strip()) for part in parts]
    if any(conditions):
        for at, (part, condition) in enumerate(zip(parts, conditions, strict=True)):
            if condition and _COMPARISONS[condition[1]](number, Decimal(condition[2])):
                return part
            # The middle one of three is that of numbers below zero unless it says another.
            if not condition and at and (at == len(parts) - 1 or number < 0):
                return part
        return ""
    is_said = len(parts) > 2 and (_PLACES & set(parts[2]) or '"' in parts[2])
    return parts[2] if number == 0 and is_said else parts[0]


def _is_of_words(kind: str) -> bool:
    """Return whether a code without its literals has no place that shows the digit of a zero."""
    return not re.search(r"[\w@#]", kind)


def _around(section: str) -> tuple[str, str]:
    """Return the words and signs in front of and behind the digits of a code."""
    sides = ["", ""]
    place, seen = 0, 0
    while place < len(section):
        found = _LITERAL.match(section, place)
        if found:
            sides[seen] += found[1] or found[2] or found[3] or " " * found[0].startswith("_")
            place = found.end()
            continue
        character = section[place]
        if character in _PLACES or section[place : place + 7].lower() == "general":
            seen = 1
        elif character in _CURRENCY or character in "% ":
            sides[seen] += character
        place += 1
    return sides[0].lstrip(), sides[1].rstrip()


def _plain(number: Decimal) -> str:
    shortened = number.normalize() if number else Decimal(0)
    if len(shortened.as_tuple().digits) > _DIGITS:
        shortened = Decimal(f"{shortened:.{_DIGITS}g}").normalize()
    return f"{shortened:f}"


def _date(number: Decimal, kind: str, from_1904: bool) -> str:
    """Return a number of days as the date or time of which ``kind`` names parts, '' for none."""
    if not 0 <= number < _MOST_DAYS:
        return ""
    seconds = round(float(number) * 24 * _HOUR)
    moment = (_EPOCH_1904 if from_1904 else _EPOCH) + timedelta(seconds=seconds)
    has_time = "h" in kind or "s" in kind
    time = f"{moment:%H:%M:%S}" if moment.second else f"{moment:%H:%M}"
    if "y" not in kind and "d" not in kind and has_time:
        return time
    if "d" not in kind and not has_time:
        return f"{moment.year:04}-{moment:%m}" if "m" in kind else f"{moment.year:04}"
    day = f"{moment.year:04}-{moment:%m-%d}"
    return f"{day} {time}" if has_time else day
