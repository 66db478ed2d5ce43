"""The choice of an embedder by the value of a setting."""

from collections.abc import Callable
from functools import lru_cache

from knowledge.embedding.bundled import BundledEmbedder
from knowledge.embedding.embedder import Embedder
from knowledge.embedding.errors import EmbeddingError, UnknownEmbedder
from knowledge.embedding.hashing import HashingEmbedder
from knowledge.embedding.server_options import ServerOptions

_EMBEDDERS: dict[str, Callable[[], Embedder]] = {
    "bundled": BundledEmbedder,
    "hashing": HashingEmbedder,
}


@lru_cache
def embedder_for(choice: str | ServerOptions) -> Embedder:
    """The embedder called `bundled` or `hashing`, or that of a server.

    One per process, so its model loads once. Raises UnknownEmbedder, naming the choices, and
    InvalidBaseUrl.
    """
    if isinstance(choice, ServerOptions):
        # The openai package takes half a second to load.
        from knowledge.embedding.openai_compatible import OpenAICompatibleEmbedder

        return OpenAICompatibleEmbedder(choice)
    try:
        return _EMBEDDERS[choice]()
    except KeyError as error:
        known = ", ".join(sorted(_EMBEDDERS))
        raise UnknownEmbedder(f"{choice!r} is no embedder; choose one of: {known}") from error


def built_in(name: str) -> Embedder | None:
    """Return the embedder without a server whose vectors are stored under this name, if any."""
    for choice in _EMBEDDERS:
        try:
            embedder = embedder_for(choice)
        except EmbeddingError:  # not installed
            continue
        if embedder.name == name:
            return embedder
    return None
