"""Token counts of the o200k_base vocabulary, offline, through ``bpe-openai``."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from typing import Protocol, cast

from .tree import Span

ENCODING = "o200k_base"

# A window this long per token is encoded to find where the limit falls. English has four to five
# characters a token; a window that turns out too short only makes a piece smaller.
_WINDOW_PER_TOKEN = 6
# A code point is at most four bytes and so four tokens; below that nothing can be guaranteed.
MIN_LIMIT = 4


class _Vocabulary(Protocol):
    def count(self, text: str) -> int: ...

    def encode(self, text: str) -> list[int]: ...

    def decode(self, tokens: list[int]) -> str: ...


@cache
def _vocabulary() -> _Vocabulary:
    # The wheel's compiled half: its Python half refuses more than 200,000 tokens at a time and
    # encodes the text twice.
    with warnings.catch_warnings():
        # The wheel reads its files by a function that Python 3.11 calls deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        from bpe_openai import _bindings

    load = cast(Callable[[str], _Vocabulary], _bindings.tokenizer_for_encoding)
    return load(ENCODING)


def count_tokens(text: str) -> int:
    """Return the number of o200k_base tokens of ``text``; special tokens count as plain text."""
    return _vocabulary().count(text) if text else 0


def split_by_tokens(text: str, limit: int) -> list[Span]:
    """Return spans of at most ``limit`` tokens each that cover every non-space character.

    Cuts after white space where there is some in the last fifth of a piece. Linear in the length
    of ``text``, spaces or not. Raises ValueError when ``limit`` is below 4.
    """
    if limit < MIN_LIMIT:
        raise ValueError(f"A limit of {limit} tokens is below one code point's")
    pieces = []
    position = 0
    while position < len(text):
        end = _end_of_piece(text, position, limit)
        piece = trimmed(text, Span(position, end))
        if len(piece):
            pieces.append(piece)
        position = end
    return pieces


def trimmed(text: str, span: Span) -> Span:
    """Return ``span`` without white space at either end; empty when there is nothing else."""
    part = text[span.start : span.end]
    start = span.start + len(part) - len(part.lstrip())
    return Span(start, max(start, span.end - (len(part) - len(part.rstrip()))))


def _end_of_piece(text: str, start: int, limit: int) -> int:
    window = text[start : start + limit * _WINDOW_PER_TOKEN]
    whole = start + len(window) == len(text)
    if count_tokens(window) <= limit:
        return start + len(window if whole else _to_space(window))
    tokens = _vocabulary().encode(window)
    size = limit
    while True:
        part = window[: _characters(tokens, size)]
        cut = _to_space(part)
        if count_tokens(cut.strip()) <= limit or len(cut) == 1:
            return start + len(cut)
        # A prefix may encode worse than it did inside the window; rare, so step down.
        size = max(1, size - 1 - size // 16)


def _characters(tokens: list[int], size: int) -> int:
    """Return how many whole characters the first ``size`` tokens hold, one at least."""
    while size:
        try:
            return max(1, len(_vocabulary().decode(tokens[:size])))
        except ValueError:  # the cut goes through a character
            size -= 1
    return 1


def _to_space(part: str) -> str:
    for position in range(len(part) - 1, len(part) - 1 - len(part) // 5, -1):
        if part[position].isspace():
            return part[: position + 1]
    return part
