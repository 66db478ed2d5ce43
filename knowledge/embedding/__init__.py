"""Text to vectors, by whichever model is configured. Pure: no Django, no database."""

from knowledge.embedding.embedder import Embedder, Vectors
from knowledge.embedding.errors import (
    EmbeddingBadResult,
    EmbeddingError,
    EmbeddingUnavailable,
    TextRefused,
    UnknownEmbedder,
    WrongDimensions,
)
from knowledge.embedding.memory import RememberingEmbedder, VectorMemory
from knowledge.embedding.pooling import parent_vector
from knowledge.embedding.registry import built_in, embedder_for
from knowledge.embedding.server_options import ServerOptions

__all__ = [
    "Embedder",
    "EmbeddingBadResult",
    "EmbeddingError",
    "EmbeddingUnavailable",
    "RememberingEmbedder",
    "ServerOptions",
    "TextRefused",
    "UnknownEmbedder",
    "VectorMemory",
    "Vectors",
    "WrongDimensions",
    "built_in",
    "embedder_for",
    "parent_vector",
]
