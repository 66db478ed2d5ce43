"""Which model of which server embeds."""

from __future__ import annotations

from dataclasses import dataclass, field

MOST_DIMENSIONS = 4_000
"""pgvector's HNSW indexes a halfvec of no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """An OpenAI-compatible server of embeddings.

    ``max_tokens`` are what the model reads of one text, ``batch`` the most texts of one request.
    The prefixes, such as ``query:`` and ``passage:`` of E5, stand before a text with a space.
    """

    base_url: str
    model: str
    dimensions: int
    api_key: str = field(default="", repr=False)
    max_tokens: int = 512
    batch: int = 32
    query_prefix: str = ""
    passage_prefix: str = ""
