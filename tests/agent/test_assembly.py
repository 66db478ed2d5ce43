"""Evidence is whole, in reading order, each character once and never above the cap."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.ingest.tokens import count_tokens
from retrieval.agent.assembly import assemble
from tests.agent.evidence_factories import hit, section

TEXTS = [f"Paragraph number {n} speaks of topic {n}. It says a little more." for n in range(10)]
SECTION = section(TEXTS)


def leaf_texts(context):
    return [leaf.text for block in context.blocks for leaf in block.leaves]


def test_a_hit_comes_with_its_neighbours_under_its_headings():
    context = assemble([hit(1, SECTION, 4)], [SECTION])
    assert leaf_texts(context) == TEXTS[3:6]
    assert context.render().startswith("[E1] Document 1 > Section\nParagraph number 3")
    assert context.tokens == count_tokens(context.render())


def test_the_header_names_the_page_of_the_first_leaf():
    paged = section(TEXTS[:2], page=12)
    assert assemble([hit(1, paged, 0)], [paged]).blocks[0].header() == (
        "[E1] Document 1 > Section, p.12"
    )


def test_without_siblings_only_the_hit_is_taken():
    assert leaf_texts(assemble([hit(1, SECTION, 4)], [SECTION], sibling_leaves=0)) == [TEXTS[4]]


def test_overlapping_hits_are_merged_into_one_block():
    hits = [hit(1, SECTION, 2, 3), hit(2, SECTION, 3, 4)]
    context = assemble(hits, [SECTION], sibling_leaves=0)
    assert len(context.blocks) == 1
    assert leaf_texts(context) == TEXTS[2:5]


def test_distant_hits_of_a_section_are_two_blocks_in_reading_order():
    context = assemble([hit(1, SECTION, 8), hit(2, SECTION, 1)], [SECTION], sibling_leaves=0)
    assert [block.number for block in context.blocks] == [1, 2]
    assert leaf_texts(context) == [TEXTS[1], TEXTS[8]]


def test_a_section_hit_in_most_of_its_leaves_is_taken_whole():
    context = assemble([hit(1, SECTION, 0, 5)], [SECTION], sibling_leaves=0)
    assert leaf_texts(context) == TEXTS
    fewer = assemble([hit(1, SECTION, 0, 4)], [SECTION], sibling_leaves=0)
    assert leaf_texts(fewer) == TEXTS[:5]


def test_a_section_that_does_not_fit_whole_is_left_as_it_was_hit():
    cap = sum(leaf.tokens + 2 for leaf in SECTION.leaves[:6]) + 20
    context = assemble([hit(1, SECTION, 0, 5)], [SECTION], token_cap=cap, sibling_leaves=0)
    assert leaf_texts(context) == TEXTS[:6]


def test_a_long_paragraph_of_which_most_was_hit_has_no_hole():
    sentences = [f"Sentence {n} of the long paragraph tells of its own matter." for n in range(80)]
    long = section([" ".join(sentences), *TEXTS * 10])
    length = long.leaves[0].end
    parts = [(0, length // 3), (length // 3 + 400, length)]
    hits = [hit(rank, long, 0, start=a, end=b) for rank, (a, b) in enumerate(parts, 1)]
    context = assemble(hits, [long], sibling_leaves=0)
    assert leaf_texts(context) == [long.leaves[0].text]


def test_documents_come_in_the_order_of_their_best_hit():
    other = section(TEXTS[:3], version_id=2)
    hits = [hit(1, other, 2), hit(2, SECTION, 7), hit(3, SECTION, 1)]
    context = assemble(hits, [SECTION, other], sibling_leaves=0)
    assert [block.version_id for block in context.blocks] == [2, 1, 1]
    assert leaf_texts(context) == [TEXTS[2], TEXTS[1], TEXTS[7]]


def test_no_hit_gives_way_to_a_neighbour():
    hits = [hit(1, SECTION, 1), hit(2, SECTION, 5), hit(3, SECTION, 9)]
    bare = assemble(hits, [SECTION], sibling_leaves=0)
    context = assemble(hits, [SECTION], token_cap=bare.tokens + 12)
    assert {TEXTS[1], TEXTS[5], TEXTS[9]} <= set(leaf_texts(context))


def test_a_long_table_gives_the_rows_that_were_hit_under_its_header():
    rows = [f"| Article {n} | {n * 10} euros, delivered in {n} weeks |" for n in range(80)]
    table = section(["\n".join(["| Article | Price |", "|---|---|", *rows])], kind="table")
    start, end = table.leaves[0].sentences[40]
    context = assemble([hit(1, table, 0, start=start, end=end)], [table])
    (leaf,) = context.blocks[0].leaves
    assert leaf.text == "\n".join(rows[39:42])
    assert context.blocks[0].text == "\n".join(["| Article | Price |", "|---|---|", leaf.text])


def test_the_best_hit_is_cut_at_a_sentence_when_it_alone_is_too_long():
    sentences = [f"Sentence {n} has some words of its own." for n in range(200)]
    long = section([" ".join(sentences)])
    context = assemble([hit(1, long, 0)], [long], token_cap=200)
    assert 100 < context.tokens <= 200
    assert context.blocks[0].text == " ".join(sentences[: context.blocks[0].text.count(".")])


def test_hits_without_leaves_give_no_evidence():
    assert assemble([hit(1, SECTION, 1)], []).blocks == ()
    assert assemble([], [SECTION]).tokens == 0


def test_a_negative_number_of_neighbours_is_refused():
    with pytest.raises(ValueError, match="negative"):
        assemble([], [], sibling_leaves=-1)


SECTIONS = [
    section(TEXTS, version_id=1),
    section(TEXTS[:3], version_id=1, path="doc/later", start=2000),
    section(["One long leaf. " * 300, *TEXTS[:2]], version_id=2),
]
PLACES = st.integers(0, 2).flatmap(
    lambda at: st.tuples(
        st.just(at),
        st.integers(0, SECTIONS[at].leaves[-1].end - 1),
        st.integers(1, 1500),
    )
)


@given(st.lists(PLACES, max_size=8), st.integers(0, 900), st.integers(0, 2))
def test_the_cap_holds_and_no_character_comes_twice_or_out_of_order(places, cap, siblings):
    hits = [
        hit(rank, SECTIONS[at], 0, start=start, end=start + length)
        for rank, (at, start, length) in enumerate(places, 1)
    ]
    context = assemble(hits, SECTIONS, token_cap=cap, sibling_leaves=siblings)
    assert context.tokens == count_tokens(context.render()) <= cap
    assert [block.number for block in context.blocks] == list(range(1, len(context.blocks) + 1))
    versions = [block.version_id for block in context.blocks]
    assert sorted(versions, key=versions.index) == versions
    for version in set(versions):
        spans = [
            (leaf.start, leaf.end)
            for block in context.blocks
            if block.version_id == version
            for leaf in block.leaves
        ]
        assert all(one[1] <= other[0] for one, other in itertools.pairwise(spans))
    for block in context.blocks:
        for leaf in block.leaves:
            assert len(leaf.text) == leaf.end - leaf.start


@given(st.lists(st.integers(0, 9), min_size=1, max_size=10, unique=True), st.integers(60, 400))
def test_a_better_hit_is_never_missing_where_a_worse_one_of_its_size_is_there(order, cap):
    hits = [hit(rank, SECTION, at) for rank, at in enumerate(order, 1)]
    texts = set(leaf_texts(assemble(hits, [SECTION], token_cap=cap)))
    assert TEXTS[order[0]] in texts
