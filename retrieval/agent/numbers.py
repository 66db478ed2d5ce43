"""The numbers of an answer, and whether its quotes hold them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from retrieval.agent.folding import visible, with_plain_formulas

_GROUPS = r"[ \u00a0\u2009\u202f]"
_RAISED = "[\u00b2\u00b3\u00b9\u2070-\u2079\u00bc-\u00be\u2150-\u215e]*"
NUMBER = rf"(?:(?<![\d.,])\d{{1,3}}(?:{_GROUPS}\d{{3}})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,'’٬٫]\d+)*)"
"""A regular expression for a number with its separators."""

_NUMBER = re.compile(f"{NUMBER}{_RAISED}")
# Short enough to be one: "1990. It was founded" begins with a number that counts nothing.
_LIST_NUMBER = re.compile(r"^[ \t]*(\d{1,3})[.)][ \t]", re.MULTILINE)


def numbers_supported(answer: str, quotes: Iterable[str]) -> bool:
    """Return whether every number of ``answer`` (markers left out) occurs in a quote."""
    return not unsupported_numbers(answer, quotes)


def unsupported_numbers(answer: str, quotes: Iterable[str]) -> tuple[str, ...]:
    """Return the numbers of ``answer`` that no quote holds, as written, each once.

    Compared by value: 1,500 is 1500, 1 500 and 1.500, and 27.00 is 27. Where a comma or point may
    divide thousands or decimals, either reading counts; what is no quantity (2.4.1, 12.05.2026,
    10²) is compared as written. Numbers of list items are not counted, and a number in words is
    no number here.
    """
    known = frozenset[str]().union(*map(values_in, quotes))
    said = written_numbers(_without_list_numbers(answer))
    return tuple(dict.fromkeys(one for one in said if values_of(one).isdisjoint(known)))


def _without_list_numbers(answer: str) -> str:
    """Return the answer without the numbers of list items: they count on from 1 to 2 at least.

    Others are said: "30. Juni" may begin a line.
    """
    counted = {1} if 2 in map(int, _LIST_NUMBER.findall(answer)) else set[int]()

    def kept(match: re.Match[str]) -> str:
        number = int(match[1])
        if number not in counted:
            return match[0]
        counted.add(number + 1)
        return ""

    return _LIST_NUMBER.sub(kept, answer)


def values_in(text: str) -> frozenset[str]:
    """Return the values that the numbers of ``text`` can have, plainly written (1490, 12.9)."""
    known: set[str] = set()
    for written in written_numbers(text):
        readings = _readings(written)
        known |= readings or {written}
        if not readings:  # the day, month and year of a date may be told apart
            known.update(*map(_readings, re.findall(r"\d+", written)))
    return frozenset(known)


def values_of(written: str) -> frozenset[str]:
    """Return the values that one written number can have; what is no quantity is its own value."""
    return frozenset(_readings(written) or {written})


def written_numbers(text: str) -> tuple[str, ...]:
    """Return the numbers of ``text`` as they are written there, in order."""
    return tuple(match[0] for match in _NUMBER.finditer(with_plain_formulas(visible(text))))


def _readings(written: str) -> set[str]:
    """Return the values a number can have by the customs of different countries; none for a date,
    a version or a power."""
    plain = re.sub(rf"{_GROUPS}|['’٬]", "", written).replace("٫", ".")
    readings = set()
    for point, comma in (".,", ",."):
        whole, _, fraction = plain.partition(point)
        grouped = re.fullmatch(rf"\d{{1,3}}(?:{re.escape(comma)}\d{{3}})+", whole)
        if (whole.isdecimal() or grouped) and (not fraction or fraction.isdecimal()):
            digits = whole.replace(comma, "")
            readings.add(str(Decimal(f"{digits}.{fraction or 0}").normalize()))
    return readings
