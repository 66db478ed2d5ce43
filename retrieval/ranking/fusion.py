"""Several rankings of the same things made one."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Id = TypeVar("Id", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Scored(Generic[Id]):
    """One hit of a ranking; a higher score is better."""

    id: Id
    score: float


@dataclass(frozen=True, slots=True)
class Fused(Generic[Id]):
    """One hit of the fused ranking with what each leg had said, in the order of the legs.

    `ranks` count from 1; a rank and a score are None where the leg did not return the hit.
    """

    id: Id
    score: float
    ranks: tuple[int | None, ...]
    scores: tuple[float | None, ...]


Ranking = Sequence[Scored[Id]]
"""Best first; an id occurs once."""


def reciprocal_rank_fusion(
    rankings: Sequence[Ranking[Id]], *, k: int = 60, weights: Sequence[float] | None = None
) -> list[Fused[Id]]:
    """All hits, best first, scored by the sum of weight / (k + rank) (Cormack et al., SIGIR 2009).

    Legs weigh the same unless told otherwise. Equal scores keep the order of first appearance,
    leg by leg. Raises ValueError unless there are as many weights as rankings.
    """
    return _fused(rankings, weights, [[1 / (k + at + 1) for at in range(len(r))] for r in rankings])


def score_fusion(
    rankings: Sequence[Ranking[Id]], *, weights: Sequence[float] | None = None
) -> list[Fused[Id]]:
    """All hits, best first, scored by the weighted mean of each leg's scores, 0 to 1.

    A leg's scores are stretched per query so that its best hit has 1 and its last has 0 (convex
    combination, Bruch et al., arXiv 2210.11934): raw scores cannot be added, since e5's lie in
    .72-.95 for anything and BM25's have no upper end. Hits that a leg did not return have its 0,
    so ask each leg for the same number of hits, some hundred. Raises ValueError as above.
    """
    return _fused(rankings, weights, [_stretched([hit.score for hit in r]) for r in rankings])


def _stretched(scores: Sequence[float]) -> list[float]:
    if not scores:
        return []
    low, high = min(scores), max(scores)
    if high == low:
        return [1.0] * len(scores)
    return [(score - low) / (high - low) for score in scores]


def _fused(
    rankings: Sequence[Ranking[Id]],
    weights: Sequence[float] | None,
    shares: Sequence[Sequence[float]],
) -> list[Fused[Id]]:
    if weights is None:
        weights = [1 / max(1, len(rankings))] * len(rankings)
    if len(weights) != len(rankings):
        raise ValueError(f"{len(weights)} weights for {len(rankings)} rankings")
    totals: dict[Id, float] = {}
    places: list[dict[Id, int]] = []
    for ranking, weight, leg in zip(rankings, weights, shares, strict=True):
        places.append({hit.id: at for at, hit in enumerate(ranking)})
        for hit, share in zip(ranking, leg, strict=True):
            totals[hit.id] = totals.get(hit.id, 0.0) + weight * share
    return [
        Fused(id, totals[id], *_said(id, rankings, places))
        for id in sorted(totals, key=lambda id: -totals[id])
    ]


def _said(
    id: Id, rankings: Sequence[Ranking[Id]], places: Sequence[dict[Id, int]]
) -> tuple[tuple[int | None, ...], tuple[float | None, ...]]:
    found = [place.get(id) for place in places]
    return (
        tuple(None if at is None else at + 1 for at in found),
        tuple(
            None if at is None else ranking[at].score
            for at, ranking in zip(found, rankings, strict=True)
        ),
    )
