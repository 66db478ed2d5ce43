"""BM25 (Robertson and Zaragoza 2009) as the inner product of two sparse vectors.

    sum over t of  idf(t) * qtf(t)  *  tf(t) (k1 + 1) / (tf(t) + k1 (1 - b + b length / average))
                   `query_weights`     `document_weights`

idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5)), as in Lucene: never negative. The document's side
is stored when it is indexed and the query's is made when asked, so document frequencies are
always those of today.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from knowledge.lexical.hashing import dimension

AVERAGE_LENGTH = 120.0
"""Terms of an average passage: a constant, so that a stored vector does not age.

Measured: half and double of the true average moved hit@10 by less than .05 either way
(docs/decisions/0002-retrieval-ranking.md).
"""
MAX_NON_ZERO = 16_000
"""Elements that a pgvector `sparsevec` can hold (sparsevec.h)."""


def document_weights(
    terms: Sequence[str], average_length: float = AVERAGE_LENGTH, *, k1: float = 0.9, b: float = 0.4
) -> dict[int, float]:
    """Weight of each dimension of a passage, all above zero; empty for no terms.

    `average_length` in terms. The defaults are Anserini's, and best in our measurement
    (docs/decisions/0002-retrieval-ranking.md). Past 16,000 different terms the heaviest stay.

    Raises ValueError when `average_length` is not above zero.
    """
    if average_length <= 0:
        raise ValueError(f"average_length must be above zero, not {average_length}")
    norm = k1 * (1 - b + b * len(terms) / average_length)
    counts = Counter(map(dimension, terms))
    kept = counts.most_common(MAX_NON_ZERO) if len(counts) > MAX_NON_ZERO else counts.items()
    return {at: count * (k1 + 1) / (count + norm) for at, count in kept}


def query_weights(
    terms: Iterable[str], document_frequency: Mapping[int, int], documents: int
) -> dict[int, float]:
    """Weight of each dimension of a question, all above zero.

    `document_frequency` tells in how many of the `documents` passages of the base a dimension
    occurs; a dimension it does not hold matches nothing and is left out. A frequency above
    `documents` (counted at different moments) is taken as `documents`.
    """
    weights: dict[int, float] = {}
    for at, count in Counter(map(dimension, terms)).items():
        frequency = min(document_frequency.get(at, 0), documents)
        if frequency > 0:
            idf = math.log1p((documents - frequency + 0.5) / (frequency + 0.5))
            weights[at] = count * idf
    return dict(sorted(weights.items(), key=lambda item: -item[1])[:MAX_NON_ZERO])
