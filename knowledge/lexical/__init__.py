"""Text to sparse vectors whose inner product is BM25. Pure: no Django, no database."""

from knowledge.lexical.analysis import ANALYSIS, query_terms, terms
from knowledge.lexical.bm25 import AVERAGE_LENGTH, document_weights, query_weights
from knowledge.lexical.hashing import DIMENSIONS, dimension

__all__ = [
    "ANALYSIS",
    "AVERAGE_LENGTH",
    "DIMENSIONS",
    "dimension",
    "document_weights",
    "query_terms",
    "query_weights",
    "terms",
]
