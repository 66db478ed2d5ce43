"""The choice of an embedder by the value of a setting."""

from collections.abc import Callable
from functools import lru_cache

from knowledge.embedding.bundled import BundledEmbedder
from knowledge.embedding.embedder import Embedder
from knowledge.embedding.errors import UnknownEmbedder
from knowledge.embedding.hashing import HashingEmbedder

_EMBEDDERS: dict[str, Callable[[], Embedder]] = {
    "bundled": BundledEmbedder,
    "hashing": HashingEmbedder,
}


@lru_cache
def embedder_for(choice: str) -> Embedder:
    """The embedder called `bundled` or `hashing`: one per process, so its model loads once.

    Raises UnknownEmbedder, naming the choices.
    """
    try:
        return _EMBEDDERS[choice]()
    except KeyError as error:
        known = ", ".join(sorted(_EMBEDDERS))
        raise UnknownEmbedder(f"{choice!r} is no embedder; choose one of: {known}") from error
