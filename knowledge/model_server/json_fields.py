"""Fields of what a server sent: none is taken to be there, or to be of its type."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence


def parsed(body: object) -> object:
    """Return a body as a JSON value: the openai package leaves one of another content type a text.

    Raises ValueError and RecursionError.
    """
    return json.loads(body) if isinstance(body, str) else body


def mapping(value: object) -> Mapping[str, object]:
    """Return an object, an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


def items(value: object) -> Sequence[object]:
    """Return the items of an array, none of anything else."""
    return value if isinstance(value, list) else ()


def text(value: object) -> str:
    """Return a text, or the texts of the parts that some servers send instead; else ''."""
    if isinstance(value, str):
        return value
    return "".join(
        part for item in items(value) if isinstance(part := mapping(item).get("text"), str)
    )
