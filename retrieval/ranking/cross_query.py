"""The hits of several queries for one question, made one ranking (KohakuRAG, arXiv 2603.07612)."""

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from typing import Literal

from retrieval.ranking.fusion import Id, Ranking, Scored

Strategy = Literal["none", "frequency", "score", "combined", "interleaved"]
FREQUENCY_WEIGHT = 0.4
SCORE_WEIGHT = 0.6


def cross_query_rerank(
    rankings: Sequence[Ranking[Id]], strategy: Strategy = "combined"
) -> list[Scored[Id]]:
    """Return every hit once, best first.

    `frequency` orders by how many queries found a hit, then by its summed score; `score` by the
    sum; `combined` by 0.4 frequency + 0.6 sum, each divided by its greatest. `none` takes the
    queries one after another, the first one's hits first. Frequencies are counted over all
    rankings, before equal hits are made one: afterwards each would be 1. `interleaved` takes the
    best hit of each query, then the second of each: for queries that each ask for something else,
    where what several of them found is no better for that.
    """
    frequency: Counter[Id] = Counter(hit.id for ranking in rankings for hit in ranking)
    total: dict[Id, float] = {}
    for ranking in rankings:
        for hit in ranking:
            total[hit.id] = total.get(hit.id, 0.0) + hit.score
    if strategy == "none":
        return [Scored(id, total[id]) for id in total]
    if strategy == "interleaved":
        turns = (hit.id for turn in zip_longest(*rankings) for hit in turn if hit is not None)
        return [Scored(id, total[id]) for id in dict.fromkeys(turns)]
    if strategy == "frequency":
        ids = sorted(total, key=lambda id: (-frequency[id], -total[id]))
        return [Scored(id, float(frequency[id])) for id in ids]
    weights = (0.0, 1.0) if strategy == "score" else (FREQUENCY_WEIGHT, SCORE_WEIGHT)
    most = max(frequency.values(), default=1)
    greatest = max(total.values(), default=0.0) or 1.0
    scores = {
        id: weights[0] * frequency[id] / most + weights[1] * total[id] / greatest for id in total
    }
    return [Scored(id, scores[id]) for id in sorted(scores, key=lambda id: -scores[id])]
