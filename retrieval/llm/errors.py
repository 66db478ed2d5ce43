"""Errors of language models; their messages are sentences for the reader, without any key.

ModelError
├── ModelUnavailable   no connection, 5xx, refused key; the same call may succeed later
├── RateLimited        429 until the deadline
├── TimedOut           no whole reply before the deadline
├── ContextOverflow    the prompt is too long; ``limit`` in tokens where the server says it
├── MalformedReply     what came back is no chat completion
└── Cancelled          somebody stopped it
"""

from __future__ import annotations


class ModelError(Exception):
    """Base of everything a chat model raises."""


class ModelUnavailable(ModelError):
    """The model cannot be reached, or refuses to work."""


class RateLimited(ModelUnavailable):
    """The model's server has had too many requests until the deadline."""


class TimedOut(ModelUnavailable):
    """The model has not answered in time."""


class ContextOverflow(ModelError):
    """The prompt is longer than the model reads; ``limit`` is what it reads, if known."""

    def __init__(self, sentence: str, limit: int | None = None) -> None:
        super().__init__(sentence)
        self.limit = limit


class MalformedReply(ModelError):
    """The server answered with something that is no chat completion."""


class Cancelled(ModelError):
    """The call was cancelled; its socket is closed."""
