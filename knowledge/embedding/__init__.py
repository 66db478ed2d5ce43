"""Text to vectors, by whichever model is configured. Pure: no Django, no database."""

from knowledge.embedding.embedder import Embedder, Vectors
from knowledge.embedding.errors import (
    EmbeddingBadResult,
    EmbeddingError,
    EmbeddingUnavailable,
    UnknownEmbedder,
)
from knowledge.embedding.pooling import parent_vector
from knowledge.embedding.registry import embedder_for

__all__ = [
    "Embedder",
    "EmbeddingBadResult",
    "EmbeddingError",
    "EmbeddingUnavailable",
    "UnknownEmbedder",
    "Vectors",
    "embedder_for",
    "parent_vector",
]
