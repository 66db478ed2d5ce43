"""An embedder without a model: texts that share words or parts of words are near.

For tests and for measuring everything around the model. The same text gives the same vector in
every process, machine and release.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import cast

import numpy as np

from knowledge.embedding.embedder import Vectors, unit_vectors

_WORD = re.compile(r"\w+")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CHARACTERS = 20_000


class HashingEmbedder:
    """Signed feature hashing (Weinberger et al., arXiv 0902.2206) of words and their trigrams."""

    name = "hashing/words-trigrams@1"
    dimensions = 384
    max_tokens = 512

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors n x 384 of unit length, in order."""
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for feature, count in Counter(_features(text[:_CHARACTERS])).items():
                dimension, sign = _place(feature, self.dimensions)
                row[dimension] += sign * (1 + math.log(count))
            if not row.any():  # no words, or signs that cancelled out
                row[0] = 1
        return unit_vectors(vectors, len(texts), self.dimensions)

    def query(self, text: str) -> Vectors:
        """Vector of 384 numbers and unit length: the same as that of the passage."""
        return cast(Vectors, self.passages([text])[0])


def _features(text: str) -> Iterator[str]:
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        if _UNSPACED.search(word):
            yield from word
            yield from (word[at : at + 2] for at in range(len(word) - 1))
        else:
            yield f"<{word}>"
            bounded = f"<{word}>"
            yield from (bounded[at : at + 3] for at in range(len(bounded) - 2))


@lru_cache(maxsize=100_000)
def _place(feature: str, dimensions: int) -> tuple[int, int]:
    digest = int.from_bytes(blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest())
    return (digest >> 1) % dimensions, 1 if digest & 1 else -1
