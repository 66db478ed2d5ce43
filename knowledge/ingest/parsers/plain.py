"""What the parsers of plain-text formats share: titles from names, leaves from line ranges."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from knowledge.ingest.decoding import Decoded
from knowledge.ingest.outline import Heading, assemble
from knowledge.ingest.preflight import Refused, Verdict
from knowledge.ingest.sentences import sentence_spans
from knowledge.ingest.tokens import trimmed
from knowledge.ingest.tree import Leaf, NodeKind, ParsedDocument, Span

# A line that starts an item of a list, quoted or not.
_ITEM = re.compile(
    r"[ \t\u3000>]*(?:[-*+•–·]|\d{1,9}(?:\.\d{1,3}){0,8}[.)]|[^\W\d_]\)|\(\w{1,4}\))"
    r"(?:[ \t\u3000]|(?=\n)|\Z)"
)

# Word lets authors choose the marks of notes.
_NOTE_MARK = re.compile(r"\[\^?[^\[\]\n]{1,20}\]")


class Lines:
    """The lines of a text by number, from 0; only \\n ends one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0]
        position = text.find("\n")
        while position >= 0:
            self._starts.append(position + 1)
            position = text.find("\n", position + 1)
        self._starts.append(len(text) + 1)

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, number: int) -> str:
        return self.text[self._starts[number] : self._starts[number + 1] - 1]

    def head(self, number: int, most: int) -> str:
        """Return the first ``most`` characters of a line; cheap however long it is."""
        start = self._starts[number]
        return self.text[start : min(start + most, self._starts[number + 1] - 1)]

    def span(self, first: int, stop: int) -> Span:
        """Return the span of lines ``first`` to ``stop`` (not included), without its last \\n."""
        last = min(stop, len(self))
        return Span(self._starts[first], max(self._starts[first], self._starts[last] - 1))

    def trimmed(self, first: int, stop: int) -> Span:
        """Return the same span without blank space at its ends; empty when that is all."""
        return trimmed(self.text, self.span(first, stop))


def title_from_name(filename: str) -> str:
    """Return a readable title from a file name: no folders, no suffix, no underscores."""
    stem = PurePosixPath(filename.replace("\\", "/")).stem
    return " ".join(stem.replace("_", " ").split()) or "Untitled"


def prose_leaf(kind: NodeKind, text: str, span: Span, language: str) -> Leaf:
    """Return a leaf whose sentences are those of its prose."""
    inside = sentence_spans(span.of(text), language)
    return Leaf(kind, span, tuple(sentence.shifted(span.start) for sentence in inside))


def note_leaf(text: str, span: Span, language: str) -> Leaf:
    """Return the leaf of a footnote; its sentences begin behind the mark in front of it."""
    mark = _NOTE_MARK.match(text, span.start, span.end)
    said = trimmed(text, Span(mark.end(), span.end)) if mark else span
    if not len(said):
        return prose_leaf(NodeKind.PARAGRAPH, text, span, language)
    return Leaf(
        NodeKind.PARAGRAPH, span, prose_leaf(NodeKind.PARAGRAPH, text, said, language).sentences
    )


def list_leaf(text: str, span: Span, language: str) -> Leaf:
    """Return a list whose sentences never go from one item, or block, into the next."""
    sentences: list[Span] = []
    start = end = span.start
    for line in line_spans(text, span):
        apart = text.count("\n", end, line.start) > 1
        if line.start > start and (apart or _ITEM.match(text, line.start)):
            sentences += prose_leaf(NodeKind.LIST, text, Span(start, end), language).sentences
            start = line.start
        end = line.end
    sentences += prose_leaf(NodeKind.LIST, text, Span(start, end), language).sentences
    return Leaf(NodeKind.LIST, span, tuple(sentences))


def line_spans(text: str, span: Span) -> tuple[Span, ...]:
    """Return the trimmed spans of the lines of ``span`` that are not blank."""
    spans = []
    start = span.start
    while start < span.end:
        end = text.find("\n", start, span.end)
        end = span.end if end < 0 else end
        line = trimmed(text, Span(start, end))
        if len(line):
            spans.append(line)
        start = end + 1
    return tuple(spans)


def document(
    decoded: Decoded,
    blocks: Sequence[Heading | Leaf],
    *,
    filename: str,
    title: str,
    language: str,
    parser: str,
    version: str,
    remarks: tuple[str, ...] = (),
) -> ParsedDocument:
    """Return the finished document; ``title`` is what its metadata states, or ''.

    Raises `Refused` when there is neither a heading nor a leaf.
    """
    if not blocks:
        raise Refused(Verdict.EMPTY, "The document holds no text besides its metadata.")
    root = assemble(decoded.text, blocks, title=title)
    return ParsedDocument(
        text=decoded.text,
        title=root.title or title_from_name(filename),
        language=language,
        root=root,
        parser=parser,
        parser_version=version,
        pages=None,
        warnings=decoded.warnings,
        remarks=remarks,
    )
