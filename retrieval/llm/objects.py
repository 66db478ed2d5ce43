"""The JSON object in what a model wrote, however it wrapped it."""

from __future__ import annotations

import json
import re

_FENCE = re.compile(r"```(?:json)?\s*(.*?)(?:```|\Z)", re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_LONGEST = 200_000


def parse_object(text: str) -> dict[str, object] | None:
    """Return the first JSON object of ``text``, None if there is none.

    Words and code fences around it, and trailing commas in it, are passed over.
    """
    text = text[:_LONGEST]
    for candidate in (text, *_FENCE.findall(text)):
        start = candidate.find("{")
        if start < 0:
            continue
        found = _decoded(candidate[start:])
        if found is not None:
            return found
    return None


def _decoded(text: str) -> dict[str, object] | None:
    for attempt in (text, _TRAILING_COMMA.sub(r"\1", text)):
        try:
            value, _ = json.JSONDecoder(strict=False).raw_decode(attempt)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return None
