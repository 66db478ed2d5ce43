"""Printed tables of contents: their lines look like headings and are none."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from .lines import Line

_LEADER = re.compile(r"(?:\.\s?){4,}|…{2,}|_{5,}|·{4,}")
# Not the pence of a price.
_ENDS_WITH_PAGE = re.compile(r"\S[\s.…·]+(?<!\d\.)(?:\d{1,4}|[ivxlc]{1,6})\s*\Z")
_LEAST = 5


def is_contents_line(text: str) -> bool:
    """Return whether ``text`` leads to a page by dots, wherever it stands."""
    return bool(_LEADER.search(text)) and bool(_ENDS_WITH_PAGE.search(text))


def is_contents(rows: Sequence[Line]) -> bool:
    """Return whether the rows of a page are mostly entries of a table of contents.

    Their page numbers count upwards, which a table's numbers do not.
    """
    entries = [row.text for row in rows if _may_end_with_page(row.text)]
    if len(entries) * 2 < len(rows):
        return False
    entries = [text for text in entries if _ENDS_WITH_PAGE.search(text[-40:])]
    if len(entries) < _LEAST or len(entries) * 2 < len(rows):
        return False
    numbers = [int(found[1]) for text in entries if (found := re.search(r"(\d{1,4})\s*\Z", text))]
    if len(numbers) < _LEAST:
        return sum(is_contents_line(text) for text in entries) >= _LEAST
    rising = sum(a <= b for a, b in itertools.pairwise(numbers))
    return numbers[0] < numbers[-1] and rising >= 0.85 * (len(numbers) - 1)


def _may_end_with_page(text: str) -> bool:
    return text[-1:].isdigit() or text[-1:] in "ivxlc"
