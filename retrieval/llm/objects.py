"""The JSON object in a model's text: in a fence, after a thought, with commas too many, cut off."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import cast

from retrieval.llm.storable import storable_value

THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_MOST_STARTS = 50
_MOST_CUTS = 20
_CLOSERS = {"{": "}", "[": "]"}
# Without strict, line ends may stand in strings; NaN and Infinity are no JSON and no database's.
_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: None)


def parse_object(
    text: str, expected: Collection[str] = (), *, cut: bool = True
) -> dict[str, object] | None:
    """Return the object in ``text`` that has the most of the ``expected`` keys, None without any.

    Whole objects go before a repaired one; without ``cut``, one that lacks its end is none. Where
    keys are expected, an object without one of them is no answer.
    """
    text = THOUGHT.sub("", text)
    wanted = frozenset(expected)
    found = _whole_objects(text)
    if not any(wanted & item.keys() for item in found):
        repaired = _repaired_object(text, cut)
        found += [repaired] if repaired else []
    best = max(found, key=lambda item: len(wanted & item.keys()), default=None)
    if best is None or (wanted and not wanted & best.keys()):
        return None
    return cast(dict[str, object], storable_value(best))


def _whole_objects(text: str) -> list[dict[str, object]]:
    found = []
    position = text.find("{")
    for _ in range(_MOST_STARTS):
        if position < 0:
            break
        try:
            value, end = _DECODER.raw_decode(text, position)
            found.append(value)
        except (ValueError, RecursionError):
            end = position + 1
        position = text.find("{", end)
    return found


def _repaired_object(text: str, cut: bool) -> dict[str, object] | None:
    start = text.find("{")
    if start < 0:
        return None
    body, closers = _closed(text[start:])
    if closers and not cut:
        return None
    for _ in range(_MOST_CUTS):
        for ending in ("", "null", ": null"):
            try:
                value = _DECODER.decode(body + ending + closers)
            except (ValueError, RecursionError):
                continue
            return value if isinstance(value, dict) else None
        # The end is half a key or a number's sign: give up its last item.
        kept = body.rpartition(",")[0]
        if not kept:
            return None
        body, closers = _closed(kept)
    return None


def _closed(text: str) -> tuple[str, str]:
    """Return the text up to the end of its first object, and the closers it lacks."""
    kept: list[str] = []
    stack: list[str] = []
    quoted = escaped = False
    for character in text:
        if quoted:
            kept.append(character)
            quoted = escaped or character != '"'
            escaped = character == "\\" and not escaped
            continue
        if character in "}]":
            _drop_comma(kept)
            if stack and stack[-1] == character:
                stack.pop()
            else:  # a closer of nothing
                continue
        elif character in "{[":
            stack.append(_CLOSERS[character])
        quoted = character == '"'
        kept.append(character)
        if not stack:
            break
    body = "".join(kept)
    if quoted:
        body = re.sub(r"\\(?:u[0-9a-fA-F]{0,3})?\Z", "", body) if escaped else body
        body = re.sub(r"(?<!\\)((?:\\\\)*)\\u[0-9a-fA-F]{0,3}\Z", r"\1", body) + '"'
    else:
        body = body.rstrip().rstrip(",")
    return body, "".join(reversed(stack))


def _drop_comma(kept: list[str]) -> None:
    while kept and kept[-1].isspace():
        kept.pop()
    if kept and kept[-1] == ",":
        kept.pop()
