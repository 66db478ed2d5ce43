"""Editions of a document: titles that differ in a year alone, where the latest one holds.

A question that names no year asks for what holds now; both editions side by side would leave the
reader to find out which. A question with a year gets every edition.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
T = TypeVar("T")


def without_superseded(
    question: str,
    found: Sequence[T],
    *,
    title: Callable[[T], str],
    relevance: Callable[[T], float],
    close: float,
) -> list[T]:
    """Return ``found`` without what a later edition answers about as well.

    An older edition's passage stays where the later one has none that is at most ``close`` less
    relevant: it may not say anything about it any more, and then the older one is all there is.
    """
    if _YEAR.search(question):
        return list(found)
    editions = [(*_edition(title(one)), relevance(one)) for one in found]
    return [
        one
        for one, (series, year, own) in zip(found, editions, strict=True)
        if year is None or not _is_superseded(series, year, own - close, editions)
    ]


def _is_superseded(
    series: str, year: int, least: float, editions: Iterable[tuple[str, int | None, float]]
) -> bool:
    return any(
        other == series and later is not None and later > year and relevance >= least
        for other, later, relevance in editions
    )


def _edition(title: str) -> tuple[str, int | None]:
    """Return the title without its year, and the year; None unless it has exactly one."""
    years = _YEAR.findall(title)
    series = " ".join(_YEAR.sub(" ", title).casefold().split())
    return (series, int(years[0])) if len(years) == 1 and series else (series, None)
