"""Requests to an OpenAI-compatible server of embeddings, with their repetitions."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import openai

from knowledge.embedding.embedder import Vectors
from knowledge.embedding.errors import (
    EmbeddingBadResult,
    EmbeddingUnavailable,
    WrongDimensions,
)
from knowledge.embedding.server_options import ServerOptions
from knowledge.model_server.client import open_client, time_limits
from knowledge.model_server.json_fields import items, mapping, parsed
from knowledge.model_server.overflow import overflow_of
from knowledge.model_server.reply_bound import is_too_long
from knowledge.model_server.waiting import backoff_s, retry_after_s
from knowledge.model_server.words import server_words

if TYPE_CHECKING:
    from openai._types import RequestOptions  # the package has no public name of it

_REFUSALS = frozenset({400, 413, 422, 500})
"""What a server says about a text, or about too many of them; 500 may be out of memory."""
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})

_NUMBER_BYTES = 32
"""The most that a number of a vector takes in JSON, with what is around it."""
_LONGEST_VECTOR = 8_192
_OTHER_BYTES = 2**20


class BatchRefused(Exception):
    """The server takes no such batch; ``too_long`` if one of its texts is longer than it reads."""

    def __init__(self, words: str, *, status: int, too_long: bool) -> None:
        super().__init__(words)
        self.words = words
        self.status = status
        self.too_long = too_long


@dataclass
class EmbeddingRequests:
    """Sends batches. ``timeout_s`` is for one batch with all its attempts."""

    options: ServerOptions
    timeout_s: float
    retries: int
    first_backoff_s: float
    _asks_dimensions: bool = field(default=False, init=False)

    @cached_property
    def _client(self) -> openai.OpenAI:
        options = self.options
        # A model of another length answers with that one first.
        numbers = options.batch * max(options.dimensions, _LONGEST_VECTOR)
        most = numbers * _NUMBER_BYTES + _OTHER_BYTES
        return open_client(options.base_url, options.api_key, reply_bytes=most)

    def close(self) -> None:
        """Close the idle connections."""
        if "_client" in self.__dict__:
            self._client.close()

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return the texts' vectors as the server has them, in order.

        A model of another length is asked once for the one configured, which models trained for
        it (Matryoshka) can give. Raises BatchRefused, EmbeddingUnavailable, EmbeddingBadResult.
        """
        wanted = self.options.dimensions
        asked = self._asks_dimensions
        found = self._answered(texts, asked)
        if found.shape[1] != wanted and not asked:
            length = found.shape[1]
            try:
                found = self._answered(texts, True)
            except BatchRefused as error:
                raise self._other_length(length) from error
            self._asks_dimensions = found.shape[1] == wanted
        if found.shape[1] != wanted:
            raise self._other_length(found.shape[1])
        return found

    def _other_length(self, length: int) -> WrongDimensions:
        return WrongDimensions(
            f"{self.options.model} gives vectors of {length} numbers, but"
            f" CAIRN_EMBEDDING_DIMENSIONS is {self.options.dimensions}"
        )

    def _answered(self, texts: Sequence[str], asks_dimensions: bool) -> Vectors:
        deadline = time.monotonic() + self.timeout_s
        attempt = 0
        while True:
            try:
                answer = self._send(texts, deadline - time.monotonic(), asks_dimensions)
                return _rows(answer, len(texts))
            except (openai.APIStatusError, openai.APIConnectionError) as error:
                if is_too_long(error):  # packed: the package takes it for a lost connection
                    words = str(error.__cause__)
                    raise EmbeddingBadResult(f"no embeddings came: {words}") from None
                delay_s = self._delay_s(error, attempt)
                late = delay_s is None or time.monotonic() + delay_s >= deadline
                if delay_s is None or late or attempt == self.retries:
                    # Without the cause: its words may hold the key.
                    raise self._failure(error) from None
            except (openai.OpenAIError, ValueError, RecursionError) as error:
                words = server_words(str(error), self.options.api_key, 200)
                raise EmbeddingBadResult(f"no embeddings came: {words}") from None
            time.sleep(delay_s)
            attempt += 1

    def _send(self, texts: Sequence[str], left_s: float, asks_dimensions: bool) -> object:
        """Return the answer as a JSON value: the package's types do not look what came."""
        body: dict[str, object] = {
            "model": self.options.model,
            "input": list(texts),
            "encoding_format": "float",  # base64, the package's default, is not known everywhere
        }
        if asks_dimensions:
            body["dimensions"] = self.options.dimensions
        options: RequestOptions = {"timeout": time_limits(left_s)}
        return self._client.post("/embeddings", cast_to=object, body=body, options=options)

    def _delay_s(self, error: openai.APIError, attempt: int) -> float | None:
        """Return the seconds until the next attempt, None if there is no use in one."""
        usual = backoff_s(attempt, self.first_backoff_s)
        if not isinstance(error, openai.APIStatusError):
            return usual
        if error.status_code not in _PASSING or overflow_of(error.status_code, error.body):
            return None
        asked = retry_after_s(error.response.headers)
        return usual if asked is None else asked

    def _failure(self, error: openai.APIError) -> Exception:
        if not isinstance(error, openai.APIStatusError):
            return EmbeddingUnavailable("the server of the embeddings cannot be reached")
        status = error.status_code
        words = server_words(error.body, self.options.api_key, 200)
        if status in _REFUSALS:
            too_long = overflow_of(status, error.body) is not None
            return BatchRefused(words, status=status, too_long=too_long)
        return EmbeddingUnavailable(f"the server of the embeddings answered {status}: {words}")


def _rows(answer: object, count: int) -> Vectors:
    """Return the vectors of an answer, n x d, by the index that each names.

    Raises EmbeddingBadResult unless there are ``count`` of one length.
    """
    rows: dict[int, object] = {}
    for item in items(mapping(parsed(answer)).get("data")):
        index = mapping(item).get("index")
        if isinstance(index, int):
            rows[index] = mapping(item).get("embedding")
    if set(rows) != set(range(count)):
        raise EmbeddingBadResult(f"{len(rows)} vectors came for {count} texts")
    try:
        found = np.asarray([rows[index] for index in range(count)], dtype=np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        raise EmbeddingBadResult("what came for a text is no list of numbers") from error
    if found.ndim != 2:
        raise EmbeddingBadResult("what came for a text is no list of numbers")
    return found
