"""The order of search results. Pure: no Django, no database."""

from retrieval.ranking.cross_query import cross_query_rerank
from retrieval.ranking.document_prior import with_document_prior
from retrieval.ranking.fusion import (
    Fused,
    Ranking,
    Scored,
    reciprocal_rank_fusion,
    score_fusion,
)
from retrieval.ranking.mentioned_documents import mentioned_documents
from retrieval.ranking.named_documents import (
    NamedDocuments,
    named_documents,
    with_named_documents,
)

__all__ = [
    "Fused",
    "NamedDocuments",
    "Ranking",
    "Scored",
    "cross_query_rerank",
    "mentioned_documents",
    "named_documents",
    "reciprocal_rank_fusion",
    "score_fusion",
    "with_document_prior",
    "with_named_documents",
]
