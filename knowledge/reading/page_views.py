"""The pages that a cited span stands on, and what is drawn on each."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models.functions import Substr

from knowledge.ingest.tree import Span
from knowledge.models import DocumentVersion, Node, VersionText

MOST_PAGES = 3
MOST_LEAVES = 20
MOST_BOXES = 100
MOST_QUOTE = 4_000
"""Characters of a span that are looked for on a page."""

_WITH_PAGES = "pdf"


@dataclass(frozen=True, slots=True)
class PlacedLeaf:
    """A leaf of the text and its boxes on the pages: (page, x0, y0, x1, y1) in points."""

    span: Span
    boxes: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class PageMarks:
    """What is marked on a page: the words of `quote`, or else `boxes`."""

    quote: str
    boxes: tuple[tuple[float, ...], ...]


def has_pages(version: DocumentVersion) -> bool:
    """Return whether pages of the version can be drawn."""
    return version.parser == _WITH_PAGES and bool(version.pages)


def cited_pages(version: DocumentVersion, span: Span) -> tuple[int, ...]:
    """Return the pages that the span stands on, at most `MOST_PAGES`; one query."""
    return pages_of(span, _leaves(version, span)) if has_pages(version) else ()


def page_marks(version: DocumentVersion, page: int, span: Span | None) -> PageMarks:
    """Return what is drawn on a page for a span of the text, nothing without one; two queries."""
    if span is None:
        return PageMarks("", ())
    length = min(len(span), MOST_QUOTE)
    rows = VersionText.objects.filter(version=version)
    quote = rows.values_list(Substr("content", span.start + 1, length), flat=True).first() or ""
    boxes = [box for leaf in _leaves(version, span) for box in leaf.boxes if box[0] == page]
    return PageMarks(quote, tuple(boxes[:MOST_BOXES]))


def pages_of(span: Span, leaves: Sequence[PlacedLeaf]) -> tuple[int, ...]:
    """Return the pages of the part of the leaves that the span covers, the first `MOST_PAGES`.

    A leaf says on which pages it stands and not which of its characters stand on which, so of a
    table over ten pages those are taken that are as far in it as the span is, and their neighbours.
    """
    found: list[int] = []
    for leaf in leaves:
        own = sorted({int(box[0]) for box in leaf.boxes})
        if len(own) > 2:
            share = len(own) / max(len(leaf.span), 1)
            start = (max(span.start, leaf.span.start) - leaf.span.start) * share
            end = (min(span.end, leaf.span.end) - leaf.span.start) * share
            own = own[max(math.floor(start - 0.5), 0) : math.ceil(end + 0.5)]
        found += own
    return tuple(dict.fromkeys(found))[:MOST_PAGES]


def _leaves(version: DocumentVersion, span: Span) -> list[PlacedLeaf]:
    rows = Node.objects.filter(version=version).leaves().overlapping(span.start, span.end)
    values = rows.order_by("ordinal").values_list("char_start", "char_end", "boxes")[:MOST_LEAVES]
    return [
        PlacedLeaf(Span(start, end), tuple(tuple(box) for box in boxes))
        for start, end, boxes in values
    ]
