"""What is taken or left out as one: a leaf, or one sentence or row of a leaf too long for that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knowledge.ingest.tokens import count_tokens, split_by_tokens
from retrieval.agent.evidence import EvidenceLeaf, Offsets

# Twice a chunk as it is packed by default: a longer leaf is a table or a page without paragraphs,
# and would take the place of several hits.
WHOLE_LEAF_TOKENS = 640
_PART_TOKENS = 320


@dataclass(frozen=True, slots=True)
class Unit:
    """Offsets in the version's text of a leaf, or of a part of it."""

    leaf: EvidenceLeaf
    start: int
    end: int
    tokens: int


def units_of(leaves: Sequence[EvidenceLeaf]) -> tuple[Unit, ...]:
    """Return the units of ``leaves`` in order; together they cover every non-space character."""
    return tuple(unit for leaf in leaves for unit in _units(leaf))


def clipped_leaves(units: Sequence[Unit]) -> tuple[EvidenceLeaf, ...]:
    """Return the leaves of neighbouring ``units``, cut to the units where some are missing."""
    spans: dict[int, tuple[EvidenceLeaf, int, int]] = {}
    for unit in units:
        _, start, _ = spans.get(unit.leaf.start, (unit.leaf, unit.start, unit.end))
        spans[unit.leaf.start] = (unit.leaf, start, unit.end)
    return tuple(leaf.clipped(start, end) for leaf, start, end in spans.values())


def _units(leaf: EvidenceLeaf) -> Iterator[Unit]:
    if leaf.tokens <= WHOLE_LEAF_TOKENS or leaf.start == leaf.end:
        yield Unit(leaf, leaf.start, leaf.end, leaf.tokens)
        return
    for start, end in _parts(leaf):
        text = leaf.text[start - leaf.start : end - leaf.start]
        tokens = count_tokens(text)
        if tokens <= WHOLE_LEAF_TOKENS:
            yield Unit(leaf, start, end, tokens)
            continue
        for piece in split_by_tokens(text, _PART_TOKENS):
            yield Unit(leaf, start + piece.start, start + piece.end, count_tokens(piece.of(text)))


def _parts(leaf: EvidenceLeaf) -> Iterator[Offsets]:
    """Yield spans from each sentence's start to the next one's, and what stands before the first.

    The header lines of a table are that first part.
    """
    starts = sorted({leaf.start, *(start for start, _ in leaf.sentences)})
    for start, stop in zip(starts, [*starts[1:], leaf.end], strict=True):
        text = leaf.text[start - leaf.start : stop - leaf.start]
        if text.strip():
            yield start, start + len(text.rstrip())
