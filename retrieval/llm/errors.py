"""Errors of the language model package.

ModelError
├── ModelUnavailable   the server cannot be reached, fails, refuses the request, or broke off
├── RateLimited        the server asks to wait longer than the deadline allows, or for payment
├── ContextOverflow    the request is longer than the model's context: send less
├── MalformedReply     what came back is no reply of a chat model
├── Cancelled          somebody stopped the call
└── TimedOut           the deadline passed
"""

from __future__ import annotations

from retrieval.llm.chat import Usage


class ModelError(Exception):
    """Base of everything a model raises.

    ``sentence`` is for the reader, ``detail`` for the log; neither holds the key. ``usage`` is
    what the failed call spent, None when nothing is known to be spent.
    """

    def __init__(self, sentence: str, *, detail: str = "", usage: Usage | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.detail = detail
        self.usage = usage


class ModelUnavailable(ModelError):
    """No reply. ``permanent``: the same call will fail again until a setting is changed."""

    def __init__(
        self,
        sentence: str,
        *,
        detail: str = "",
        usage: Usage | None = None,
        permanent: bool = False,
    ) -> None:
        super().__init__(sentence, detail=detail, usage=usage)
        self.permanent = permanent


class RateLimited(ModelError):
    """Too many requests. ``retry_after_s`` is the server's wish; ``permanent``: no quota."""

    def __init__(
        self,
        sentence: str,
        *,
        detail: str = "",
        retry_after_s: float | None = None,
        permanent: bool = False,
    ) -> None:
        super().__init__(sentence, detail=detail)
        self.retry_after_s = retry_after_s
        self.permanent = permanent


class ContextOverflow(ModelError):
    """The request does not fit. ``limit`` is the context in tokens, None when not told.

    One that was not ``sent`` cost nothing.
    """

    def __init__(
        self, sentence: str, *, detail: str = "", limit: int | None = None, sent: bool = True
    ) -> None:
        super().__init__(sentence, detail=detail)
        self.limit = limit
        self.sent = sent


class MalformedReply(ModelError):
    """No reply of a chat model. One without the object that was asked for is no error."""


class Cancelled(ModelError):
    """The call was stopped; its socket is closed."""


class TimedOut(ModelError):
    """The deadline passed; the socket is closed."""
