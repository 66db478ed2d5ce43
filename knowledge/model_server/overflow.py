"""Whether a server refused a request because it is too long for the model's context."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from knowledge.model_server.words import server_words

_CODES = ("context_length_exceeded", "exceed_context_size_error", "string_above_max_length")
# OpenAI, vLLM and llama-cpp-python say "maximum context length is N"; newer vLLM "longer than the
# maximum model length of N" and "context length is only N"; llama.cpp "exceeds the available
# context size (N tokens)" and n_ctx; Ollama "input length exceeds the context length"; TGI
# "must be <= N"; TEI "must have less than N tokens"; others as they were met.
_WORDS = re.compile(
    r"(?:maximum|max(?:imum)? model|model's|the) (?:context|model) (?:length|size|window)"
    r"|exceeds? (?:the )?(?:available |maximum |max )?context|context (?:window|length|size) of"
    r"|(?:prompt|input) (?:is )?too long|input length exceeds|too large for model"
    r"|input tokens? exceed|input token count|max_new_tokens` must be <="
    r"|must have less than \d+ tokens|reduce the length of the (?:messages|prompt|input)"
    r"|context the overflows",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"(?:(?:context|model) (?:length|size|window)(?: is)?(?: only)?(?: of)?|limit of|<=|less than"
    r"|maximum(?: number of tokens allowed)?|model with|tokens >)\s*\(?(\d[\d,]{0,11})(?![\d,]*\d)",
    re.IGNORECASE,
)
_MOST_CONTEXT = 10**9
_STATUSES = frozenset({400, 413, 422, 500})


@dataclass(frozen=True, slots=True)
class Overflow:
    """``limit`` is the model's context in tokens, None when the server does not say."""

    limit: int | None


def overflow_of(status: int | None, body: object) -> Overflow | None:
    """Return the overflow that an error speaks of, None if it is about something else.

    ``status`` is None for an error inside of a stream.
    """
    if status is not None and status not in _STATUSES:
        return None
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    details = inner if isinstance(inner, Mapping) else {}
    words = server_words(body)
    named = details.get("code") in _CODES or details.get("type") in _CODES
    if not named and not _WORDS.search(words) and status != 413:
        return None
    context = details.get("n_ctx")
    if isinstance(context, int) and not isinstance(context, bool) and 0 < context < _MOST_CONTEXT:
        return Overflow(context)
    match = _LIMIT.search(words)
    return Overflow(int(match[1].replace(",", "")) if match else None)
