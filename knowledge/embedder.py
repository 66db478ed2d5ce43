"""The embedders of this process, guarded against being called with a transaction open.

The settings choose one. A base whose index another one made is served by that until its vectors
are made anew (knowledge/services/reembedding.py), so a process may need both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from django.conf import settings

from accounts.tenancy import require_no_transaction
from knowledge.embedding import Embedder, EmbeddingError, ServerOptions, built_in, embedder_for
from knowledge.embedding.embedder import Vectors
from knowledge.model_server.base_url import InvalidBaseUrl
from knowledge.models import KnowledgeBase

FORMER_TIMEOUT_S = 30.0
FORMER_RETRIES = 1
"""A server that the settings no longer name may be gone: who asks it does not wait for long."""


class GuardedEmbedder:
    """Passes calls on; raises accounts.tenancy.OpenTransaction when a transaction is open."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name = embedder.name
        self.dimensions = embedder.dimensions
        self.max_tokens = embedder.max_tokens

    def passages(self, texts: Sequence[str]) -> Vectors:
        require_no_transaction("The embedder")
        return self._embedder.passages(texts)

    def query(self, text: str) -> Vectors:
        require_no_transaction("The embedder")
        return self._embedder.query(text)


def current_embedder() -> Embedder:
    """Return the embedder that the settings choose. Raises EmbeddingError."""
    return GuardedEmbedder(embedder_for(settings.EMBEDDING_SERVER or settings.EMBEDDER))


def serving_embedder(base: KnowledgeBase) -> Embedder | None:
    """Return the embedder that made the base's index; None if it is none that is known here.

    It is the configured one unless the settings have changed since. Raises EmbeddingError when
    that cannot be loaded.
    """
    configured = current_embedder()
    if base.serving_model in ("", configured.name):
        return configured
    former = _former(base)
    return GuardedEmbedder(former) if former and former.name == base.serving_model else None


def waits_for_server(base: KnowledgeBase) -> bool:
    """Return whether what embeds for the base may be a server, which is waited for."""
    return settings.EMBEDDING_SERVER is not None or base.serving_server is not None


def current_server() -> dict[str, Any] | None:
    """Return what is stored of the configured server, to ask it later: all but its key."""
    if settings.EMBEDDING_SERVER is None:
        return None
    options = asdict(settings.EMBEDDING_SERVER)
    del options["api_key"]
    return options


def _former(base: KnowledgeBase) -> Embedder | None:
    if base.serving_server is None:
        return built_in(base.serving_model)
    try:
        return _former_server(ServerOptions(**base.serving_server, api_key=_key(base)))
    except (EmbeddingError, InvalidBaseUrl, TypeError):  # options of another release
        return None


def _key(base: KnowledgeBase) -> str:
    """Return the configured key if it is for the same server: another must not see it."""
    server, stored = settings.EMBEDDING_SERVER, base.serving_server
    known = isinstance(stored, Mapping) and server and server.base_url == stored.get("base_url")
    return server.api_key if server and known else ""


@lru_cache
def _former_server(options: ServerOptions) -> Embedder:
    from knowledge.embedding.openai_compatible import OpenAICompatibleEmbedder

    return OpenAICompatibleEmbedder(
        options, timeout_s=FORMER_TIMEOUT_S, retries=FORMER_RETRIES, backoff_s=0.2
    )
