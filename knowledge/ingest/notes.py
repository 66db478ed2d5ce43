"""Marks of footnotes in canonical text: '[^1]' in a sentence, and in front of the note it means.

The caret keeps them apart from the [1] of an answer's citation.
"""

from __future__ import annotations

import re

from .sentences import sentence_spans
from .tokens import trimmed
from .tree import Leaf, NodeKind, Span

MARK = re.compile(r"\[\^[^\[\]\s^]{1,60}\]")
_IN_FRONT = re.compile(rf"{MARK.pattern}:?[ \t]*")
_SPACED = re.compile(rf"[ \t]*{MARK.pattern}")


def note_leaf(text: str, span: Span, language: str) -> Leaf:
    """Return the leaf of a note, whose sentences begin behind its mark; all of it without one."""
    mark = _IN_FRONT.match(text, span.start, span.end)
    said = trimmed(text, Span(mark.end(), span.end)) if mark else span
    if not len(said):
        said = span
    inside = sentence_spans(said.of(text), language)
    return Leaf(NodeKind.PARAGRAPH, span, tuple(one.shifted(said.start) for one in inside))


def without_marks(text: str) -> str:
    """Return ``text`` without the marks of notes, nor the spaces in front of them."""
    return _SPACED.sub("", text)
