"""The cut below which an answer of one round goes on to the agent, from audited answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.evaluation.statistics import Interval, proportion

FEWEST = 40
"""Audits below which nothing is calibrated: of 40, all right, it ends at 9 %."""

FEWEST_KEPT = 20
"""Audits above a cut below which its rate is chance."""

STEPS = 10


@dataclass(frozen=True, slots=True)
class Audited:
    """An audited answer: how far it was trusted, and whether the agent agreed."""

    confidence: float
    agrees: bool


@dataclass(frozen=True, slots=True)
class Cut:
    """What a cut would have done: ``kept`` answers are given without the agent, and ``false`` of
    them should have gone on; ``share`` is that of the kept among all."""

    at: float
    kept: int
    false: int
    share: float

    @property
    def rate(self) -> Interval:
        """The rate of false non-escalations among the kept, with its 95 % interval."""
        return proportion(self.false, self.kept)


@dataclass(frozen=True, slots=True)
class Calibration:
    """``chosen`` is None where there are too few audits (``is_enough`` is False), or where no cut
    reaches the target; a cut at 0 is none. ``table`` rises from there."""

    audits: int
    table: tuple[Cut, ...]
    chosen: Cut | None
    is_enough: bool


def calibrated(audits: Sequence[Audited], target: float) -> Calibration:
    """Return the least cut at which at most ``target`` (0 to 1) of the kept are false."""
    ordered = sorted(audits, key=lambda one: one.confidence)
    places = sorted({0.0, *(one.confidence for one in ordered)})
    is_enough = len(audits) >= FEWEST
    chosen = _least(ordered, places, target) if is_enough else None
    shown = {*_spread(places), *([chosen.at] if chosen else [])}
    table = tuple(_cut(ordered, at) for at in sorted(shown))
    return Calibration(len(audits), table, chosen, is_enough)


def _least(ordered: Sequence[Audited], places: Sequence[float], target: float) -> Cut | None:
    cuts = (_cut(ordered, at) for at in places)
    kept = (cut for cut in cuts if cut.kept >= FEWEST_KEPT)
    return next((cut for cut in kept if cut.rate.mean <= target), None)


def _cut(ordered: Sequence[Audited], at: float) -> Cut:
    kept = [one for one in ordered if one.confidence >= at]
    false = sum(not one.agrees for one in kept)
    return Cut(at, len(kept), false, len(kept) / len(ordered) if ordered else 0.0)


def _spread(places: Sequence[float]) -> list[float]:
    """Return at most STEPS of the places, evenly, the first and the last among them."""
    if len(places) <= STEPS:
        return [*places]
    last = len(places) - 1
    return [places[round(step * last / (STEPS - 1))] for step in range(STEPS)]
