"""The sentences, rows and lines of the evidence that can be quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from knowledge.ingest.note_marks import without_marks
from retrieval.agent.evidence import Block, Context, EvidenceLeaf, Offsets
from retrieval.agent.tables import readable_row

# Longer than this, it is no sentence that anybody reads as an answer.
_LONGEST = 1200
_LIST_MARK = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)]|\(?[a-z]\))\s+")
_COMMENT = re.compile(r"\s*(?:#|//|--|;|%)")
_EMPHASIS = re.compile(r"(\*\*|__|\*|`)(?=\S)(.+?)(?<=\S)\1")
# Struck out, it holds no more. What is left of a pair that a sentence was cut from says nothing.
_STRUCK = re.compile(r"~~(?=\S).+?(?<=\S)~~")
_CLOSING = re.compile(r"(?:~~|\*\*|__)\s+")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A quotable unit: offsets in the version's text, the verbatim words, and what is shown.

    ``position`` counts the candidates of its leaf from 0.
    """

    block: Block
    leaf: EvidenceLeaf
    start: int
    end: int
    text: str
    shown: str
    position: int

    @property
    def headings(self) -> str:
        """The path of titles that the words stand under."""
        return " > ".join((self.block.document_title, *self.block.headings))


def candidates_of(context: Context) -> tuple[Candidate, ...]:
    """Return every quotable unit of ``context`` in order."""
    return tuple(
        candidate
        for block in context.blocks
        for leaf in block.leaves
        for candidate in _of_leaf(block, leaf)
    )


def _of_leaf(block: Block, leaf: EvidenceLeaf) -> Iterator[Candidate]:
    position = 0
    for start, end in _spans(leaf):
        text = leaf.text[start - leaf.start : end - leaf.start]
        shown = _shown(leaf, text)
        if any(char.isalnum() for char in shown) and len(text) <= _LONGEST:
            yield Candidate(block, leaf, start, end, text, shown, position)
            position += 1


def _spans(leaf: EvidenceLeaf) -> Iterator[Offsets]:
    sentences = leaf.sentences or ((leaf.start, leaf.end),)
    if leaf.kind == "code":
        yield from _commented_lines(leaf, sentences)
        return
    for start, end in sentences:
        text = leaf.text[start - leaf.start : end - leaf.start]
        mark = _LIST_MARK.match(text) if leaf.kind == "list" else _CLOSING.match(text)
        skipped = mark.end() if mark else len(text) - len(text.lstrip())
        if text[skipped:].strip():
            yield start + skipped, start + len(text.rstrip())


def _commented_lines(leaf: EvidenceLeaf, lines: tuple[Offsets, ...]) -> Iterator[Offsets]:
    """Yield each line of code together with the comment above it, which says what it does."""
    began: int | None = None
    for start, end in lines:
        text = leaf.text[start - leaf.start : end - leaf.start]
        if _COMMENT.match(text):
            began = start if began is None else began
            continue
        yield (start if began is None else began), end
        began = None


def _shown(leaf: EvidenceLeaf, text: str) -> str:
    if leaf.kind == "code":
        return text.strip("\n")
    row = readable_row(leaf, text) if leaf.kind == "table" else text
    words = _STRUCK.sub(" ", without_marks(" ".join(row.split())))
    if "`" in words or "*" in words or "_" in words:
        words = _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", words))  # `code` inside **bold**
    return " ".join(_LINK.sub(r"\1", words).split())
