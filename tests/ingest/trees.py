"""A document as an indented outline, and the rules every tree and every chunking keeps."""

from __future__ import annotations

import re

from knowledge.ingest.chunking import ChunkDraft, chunk
from knowledge.ingest.flatten import NodeDraft, flatten
from knowledge.ingest.parsers import parse
from knowledge.ingest.paths import format_uri, is_ancestor, parse_uri
from knowledge.ingest.tokens import count_tokens
from knowledge.ingest.tree import NodeKind, ParsedDocument, Section

INNER = (NodeKind.DOCUMENT, NodeKind.SECTION)


def read(source: str | bytes, filename: str = "file.md") -> ParsedDocument:
    """Return the parsed ``source``."""
    return parse(source.encode() if isinstance(source, str) else source, filename)


def outline(document: ParsedDocument) -> list[str]:
    """Return one line per node below the root: sections as '## title', leaves as 'kind: text'."""
    return _outline(document, document.root, 0)


def _outline(document: ParsedDocument, section: Section, depth: int) -> list[str]:
    lines = []
    for child in section.children:
        if isinstance(child, Section):
            lines.append("  " * depth + f"# {child.title}")
            lines += _outline(document, child, depth + 1)
        else:
            text = " ".join(child.span.of(document.text).split())
            lines.append("  " * depth + f"{child.kind}: {text}")
    return lines


def chunks_of(document: ParsedDocument, **sizes: int) -> tuple[ChunkDraft, ...]:
    """Return the chunks of ``document``."""
    return chunk(document, flatten(document), **sizes)


def assert_tree_is_sound(document: ParsedDocument, nodes: tuple[NodeDraft, ...]) -> None:
    """Spans nest and follow each other, paths are unique and are addresses, sums add up."""
    assert [node.ordinal for node in nodes] == list(range(len(nodes)))
    assert nodes[0].kind is NodeKind.DOCUMENT
    assert nodes[0].path == ""
    assert len({node.path for node in nodes}) == len(nodes)
    assert len({node.stable_key for node in nodes}) == len(nodes)
    ends: dict[int, int] = {}
    for node in nodes[1:]:
        assert node.parent is not None
        parent = nodes[node.parent]
        assert parent.ordinal < node.ordinal
        assert parent.kind in INNER
        assert parent.depth + 1 == node.depth
        assert parent.span.start <= node.span.start < node.span.end <= parent.span.end
        assert ends.get(node.parent, 0) <= node.span.start
        ends[node.parent] = node.span.end
        assert is_ancestor(parent.path, node.path)
        uri = format_uri("base", "document", node.path)
        assert parse_uri(uri).path == node.path
    for node in nodes:
        assert_sentences_are_sound(document.text, node)


def assert_sentences_are_sound(text: str, node: NodeDraft) -> None:
    """Sentences and rows lie inside their leaf, in order; prose is covered by its sentences."""
    position = node.span.start
    for span in [*node.sentences, *(row.span for row in node.rows)]:
        assert position <= span.start < span.end <= node.span.end
        position = span.end
    if node.kind in (NodeKind.PARAGRAPH, NodeKind.LIST, NodeKind.FIGURE):
        rest = uncovered(text, node, [(span.start, span.end) for span in node.sentences])
        # What is quoted of a footnote does not begin with its mark.
        assert rest == "" or re.fullmatch(r"\[\^?[^\[\]]+\]", rest)


def assert_chunks_are_sound(
    document: ParsedDocument,
    nodes: tuple[NodeDraft, ...],
    chunks: tuple[ChunkDraft, ...],
    most: int,
) -> None:
    """Chunks keep the limit, stay in their section, and cover every leaf."""
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert len({chunk.path for chunk in chunks} | {node.path for node in nodes}) == (
        len(chunks) + len(nodes)
    )
    position = 0
    for draft in chunks:
        assert position <= draft.span.start < draft.span.end
        position = draft.span.end
        assert draft.text == draft.span.of(document.text)
        assert draft.tokens == count_tokens(draft.text) <= most
        assert count_tokens(draft.index_text) <= most
        owner = nodes[draft.owner]
        assert owner.kind in INNER
        assert owner.title == draft.headings[-1]
        assert len(draft.headings) == owner.depth + 1
        for leaf in nodes[draft.first_leaf : draft.last_leaf + 1]:
            assert leaf.parent == owner.ordinal or leaf is owner
    spans = [(draft.span.start, draft.span.end) for draft in chunks]
    for node in nodes:
        if node.kind not in INNER:
            assert uncovered(document.text, node, spans) == ""


def uncovered(text: str, node: NodeDraft, spans: list[tuple[int, int]]) -> str:
    """Return the non-space characters of ``node`` that no span holds."""
    covered: set[int] = set()
    for start, end in spans:
        covered.update(range(max(start, node.span.start), min(end, node.span.end)))
    return "".join(
        text[place]
        for place in range(node.span.start, node.span.end)
        if place not in covered and not text[place].isspace()
    )
