"""What a server said about a failure, without the key."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

LONGEST = 500
_DEEPEST = 5
_KEY_LIKE = re.compile(r"\b(?:sk|pk|key)-[\w*.-]{4,}|(?<=Bearer )\S+")


def server_words(body: object, secret: str = "", longest: int = LONGEST) -> str:
    """Return the message in the body of an error, cut to ``longest`` characters.

    Bodies are ``{"error": {"message": ...}}``, ``{"error": "..."}``, ``{"message": ...}``,
    ``{"detail": ...}``, or no JSON. Servers repeat keys in their messages, so the key goes, and
    so does whatever looks like one.
    """
    text = _message(body)
    if secret:
        text = text.replace(secret, "[key]")
    return _KEY_LIKE.sub("[key]", text)[:longest]


def _message(body: object) -> str:
    for _ in range(_DEEPEST):
        if not isinstance(body, Mapping):
            break
        body = next((body[name] for name in ("error", "message", "detail") if body.get(name)), None)
    if isinstance(body, str | None):
        return body or ""
    try:
        return json.dumps(body, ensure_ascii=False, default=str)
    except RecursionError:
        return "(nested too deeply)"
