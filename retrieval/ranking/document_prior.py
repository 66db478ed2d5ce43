"""Hits of a document that the question seems to be about come before strays of other documents."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from retrieval.ranking.fusion import Fused, Id

BEST_HITS = 3


def with_document_prior(
    hits: Sequence[Fused[Id]], document_of: Callable[[Id], Hashable], *, weight: float = 0.5
) -> list[Fused[Id]]:
    """The same hits, best first, each score + weight x the mean of its document's three best.

    A document with fewer than three hits has zeros for the missing ones. `weight` 0 changes
    nothing; the default is measured (docs/decisions/0002-retrieval-ranking.md).
    """
    of_document: defaultdict[Hashable, list[float]] = defaultdict(list)
    for hit in hits:
        of_document[document_of(hit.id)].append(hit.score)
    prior = {
        document: sum(sorted(scores, reverse=True)[:BEST_HITS]) / BEST_HITS
        for document, scores in of_document.items()
    }
    lifted = [replace(hit, score=hit.score + weight * prior[document_of(hit.id)]) for hit in hits]
    return sorted(lifted, key=lambda hit: -hit.score)
