"""Terms as dimensions of a sparse vector."""

from functools import lru_cache
from hashlib import blake2b

# A power of two below pgvector's limit of 1,000,000,000 (sparsevec.h). A vocabulary of 100,000
# terms has some 9 pairs that share a dimension.
DIMENSIONS = 2**29


@lru_cache(maxsize=200_000)
def dimension(term: str) -> int:
    """The term's dimension, 0 to DIMENSIONS - 1: the same in every process and release."""
    digest = blake2b(term.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % DIMENSIONS
