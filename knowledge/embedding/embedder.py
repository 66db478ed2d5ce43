"""What every embedding model offers, and the checks that every implementation applies."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from knowledge.embedding.errors import EmbeddingBadResult

Vectors = NDArray[np.float32]
"""float32; n x d for several texts, d for one; every row has unit length."""


class Embedder(Protocol):
    """A model that turns passages and queries into vectors whose inner product is similarity.

    Implementations are safe to share between threads.
    """

    @property
    def name(self) -> str:
        """Model and version; stored with every index entry, which is only compared to its own."""
        ...

    @property
    def dimensions(self) -> int:
        """Length d of a vector."""
        ...

    @property
    def max_tokens(self) -> int:
        """Tokens of the model's own tokenizer that one passage is represented well up to.

        A longer passage is accepted, but its vector blurs: chunk below this.
        """
        ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be found, n x d in the order given; 0 x d for no texts.

        Any text is accepted, an empty one too. Raises EmbeddingError.
        """
        ...

    def query(self, text: str) -> Vectors:
        """Vector of a question, d; past `max_tokens` its end may be ignored.

        Raises EmbeddingError.
        """
        ...


def unit_vectors(vectors: Vectors, count: int, dimensions: int) -> Vectors:
    """The same vectors (n x d, float32), scaled to unit length.

    Raises EmbeddingBadResult unless they are `count` x `dimensions`, finite and none is zero:
    a zero vector stored once is found never, and nobody notices.
    """
    if vectors.shape != (count, dimensions):
        raise EmbeddingBadResult(f"expected {count} x {dimensions} numbers, got {vectors.shape}")
    if not np.isfinite(vectors).all():
        raise EmbeddingBadResult("a vector holds a number that is not finite")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if (lengths < 1e-6).any():
        raise EmbeddingBadResult("a vector is zero")
    return np.asarray(vectors / lengths, dtype=np.float32)


def printable(text: str) -> str:
    """The text as C and JSON accept it: C ends at NUL, and a lone surrogate has no UTF-8."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
