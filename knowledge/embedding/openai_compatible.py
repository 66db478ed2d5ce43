"""Embeddings of any server that speaks OpenAI's API: OpenAI, vLLM, TEI, llama.cpp, Ollama."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import cast

import numpy as np

from knowledge.embedding.embedder import Vectors, printable, unit_vectors
from knowledge.embedding.errors import EmbeddingUnavailable, TextRefused
from knowledge.embedding.server_options import ServerOptions
from knowledge.embedding.server_requests import BatchRefused, EmbeddingRequests
from knowledge.ingest.tokens import MIN_LIMIT, count_tokens, split_by_tokens
from knowledge.model_server.base_url import check_base_url

logger = logging.getLogger(__name__)

_BATCH_TOKENS = 16_000
"""The most tokens of one request: the default of text-embeddings-inference, the narrowest."""
_EMPTY = "."
"""Stands for a text of nothing, which servers refuse."""
_SHORTENINGS = 6
_LONGEST_NAME = 100
_SHOWN = 60


class OpenAICompatibleEmbedder:
    """Embedder on a server. Raises InvalidBaseUrl.

    A batch that is refused is halved until the text that cannot be embedded stands alone. Tokens
    are counted by another vocabulary than the model's, so a text that is still too long for it is
    shortened further. ``texts_cut`` counts the texts of which an end was left out.
    """

    def __init__(
        self,
        options: ServerOptions,
        *,
        timeout_s: float = 60.0,
        retries: int = 3,
        backoff_s: float = 0.5,
    ) -> None:
        check_base_url(options.base_url)
        self.name = _name(options)
        self.dimensions = options.dimensions
        self.max_tokens = options.max_tokens
        self.texts_cut = 0
        self._options = options
        self._requests = EmbeddingRequests(options, timeout_s, retries, backoff_s)
        self._lock = threading.Lock()

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors n x d of unit length, in order. Raises EmbeddingError."""
        ready = [self._ready(text, self._options.passage_prefix) for text in texts]
        parts = [self._vectors(batch) for batch in self._batches(ready)]
        if not parts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return unit_vectors(np.concatenate(parts), len(texts), self.dimensions)

    def query(self, text: str) -> Vectors:
        """Vector of d numbers and unit length. Raises EmbeddingError."""
        ready = self._ready(text, self._options.query_prefix)
        return cast(Vectors, unit_vectors(self._vectors([ready]), 1, self.dimensions)[0])

    def close(self) -> None:
        """Close the idle connections to the server."""
        self._requests.close()

    def _ready(self, text: str, prefix: str) -> str:
        """Return the text as it is sent: no longer than the model reads."""
        text = printable(text)
        if not text.strip():
            text = _EMPTY
        limit = max(MIN_LIMIT, self.max_tokens - (count_tokens(prefix) + 1 if prefix else 0))
        shortened = _first_tokens(text, limit)
        if len(shortened) < len(text):
            self._note_cut(text)
        return f"{prefix} {shortened}" if prefix else shortened

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        tokens = 0
        for text in texts:
            length = count_tokens(text)
            if batch and (len(batch) == self._options.batch or tokens + length > _BATCH_TOKENS):
                yield batch
                batch, tokens = [], 0
            batch.append(text)
            tokens += length
        if batch:
            yield batch

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        try:
            return self._requests.vectors(texts)
        except BatchRefused as refused:
            if len(texts) == 1:
                return self._alone(texts[0], refused)
        half = len(texts) // 2
        return np.concatenate([self._vectors(texts[:half]), self._vectors(texts[half:])])

    def _alone(self, text: str, refused: BatchRefused) -> Vectors:
        """Return the vector, 1 x d, of as much of a refused text as the server takes."""
        kept = text
        for _ in range(_SHORTENINGS):
            if not refused.too_long or len(kept) < 2:
                break
            kept = kept[: len(kept) // 2]
            try:
                found = self._requests.vectors([kept])
            except BatchRefused as again:
                refused = again
            else:
                self._note_cut(text)
                return found
        if refused.status == 500:
            raise EmbeddingUnavailable(f"the server of the embeddings failed: {refused.words}")
        raise TextRefused(
            f"the server of the embeddings refuses the text {text[:_SHOWN]!r}: {refused.words}"
        )

    def _note_cut(self, text: str) -> None:
        with self._lock:
            self.texts_cut += 1
            count = self.texts_cut
        logger.warning(
            "%s does not read all of a text of %d characters; texts cut so far: %d",
            self.name,
            len(text),
            count,
        )


def _first_tokens(text: str, limit: int) -> str:
    """Return the beginning of ``text`` of at most ``limit`` tokens; all of it if it fits."""
    if len(text) <= limit or count_tokens(text) <= limit:
        return text
    spans = split_by_tokens(text[: limit * 20], limit)
    return text[spans[0].start : spans[0].end] if spans else _EMPTY


def _name(options: ServerOptions) -> str:
    """Return what vectors are stored under: all that makes them comparable to one another."""
    prefixes = f"{options.query_prefix}\0{options.passage_prefix}"
    mark = "" if prefixes == "\0" else f"+{blake2b(prefixes.encode(), digest_size=3).hexdigest()}"
    name = f"openai/{options.model}@{options.dimensions}{mark}"
    if len(name) <= _LONGEST_NAME:
        return name
    digest = blake2b(name.encode(), digest_size=8).hexdigest()
    return f"openai/{options.model[:60]}-{digest}@{options.dimensions}{mark}"
