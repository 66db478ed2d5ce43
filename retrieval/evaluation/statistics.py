"""Means, quantiles and paired bootstrap intervals of per-question figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 2_000
Z_95 = 1.959964
"""The normal quantile of a two-sided interval of 95 %."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float


def mean(values: Sequence[float]) -> float:
    """Return the mean, 0.0 of nothing."""
    return float(np.mean(values)) if len(values) else 0.0


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which ``share`` of the values lie, 0.0 of nothing."""
    return float(np.quantile(values, share)) if len(values) else 0.0


def paired_difference(ours: Sequence[float], theirs: Sequence[float], *, seed: int = 0) -> Interval:
    """Return the mean of ours - theirs over the same questions, with its bootstrap interval.

    Questions are resampled together for both (Efron and Tibshirani 1993, ch. 13), so what makes a
    question hard for both cancels out. Raises ValueError for unequal lengths.
    """
    if len(ours) != len(theirs):
        raise ValueError(f"{len(ours)} and {len(theirs)} questions")
    difference = np.asarray(ours, dtype=float) - np.asarray(theirs, dtype=float)
    if not len(difference):
        return Interval(0.0, 0.0, 0.0)
    generator = np.random.default_rng(seed)
    drawn = generator.integers(0, len(difference), (RESAMPLES, len(difference)))
    means = difference[drawn].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(float(difference.mean()), float(low), float(high))


def proportion(hits: int, total: int) -> Interval:
    """Return hits / total with its Wilson score interval (Wilson 1927), 0 to 1 of nothing.

    It holds for few observations and for none of them a hit, unlike the normal one.
    """
    if not total:
        return Interval(0.0, 0.0, 1.0)
    share, square = hits / total, Z_95**2
    middle = (share + square / (2 * total)) / (1 + square / total)
    reach = share * (1 - share) / total + square / (4 * total**2)
    half = Z_95 * reach**0.5 / (1 + square / total)
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half))
