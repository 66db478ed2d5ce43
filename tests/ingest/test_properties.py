"""What holds for any document: made of random blocks, of Markdown soup, of any characters."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.ingest.chunking import chunk
from knowledge.ingest.flatten import flatten
from knowledge.ingest.parsers import parse
from knowledge.ingest.preflight import Refused
from knowledge.ingest.tokens import count_tokens, split_by_tokens
from knowledge.ingest.tree import NodeKind, ParsedDocument
from tests.ingest.trees import assert_chunks_are_sound, assert_tree_is_sound

PIECES = st.sampled_from(
    [
        *("# ", "## ", "###### ", "####### ", "#\n", "---\n", "===\n", "***\n", "```", "~~~\n"),
        *("> ", "- ", "1. ", "  ", "    ", "\t", "\n", "\n\n", "|", "|-|-|\n", "a|b\n-|-\n"),
        *("<div>\n", "<!-- ", "-->", "![a](b)", "[", "]", "](", "[x]: y\n", "\\", "`", "*", "_"),
        *("title: x\n", "...\n", "P3", "Table 1", "e.g. ", "Fig. ", "word ", "A sentence. ", "😀"),
        *("e\u0301", "世界。", "Привет. ", "שלום ", "\u200f", "\u2028", "\r\n", "\f", "0", "“"),
        *(
            "<b>",
            "</b>",
            "<br>",
            "<p>",
            "<pre>",
            "<table><tr><td>x\n",
            "</table>\n",
            "<h2>y</h2>\n",
        ),
        *("CAPITALS\n", "1.1 Title\n", "第一章 总则\n", "一、甲\n", "x" * 90, "long text " * 30),
    ]
)
SOUP = st.lists(PIECES, max_size=60).map("".join)
SIZES = st.tuples(st.integers(16, 200), st.integers(16, 200))
RELAXED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def parsed(source: str, suffix: str) -> ParsedDocument | None:
    try:
        return parse(source.encode(), f"file.{suffix}")
    except Refused:
        return None


def assert_sound(source: str, suffix: str, sizes: tuple[int, int]) -> None:
    document = parsed(source, suffix)
    if document is None:
        return
    assert document == parsed(source, suffix)
    nodes = flatten(document)
    assert_tree_is_sound(document, nodes)
    chunks = chunk(document, nodes, max_tokens=sizes[0], target_tokens=sizes[1])
    assert chunks
    assert_chunks_are_sound(document, nodes, chunks, sizes[0])


@pytest.mark.parametrize("suffix", ["md", "txt"])
@given(source=SOUP, sizes=SIZES)
@RELAXED
def test_any_soup_gives_a_sound_tree_and_sound_chunks(
    suffix: str, source: str, sizes: tuple[int, int]
) -> None:
    assert_sound(source, suffix, sizes)


@pytest.mark.parametrize("suffix", ["md", "txt"])
@given(source=st.text(max_size=300), sizes=SIZES)
@RELAXED
def test_any_characters_give_a_sound_tree_and_sound_chunks(
    suffix: str, source: str, sizes: tuple[int, int]
) -> None:
    assert_sound(source, suffix, sizes)


@given(data=st.binary(max_size=300))
@RELAXED
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        document = parse(data, "file.txt")
    except Refused:
        return
    assert "\r" not in document.text
    assert not any(ord(character) < 32 and character not in "\n\t" for character in document.text)


@pytest.mark.parametrize("suffix", ["md", "txt"])
@given(source=SOUP)
@RELAXED
def test_no_letter_is_lost_between_headings_and_leaves(suffix: str, source: str) -> None:
    document = parsed(source, suffix)
    if document is None:
        return
    spans = [leaf.span for leaf in document.root.leaves()]
    spans += [section.heading for section in document.root.sections() if section.heading]
    spans += [document.root.heading] if document.root.heading else []
    spans.sort()
    start = spans[0].start if document.text.startswith("---") else 0
    for span in spans:
        assert not any(character.isalnum() for character in document.text[start : span.start])
        start = max(start, span.end)
    assert not any(character.isalnum() for character in document.text[start:])


@given(text=st.text(max_size=300), limit=st.integers(4, 40))
@RELAXED
def test_pieces_cut_by_tokens_keep_the_limit_and_lose_nothing(text: str, limit: int) -> None:
    position = 0
    for span in split_by_tokens(text, limit):
        assert text[position : span.start].strip() == ""
        assert 0 < count_tokens(span.of(text)) <= limit
        position = span.end
    assert text[position:].strip() == ""


@given(source=SOUP)
@RELAXED
def test_sections_nest_by_level(source: str) -> None:
    document = parsed(source, "md")
    if document is None:
        return
    for section in [document.root, *document.root.sections()]:
        for child in section.children:
            assert getattr(child, "level", 99) > section.level
    kinds = {node.kind for node in flatten(document)}
    assert NodeKind.DOCUMENT in kinds
