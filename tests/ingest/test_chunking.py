"""What is packed together, and what is cut."""

from __future__ import annotations

import pytest

from knowledge.ingest.flatten import flatten
from knowledge.ingest.tokens import count_tokens, split_by_tokens
from knowledge.ingest.tree import NodeKind
from tests.ingest.trees import assert_chunks_are_sound, chunks_of, read

SENTENCE = "The quick brown fox jumps over the lazy dog near the river bank. "


def test_small_leaves_of_one_section_share_a_chunk_and_sections_do_not() -> None:
    chunks = chunks_of(read("# T\n\n## A\n\none\n\ntwo\n\n## B\n\nthree\n"))
    assert [(chunk.path, chunk.text) for chunk in chunks] == [
        ("a/c1", "one\n\ntwo"),
        ("b/c1", "three"),
    ]
    assert chunks[0].headings == ("T", "A")


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    chunks = chunks_of(read(SENTENCE * 100), target_tokens=100)
    assert len(chunks) > 10
    assert all(chunk.text.startswith("The quick") for chunk in chunks)
    assert all(chunk.text.endswith("bank.") for chunk in chunks)
    assert all(chunk.tokens <= 125 for chunk in chunks)


def test_a_table_is_cut_between_rows_and_each_keeps_its_headers() -> None:
    rows = "".join(f"| Product {n} | {n * 10} | {n * 100} |\n" for n in range(200))
    document = read(f"# T\n\n| Name | Price | Stock |\n|---|---|---|\n{rows}")
    chunks = chunks_of(document, target_tokens=120)
    assert len(chunks) > 5
    for chunk in chunks:
        assert chunk.text.endswith("|")
        lines = chunk.index_text.split("\n")
        assert all("Price: " in line and "Stock: " in line for line in lines)
        assert "---" not in chunk.index_text
    assert "|---|" in chunks[0].text


@pytest.mark.parametrize("caption", ["Table 1: Prices", "The prices are as follows:"])
def test_a_caption_moves_on_with_its_table(caption: str) -> None:
    filler = SENTENCE * 6
    table = "| Name | Price |\n|---|---|\n" + "| Pen | 2 |\n" * 10
    chunks = chunks_of(read(f"{filler}\n\n{caption}\n\n{table}"), target_tokens=100)
    assert chunks[-1].text.startswith(caption)
    assert chunks[-1].index_text.startswith(f"{caption}\nPen | Price: 2")


def test_code_is_cut_between_lines() -> None:
    lines = "".join(f"value_{n} = compute({n})\n" for n in range(200))
    chunks = chunks_of(read(f"```\n{lines}```\n"), target_tokens=100)
    assert len(chunks) > 5
    assert all("\n" not in chunk.text.split("value_")[-1].rstrip("`\n") for chunk in chunks)
    assert all(chunk.text.startswith(("```", "value_")) for chunk in chunks)


@pytest.mark.parametrize(
    "text",
    [
        '{"key":"value","number":12345},' * 230,
        "今天天气很好我们去公园" * 600,
        "x" * 7_000,
        "🦜" * 3_000,
        "https://example.org/" + "a/b-c" * 1_500,
    ],
)
@pytest.mark.parametrize("suffix", ["md", "txt"])
def test_text_without_spaces_is_cut_by_tokens_and_none_is_lost(text: str, suffix: str) -> None:
    document = read(text, f"file.{suffix}")
    nodes = flatten(document)
    chunks = chunks_of(document, max_tokens=300, target_tokens=200)
    assert_chunks_are_sound(document, nodes, chunks, 300)
    assert "".join(chunk.text for chunk in chunks) == text


def test_a_row_longer_than_a_chunk_is_cut_too() -> None:
    wide = "| " + "word " * 900 + "| x |"
    document = read(f"| A | B |\n|---|---|\n| a | b |\n{wide}\n")
    chunks = chunks_of(document, max_tokens=200, target_tokens=100)
    assert_chunks_are_sound(document, flatten(document), chunks, 200)


def test_a_heading_without_text_is_a_chunk_of_its_own() -> None:
    chunks = chunks_of(read("# T\n\n## Refunds take 30 days\n\n## B\n\nx\n"))
    assert [(chunk.path, chunk.text) for chunk in chunks] == [
        ("refunds-take-30-days/c1", "## Refunds take 30 days"),
        ("b/c1", "x"),
    ]
    assert chunks_of(read("# Only a title\n"))[0].text == "# Only a title"


def test_equal_text_has_equal_hashes_and_a_change_reaches_the_root_only() -> None:
    before = flatten(read("# T\n\n## A\n\none\n\n## B\n\ntwo\n"))
    after = flatten(read("# T\n\n## A\n\nONE\n\n## B\n\ntwo\n"))
    same = {node.path: node.content_hash for node in before}
    changed = {node.path for node in after if same[node.path] != node.content_hash}
    assert changed == {"", "a", "a/p1"}
    assert [node.stable_key for node in before] == [node.stable_key for node in after]


def test_stable_keys_survive_text_added_elsewhere() -> None:
    before = {node.path: node for node in flatten(read("# T\n\n## B\n\ntwo\n"))}
    after = {
        node.path: node for node in flatten(read("# T\n\nnew\n\n## A\n\n- x\n\n## B\n\ntwo\n"))
    }
    assert before["b/p1"].stable_key == after["b/p1"].stable_key


def test_leaf_names_count_paragraphs_tables_and_figures_apart() -> None:
    source = "a\n\n![x](y)\n\n- l\n\n|a|\n|-|\n|b|\n\n```\nc\n```\n\n![x](y)\n"
    nodes = flatten(read(source))
    assert [(node.path, node.kind) for node in nodes[1:]] == [
        ("p1", NodeKind.PARAGRAPH),
        ("f1", NodeKind.FIGURE),
        ("p2", NodeKind.LIST),
        ("t1", NodeKind.TABLE),
        ("p3", NodeKind.CODE),
        ("f2", NodeKind.FIGURE),
    ]


def test_duplicate_titles_have_different_paths() -> None:
    nodes = flatten(read("# T\n\n## Setup\n\na\n\n## Setup\n\nb\n\n## P1\n\nc\n"))
    paths = [node.path for node in nodes if node.kind is NodeKind.SECTION]
    assert paths == ["setup", "setup-2", "p1-section"]


@pytest.mark.parametrize("sizes", [{"max_tokens": 8}, {"target_tokens": 3}])
def test_sizes_too_small_to_hold_anything_are_refused(sizes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="16"):
        chunks_of(read("x"), **sizes)


def test_special_tokens_in_a_document_count_as_text() -> None:
    assert count_tokens("<|endoftext|>") > 1
    assert split_by_tokens("", 10) == []
    with pytest.raises(ValueError, match="code point"):
        split_by_tokens("a", 3)
