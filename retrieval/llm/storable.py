"""Model output as a database takes it."""

from __future__ import annotations

import math


def storable(text: str) -> str:
    """Return the text without what PostgreSQL and UTF-8 refuse: NUL and lone surrogates."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def storable_value(value: object) -> object:
    """Return a JSON value with every text in it storable, and null for an infinite number."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [storable_value(item) for item in value]
    if isinstance(value, dict):
        return {storable(str(name)): storable_value(item) for name, item in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value
