"""Whether a request fits into a model's context, before it is sent."""

from __future__ import annotations

from dataclasses import replace

from retrieval.llm.chat import ChatRequest
from retrieval.llm.errors import ContextOverflow
from retrieval.llm.failures import TOO_LONG
from retrieval.llm.prompt_tokens import prompt_tokens

LEAST_REPLY = 300
"""Tokens that must be left for a reply; with less an answer would end in its middle."""


def fitted(request: ChatRequest, context_tokens: int | None) -> ChatRequest:
    """Return the request with a reply that still fits; as it is where no context is known.

    Counted in o200k tokens, which differ from a model's own by some percent. Raises
    ContextOverflow where less than `LEAST_REPLY`, or than what was asked for, would be left.
    """
    if context_tokens is None:
        return request
    left = context_tokens - prompt_tokens(request)
    if left < min(LEAST_REPLY, request.max_tokens):
        raise ContextOverflow(TOO_LONG, limit=context_tokens, sent=False)
    return replace(request, max_tokens=min(left, request.max_tokens))
