"""The smallest parts of a leaf that a chunk may end after: sentences, rows, lines of code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .flatten import NodeDraft
from .tokens import count_tokens, split_by_tokens, trimmed
from .tree import NodeKind, Span

_CAPTION = re.compile(r"[*_\s]*(?:table|tabelle|tableau|tabla|таблица|табл\.|表)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of the leaf with ordinal ``leaf``; ``index`` replaces its text in the index.

    ``weight`` is the larger count of tokens of the two texts. ``leads`` marks the end of a
    paragraph that announces what follows ("Table 3", "as follows:").
    """

    span: Span
    leaf: int
    weight: int
    index: str | None = None
    leads: bool = False


@dataclass(frozen=True, slots=True)
class UnitLimits:
    """``whole``: a leaf of so many tokens stays one unit; ``most``: no unit is larger."""

    whole: int
    most: int


def units_of(text: str, leaf: NodeDraft, limits: UnitLimits, *, leads: bool) -> list[Unit]:
    """Return the units of ``leaf`` in order; they cover every non-space character of it."""
    units = _whole(text, leaf, limits) or list(_parts(text, leaf, limits))
    if leads and units:
        last = units[-1]
        units[-1] = Unit(last.span, last.leaf, last.weight, last.index, leads=True)
    return units


def announces(text: str, leaf: NodeDraft, following: NodeDraft | None) -> bool:
    """Return whether ``leaf`` is the caption or lead-in of the leaf after it."""
    if leaf.kind is not NodeKind.PARAGRAPH or following is None:
        return False
    if following.kind not in (NodeKind.TABLE, NodeKind.LIST, NodeKind.CODE):
        return False
    end = text[max(leaf.span.start, leaf.span.end - 4) : leaf.span.end].rstrip(" *_")
    if end.endswith((":", "：")):
        return True
    is_table = following.kind is NodeKind.TABLE
    return is_table and bool(_CAPTION.match(text, leaf.span.start, leaf.span.end))


def plain_units(text: str, span: Span, leaf: int, limits: UnitLimits) -> Iterator[Unit]:
    """Yield ``span`` as one unit, or as pieces cut by tokens when it is larger than a unit."""
    weight = count_tokens(span.of(text))
    if weight <= limits.most:
        yield Unit(span, leaf, weight)
        return
    for piece in split_by_tokens(span.of(text), limits.whole):
        inside = piece.shifted(span.start)
        yield Unit(inside, leaf, count_tokens(inside.of(text)))


def _whole(text: str, leaf: NodeDraft, limits: UnitLimits) -> list[Unit]:
    if leaf.tokens > limits.whole:
        return []
    if not leaf.rows:
        span = trimmed(text, leaf.span)
        return [Unit(span, leaf.ordinal, leaf.tokens)] if len(span) else []
    index = "\n".join(row.text for row in leaf.rows)
    weight = max(leaf.tokens, count_tokens(index))
    return [Unit(leaf.span, leaf.ordinal, weight, index)] if weight <= limits.whole else []


def _parts(text: str, leaf: NodeDraft, limits: UnitLimits) -> Iterator[Unit]:
    if leaf.rows:
        spans = _partition(text, leaf.span, [row.span.end for row in leaf.rows])
        for span, row in zip(spans, leaf.rows, strict=True):
            yield from _row_units(text, span, row.text, leaf.ordinal, limits)
        return
    ends = [sentence.end for sentence in leaf.sentences] or [leaf.span.end]
    for span in _partition(text, leaf.span, ends):
        if len(span):
            yield from plain_units(text, span, leaf.ordinal, limits)


def _row_units(text: str, span: Span, index: str, leaf: int, limits: UnitLimits) -> Iterator[Unit]:
    tokens = count_tokens(span.of(text))
    weight = max(tokens, count_tokens(index))
    if weight <= limits.most:
        yield Unit(span, leaf, weight, index)
    else:
        # A row longer than a chunk: its own markup is indexed, which is never the longer one
        # by more than its header.
        yield from plain_units(text, span, leaf, limits)


def _partition(text: str, span: Span, ends: Sequence[int]) -> Iterator[Span]:
    """Yield one trimmed span per end; what lies before the first or after the last goes along."""
    start = span.start
    for number, end in enumerate(ends, 1):
        stop = span.end if number == len(ends) else min(end, span.end)
        yield trimmed(text, Span(start, max(start, stop)))
        start = max(start, stop)
