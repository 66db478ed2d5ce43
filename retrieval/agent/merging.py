"""Hits of several searches as one list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from retrieval.agent.evidence import Hit


def in_turns(one: Sequence[Hit], other: Sequence[Hit]) -> list[Hit]:
    """Return each hit once, the first of one, the first of the other, and so on."""
    return once(hit for turn in zip_longest(one, other) for hit in turn if hit is not None)


def once(hits: Iterable[Hit]) -> list[Hit]:
    """Return the hits, each where it first stands."""
    first: dict[int, Hit] = {}
    for hit in hits:
        first.setdefault(hit.entry_id, hit)
    return list(first.values())
