"""Shortcuts: places that answered a similar question before, ahead of what a search returns.

They are a block of their own, in tokens, and read first (VikingRAG's priority block): a place whose
text has changed since may rank among the hits, and is no part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from retrieval.agent.evidence import Hit

SUSPECT_RANK = 3
"""Hits of the search that stay ahead of a place whose text has changed."""


@dataclass(frozen=True, slots=True)
class Shortcut:
    """An edge's target in its document's current version; ``hit`` covers the leaf alone."""

    edge_id: int
    path: str
    hit: Hit
    text: str
    is_suspect: bool = False

    @property
    def place(self) -> str:
        """The titles that the text stands under."""
        return " > ".join((self.hit.document_title, *self.hit.headings))


@dataclass(frozen=True, slots=True)
class Memory:
    """What experience gives for one question, the best first. Empty where there is none."""

    shortcuts: tuple[Shortcut, ...] = ()

    @property
    def priority(self) -> tuple[Shortcut, ...]:
        """Those to be read first."""
        return tuple(one for one in self.shortcuts if not one.is_suspect)

    @property
    def suspects(self) -> tuple[Shortcut, ...]:
        """Those whose text has changed."""
        return tuple(one for one in self.shortcuts if one.is_suspect)

    @property
    def tokens(self) -> int:
        """Of the priority block."""
        return sum(one.hit.tokens for one in self.priority)

    def capped(self, tokens: int) -> Memory:
        """Return the shortcuts whose texts fit, in order."""
        kept, left = [], tokens
        for one in self.shortcuts:
            if one.hit.tokens <= left:
                kept.append(one)
                left -= one.hit.tokens
        return Memory(tuple(kept))

    def leading(self, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """Return the hits of a search with the remembered places among them, ranked anew."""
        ahead = [one.hit for one in self.priority]
        doubtful = [one.hit for one in self.suspects]
        return _ranked([*ahead, *hits[:SUSPECT_RANK], *doubtful, *hits[SUSPECT_RANK:]])


def _ranked(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return each span once, where it came first, with ranks from 1."""
    spans: dict[tuple[int, int, int], Hit] = {}
    for hit in hits:
        spans.setdefault((hit.version_id, hit.start, hit.end), hit)
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(spans.values(), 1))
