"""Spans of code in a line of Markdown, in linear time (CommonMark 0.31, 6.1)."""

from __future__ import annotations

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator

from knowledge.ingest.tree import Span

_TICKS = re.compile("`+")


def code_spans(text: str) -> Iterator[Span]:
    """Yield the spans of code in one block, backticks included.

    A run of backticks opens one if a run of the same length follows; a backslash takes the first
    backtick from the run that would open, and does nothing inside of code.
    """
    runs = [Span(*run.span()) for run in _TICKS.finditer(text)]
    starts_by_length: dict[int, list[int]] = defaultdict(list)
    for run in runs:
        starts_by_length[len(run)].append(run.start)
    end = 0
    for run in runs:
        if run.start < end:
            continue
        start = run.start + is_escaped(text, run.start)
        closing = starts_by_length.get(run.end - start, [])
        place = bisect(closing, run.start)
        if place < len(closing):
            end = closing[place] + run.end - start
            yield Span(start, end)


def is_escaped(text: str, position: int) -> bool:
    """Return whether a backslash takes its meaning from the character at ``position``."""
    start = position
    while start and text[start - 1] == "\\":
        start -= 1
    return (position - start) % 2 == 1
