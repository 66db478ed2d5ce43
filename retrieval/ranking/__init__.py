"""The order of search results. Pure: no Django, no database."""

from retrieval.ranking.document_prior import with_document_prior
from retrieval.ranking.fusion import (
    Fused,
    Ranking,
    Scored,
    reciprocal_rank_fusion,
    score_fusion,
)

__all__ = [
    "Fused",
    "Ranking",
    "Scored",
    "reciprocal_rank_fusion",
    "score_fusion",
    "with_document_prior",
]
