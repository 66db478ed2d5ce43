"""What went wrong, in our own errors. Their words never hold the key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import httpx2
import openai

from knowledge.model_server.overflow import Overflow, overflow_of
from knowledge.model_server.reply_bound import is_too_long
from knowledge.model_server.waiting import retry_after_s
from knowledge.model_server.words import server_words
from retrieval.llm.errors import (
    ContextOverflow,
    MalformedReply,
    ModelError,
    ModelUnavailable,
    RateLimited,
    TimedOut,
)
from retrieval.llm.reply_reader import ENDLESS, NO_REPLY

FAILURES = (ModelError, openai.OpenAIError, httpx2.HTTPError, OSError, ValueError, RecursionError)
"""What a call may end in; ValueError is JSON that is none, RecursionError one nested too deeply."""

TIMED_OUT = "The language model took too long to answer."
UNREACHABLE = "The language model's server cannot be reached."
FAILING = "The language model's server failed to answer."
BUSY = "The language model is asked too much at the moment. Try again in a while."
QUOTA = "The language model's quota is used up."
TOO_LONG = "The question and its evidence are longer than the language model can read at once."
_SENTENCES = {
    401: "The language model's server did not accept the key.",
    402: QUOTA,
    403: "The language model's server did not allow the request.",
    404: "The language model's server knows neither the model nor the address.",
}
_REFUSED = "The language model's server refused the request."
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})


@dataclass(frozen=True, slots=True)
class Failure:
    """An error, and what may be done about it.

    ``passing``: the same request may succeed, after ``wait_s`` if the server said so. ``words``
    are the server's when it may have refused the form of the request, else None.
    """

    error: ModelError
    passing: bool = False
    wait_s: float | None = None
    words: str | None = None


def failure_of(error: Exception, secret: str) -> Failure:
    """Return what an exception of the openai package, or of reading a reply, means."""
    if isinstance(error, ModelError):
        error.detail = server_words(error.detail, secret)
        broke_off = isinstance(error, ModelUnavailable) and not error.permanent
        return Failure(error, passing=broke_off)
    if isinstance(error, openai.APIStatusError):
        return _refusal(error, secret)
    detail = f"{type(error).__name__}: {server_words(str(error), secret)}"
    if is_too_long(error):
        return Failure(MalformedReply(ENDLESS, detail=detail))
    connecting = isinstance(error.__cause__, httpx2.ConnectTimeout | httpx2.PoolTimeout)
    if isinstance(error, openai.APITimeoutError) and not connecting:
        return Failure(TimedOut(TIMED_OUT, detail=detail))
    if isinstance(error, openai.APIConnectionError | OSError):
        return Failure(ModelUnavailable(UNREACHABLE, detail=detail), passing=True)
    if isinstance(error, openai.APIError) and error.body is not None:
        return _told_in_stream(error, secret)
    return Failure(MalformedReply(NO_REPLY, detail=detail))


def _refusal(error: openai.APIStatusError, secret: str) -> Failure:
    status, body = error.status_code, error.body
    words = server_words(body, secret)
    detail = f"HTTP {status}: {words}"
    overflow = None if _is_rate(body) else overflow_of(status, body)
    if overflow:
        return _too_long(overflow, detail)
    if status == 429 or (status == 413 and _is_rate(body)):
        wait_s = retry_after_s(error.response.headers)
        used_up = _code(body) in ("insufficient_quota", "billing_hard_limit_reached")
        limited = RateLimited(
            QUOTA if used_up else BUSY, detail=detail, retry_after_s=wait_s, permanent=used_up
        )
        return Failure(limited, passing=not used_up, wait_s=wait_s)
    if status in _PASSING:
        failed = ModelUnavailable(FAILING, detail=detail)
        # llama-cpp-python answers 500 to a response_format that it does not know.
        named = words if status == 500 else None
        wait_s = retry_after_s(error.response.headers)
        return Failure(failed, passing=True, wait_s=wait_s, words=named)
    sentence = _SENTENCES.get(status, _REFUSED)
    refused = ModelUnavailable(sentence, detail=detail, permanent=True)
    return Failure(refused, words=words if status in (400, 422, 501) else None)


def _told_in_stream(error: openai.APIError, secret: str) -> Failure:
    """An error that came as an event of a stream which began with status 200."""
    detail = f"in the stream: {server_words(error.body, secret)}"
    overflow = overflow_of(None, error.body)
    if overflow:
        return _too_long(overflow, detail)
    return Failure(ModelUnavailable(FAILING, detail=detail), passing=True)


def _too_long(overflow: Overflow, detail: str) -> Failure:
    return Failure(ContextOverflow(TOO_LONG, detail=detail, limit=overflow.limit))


def _code(body: object) -> object:
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    return inner.get("code") or inner.get("type") if isinstance(inner, Mapping) else None


def _is_rate(body: object) -> bool:
    return _code(body) in ("rate_limit_exceeded", "tokens")
