"""The JSON object in a model's text: in a fence, after a thought, with commas too many, cut off."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import cast

from retrieval.llm.storable import storable_value

# One without an end is a thought to the last word; only where an object follows at once is the
# mark all that a server let through.
THOUGHT = re.compile(r"\A\s*<think(?:ing)?>(?:.*?</think(?:ing)?>|(?!\s*\{).*\Z)", re.DOTALL)
_LONGEST = 200_000
_MOST_STARTS = 50
_MOST_ENDLESS = 3
_MOST_CUTS = 5
_CLOSERS = {"{": "}", "[": "]"}
# Without strict, line ends may stand in strings; NaN and Infinity are no JSON and no database's.
_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: None)


@dataclass(frozen=True, slots=True)
class _Closed:
    """An object's text, the closers it lacks, and how many characters were read."""

    body: str
    closers: str
    length: int


def parse_object(
    text: str, expected: Collection[str] = (), *, cut: bool = True
) -> dict[str, object] | None:
    """Return the object in ``text`` that has the most of the ``expected`` keys, None without any.

    Of equals the last: what stands before it are drafts. An object may be wrapped in another, as
    {"reply": {...}}. With ``cut`` an object that lacks its end counts as far as it goes; a string
    that broke off is null, for half a sentence may say the opposite of the whole. Where keys are
    expected, an object without one of them is no answer.
    """
    text = THOUGHT.sub("", text[:_LONGEST])
    wanted = frozenset(expected)
    found = [*_objects(text, cut)]
    if wanted:  # else any is as good as another, and the whole comes before its parts
        found.reverse()
        found += [part for one in found for part in one.values() if isinstance(part, dict)]
    best = max(found, key=lambda item: len(wanted & item.keys()), default=None)
    if best is None or (wanted and not wanted & best.keys()):
        return None
    return cast(dict[str, object], storable_value(best))


def _objects(text: str, cut: bool) -> Iterator[dict[str, object]]:
    """Yield the objects of ``text`` from left to right, one without an end before those in it."""
    position = text.find("{")
    endless = 0
    for _ in range(_MOST_STARTS):
        if position < 0 or endless == _MOST_ENDLESS:
            return
        value, end = _object_at(text, position, cut)
        if value is not None:
            yield value
        if end is None:
            if not cut:  # all that follows is a part of it
                return
            endless += 1
        position = text.find("{", position + 1 if end is None else end)


def _object_at(text: str, position: int, cut: bool) -> tuple[dict[str, object] | None, int | None]:
    """Return the object that begins at ``position`` and its end, None when it has none."""
    try:
        return _DECODER.raw_decode(text, position)
    except (ValueError, RecursionError):
        closed = _closed(text[position:])
    if closed.closers:
        return (_completed(closed) if cut else None), None
    return _decoded(closed.body), position + closed.length


def _completed(closed: _Closed) -> dict[str, object] | None:
    """Return an object that broke off, without its last item where that is half a word."""
    for _ in range(_MOST_CUTS):
        for ending in ("", "null", ": null"):
            value = _decoded(closed.body + ending + closed.closers)
            if value is not None:
                return value
        kept = closed.body.rpartition(",")[0]
        if not kept:
            return None
        closed = _closed(kept)
    return None


def _decoded(text: str) -> dict[str, object] | None:
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _closed(text: str) -> _Closed:
    """Return the first object of ``text`` without commas too many, and the closers it lacks.

    The string that it breaks off in is null.
    """
    kept: list[str] = []
    stack: list[str] = []
    quoted = escaped = False
    length = opened = 0
    for length, character in enumerate(text, 1):  # noqa: B007 # counted beyond the loop
        if quoted:
            kept.append(character)
            quoted = escaped or character != '"'
            escaped = character == "\\" and not escaped
            continue
        if character in "}]":
            _drop_comma(kept)
            if not stack or stack[-1] != character:  # a closer of nothing
                continue
            stack.pop()
        elif character in "{[":
            stack.append(_CLOSERS[character])
        quoted = character == '"'
        opened = len(kept)
        kept.append(character)
        if not stack:
            break
    body = "".join(kept[:opened]) + "null" if quoted else "".join(kept).rstrip().rstrip(",")
    return _Closed(body, "".join(reversed(stack)), length)


def _drop_comma(kept: list[str]) -> None:
    while kept and kept[-1].isspace():
        kept.pop()
    if kept and kept[-1] == ",":
        kept.pop()
