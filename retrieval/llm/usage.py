"""Tokens of a call: the provider's figures, else our own count."""

from __future__ import annotations

from dataclasses import replace

from knowledge.ingest.tokens import count_tokens
from knowledge.model_server.json_fields import mapping
from retrieval.llm.chat import ChatRequest, Usage
from retrieval.llm.prompt_tokens import prompt_tokens

MOST_TOKENS = 10_000_000
"""No model reads more at once: a server that tells more does not count. Two hundred calls of as
many still fit into the sum of a run, which has 31 bits."""


def usage_of(told: object) -> Usage | None:
    """Return the usage that a provider told, None if it told nothing of use.

    No prompt has zero tokens: servers that do not count send zeros, which are unknown. So is more
    than MOST_TOKENS.
    """
    fields = mapping(told)
    prompt = _count(fields.get("prompt_tokens"))
    completion = _count(fields.get("completion_tokens"))
    if not prompt and not completion:
        return None
    details = mapping(fields.get("prompt_tokens_details"))
    cached = _count(details.get("cached_tokens"))
    if cached is None:  # DeepSeek's spelling
        cached = _count(fields.get("prompt_cache_hit_tokens"))
    return Usage(prompt or None, completion, cached)


def completed_usage(told: Usage | None, request: ChatRequest, written: str) -> Usage:
    """Return the usage with what the provider left out estimated. ``written`` is all it wrote."""
    told = told or Usage(None, None)
    if told.prompt is not None and told.completion is not None:
        return told
    return replace(
        told,
        prompt=told.prompt if told.prompt is not None else estimated_prompt(request),
        completion=told.completion if told.completion is not None else count_tokens(written),
        estimated=True,
    )


def estimated_prompt(request: ChatRequest) -> int | None:
    """Return the prompt's tokens in o200k_base, None with images: they count by size."""
    if any(message.images for message in request.messages):
        return None
    return prompt_tokens(request)


def _count(value: object) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= MOST_TOKENS else None
