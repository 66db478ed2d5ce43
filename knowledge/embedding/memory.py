"""Vectors kept in memory, so that the next question on the same passages need not wait for them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import blake2b

import numpy as np

from knowledge.embedding.embedder import Embedder, Vectors

_ENTRY_BYTES = 350
"""What an entry takes beside its numbers: key, array and table, rounded up (CPython 3.11)."""


class VectorMemory:
    """The vectors used last, as many as ``most_bytes`` hold; safe to share between threads.

    8 MB are 4,200 vectors of 384 numbers.
    """

    def __init__(self, most_bytes: int = 8_000_000) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._lock = threading.Lock()
        self._kept: OrderedDict[bytes, Vectors] = OrderedDict()

    def get(self, key: bytes) -> Vectors | None:
        """Return the vector, which is read-only; None if it is not known (any more)."""
        with self._lock:
            vector = self._kept.get(key)
            if vector is not None:
                self._kept.move_to_end(key)
            return vector

    def put(self, key: bytes, vector: Vectors) -> None:
        """Keep a copy of the vector; those not used for longest go."""
        vector = vector.copy()  # a row would hold all of its batch
        vector.flags.writeable = False
        with self._lock:
            replaced = self._kept.pop(key, None)
            self._bytes += _size(vector) - (0 if replaced is None else _size(replaced))
            self._kept[key] = vector
            while self._bytes > self._most_bytes:
                self._bytes -= _size(self._kept.popitem(last=False)[1])


def _size(vector: Vectors) -> int:
    return int(vector.nbytes) + _ENTRY_BYTES


class RememberingEmbedder:
    """Embedder that asks another one only for what ``memory`` does not know; the same vectors.

    ``owner`` keeps memories apart: how quickly one company is answered tells it nothing of what
    another has. Texts are known by their hashes and not kept.
    """

    def __init__(self, embedder: Embedder, memory: VectorMemory, owner: str) -> None:
        self.name = embedder.name
        self.dimensions = embedder.dimensions
        self.max_tokens = embedder.max_tokens
        self._embedder = embedder
        self._memory = memory
        self._owner = owner

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors n x d of unit length, in order. Raises EmbeddingError."""
        return self._vectors("passage", texts, self._embedder.passages)

    def query(self, text: str) -> Vectors:
        """Vector of d numbers and unit length. Raises EmbeddingError."""
        vectors = self._vectors("query", [text], lambda new: self._embedder.query(new[0])[None])
        return np.asarray(vectors[0], dtype=np.float32)

    def _vectors(
        self, kind: str, texts: Sequence[str], embed: Callable[[Sequence[str]], Vectors]
    ) -> Vectors:
        keys = [self._key(kind, text) for text in texts]
        found = {key: self._memory.get(key) for key in keys}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if found[key] is None}
        if missing:
            for key, vector in zip(missing, embed([*missing.values()]), strict=True):
                self._memory.put(key, vector)
                found[key] = vector
        rows = [vector for key in keys if (vector := found[key]) is not None]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.dimensions)

    def _key(self, kind: str, text: str) -> bytes:
        place = "\0".join((self.name, str(self.dimensions), self._owner, kind, text))
        return blake2b(place.encode("utf-8", "surrogatepass"), digest_size=16).digest()
