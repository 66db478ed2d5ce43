"""No citation reaches the reader without a quote that is found in its passage."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.agent import checking
from retrieval.agent.checking import check
from retrieval.agent.reasoner import Draft, Quote
from tests.agent.evidence_factories import block, context, leaf

RATE = leaf("The rate is 0.42 euros. Tolls are paid.", start=100)
TAXI = leaf("Taxis are paid at night. The rate is 0.42 euros.", start=200, ordinal=1)
CONTEXT = context(block(1, [RATE, TAXI]), block(2, [leaf("Rooms cost 165 euros.", start=400)]))


def test_a_found_quote_is_cited_with_its_leaf_and_place():
    checked = check(Draft("It is 0.42 euros [1].", (Quote(1, "The rate is 0.42 euros."),)), CONTEXT)
    citation = checked.citations[0]
    assert (citation.number, citation.leaf, citation.match) == (1, RATE, "exact")
    assert (citation.start, citation.end) == (100, 123)
    assert checked.holds


def test_the_place_that_is_named_counts_when_the_words_stand_twice():
    quote = Quote(1, "The rate is 0.42 euros.", 225, 248)
    assert check(Draft("0.42 [1]", (quote,)), CONTEXT).citations[0].leaf == TAXI


def test_a_wrong_place_is_corrected():
    quote = Quote(1, "The rate is 0.42 euros.", 7, 9)
    assert check(Draft("0.42 [1]", (quote,)), CONTEXT).citations[0].start == 100


def test_quotes_that_are_not_found_lose_their_markers_and_the_rest_is_renumbered():
    draft = Draft(
        "It is 0.50 [1]. Rooms cost 165 euros [2], [9].",
        (Quote(1, "The rate is 0.50 euros."), Quote(2, "Rooms cost 165 euros.")),
    )
    checked = check(draft, CONTEXT)
    assert checked.answer == "It is 0.50. Rooms cost 165 euros [1]."
    assert [one.quote for one in checked.citations] == ["Rooms cost 165 euros."]
    assert checked.rejected == (draft.quotes[0],)
    assert checked.unsupported == ("0.50",)
    assert not checked.holds


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("a", "Business class takes a head of department."),
        ("the", "Open the office."),
        ("of the", "The rules of the house."),
        ("и", "Дни и ночи."),
        ("的", "公司的规定"),
    ],
)
def test_a_quote_that_says_nothing_is_no_citation(quote, text):
    checked = check(Draft("All is free [1].", (Quote(1, quote),)), context(block(1, [leaf(text)])))
    assert (checked.citations, len(checked.rejected)) == ((), 1)


@pytest.mark.parametrize("quote", ["36", "HR", "Bergen", "红色", "28 дней"])
def test_a_short_quote_that_says_something_is_a_citation(quote):
    shown = context(block(1, [leaf(f"{quote} stands alone.")]))
    assert len(check(Draft("So it is [1].", (Quote(1, quote),)), shown).citations) == 1


@pytest.mark.parametrize("marks", ["> " * 40, "- " * 40, "1. " * 40])
def test_what_nests_too_deep_to_be_shown_is_shown_flat(marks):
    quotes = (Quote(1, "The rate is 0.42 euros."), Quote(2, "Rooms cost 165 euros."))
    checked = check(Draft(f"{marks}It is 0.42 [1].\n\nRooms: 165 [2].", quotes), CONTEXT)
    assert checked.answer == "It is 0.42 [1].\n\nRooms: 165 [2]."
    assert len(checked.citations) == 2


def test_a_quote_of_another_block_or_across_leaves_is_not_found():
    quotes = (
        Quote(2, "The rate is 0.42 euros."),
        Quote(1, "Tolls are paid. Taxis are paid at night."),
        Quote(7, "Tolls are paid."),
    )
    assert check(Draft("A [1] B [2] C [3]", quotes), CONTEXT).citations == ()


def test_a_quote_without_a_marker_is_no_citation():
    draft = Draft("Tolls are paid.", (Quote(1, "Tolls are paid."),))
    assert check(draft, CONTEXT).citations == ()
    assert not check(draft, CONTEXT).holds


def test_the_citation_carries_the_words_of_the_source_and_not_of_the_reasoner():
    source = context(block(1, [leaf("The “late”  fee is 9 euros.")]))
    citation = check(Draft("9 [1]", (Quote(1, 'The "late" fee is 9 euros.'),)), source).citations[0]
    assert (citation.quote, citation.match) == ("The “late”  fee is 9 euros.", "folded")


def test_the_mark_of_a_note_that_an_answer_copies_is_no_number_and_is_not_shown():
    source = context(block(1, [leaf("The hotel limit is 140 euros.[^1]")]))
    for quoted in ("The hotel limit is 140 euros.", "The hotel limit is 140 euros.[^1]"):
        draft = Draft("The hotel limit is 140 euros.[^1] [1]", (Quote(1, quoted),))
        checked = check(draft, source)
        assert checked.holds
        assert checked.answer == "The hotel limit is 140 euros. [1]"


def test_a_formula_may_be_typed_with_plain_digits_and_a_power_may_not():
    source = context(block(1, [leaf("The tank holds CO₂ for 10² hours.")]))
    typed = Draft("It holds CO2. [1]", (Quote(1, "The tank holds CO2 for 10² hours."),))
    checked = check(typed, source)
    assert checked.holds
    assert checked.citations[0].quote == "The tank holds CO₂ for 10² hours."
    assert not check(Draft("It holds. [1]", (Quote(1, "CO₂ for 102 hours."),)), source).citations


def test_a_literal_place_goes_before_one_that_only_folding_finds():
    source = context(block(1, [leaf("The fee – 9 euros."), leaf("The fee - 9 euros.", start=100)]))
    citation = check(Draft("9 [1]", (Quote(1, "The fee - 9 euros."),)), source).citations[0]
    assert (citation.start, citation.match) == (100, "exact")


def test_evidence_without_end_is_searched_for_what_stands_there_literally(monkeypatch):
    monkeypatch.setattr(checking, "MOST_FOLDED", 90)
    filling = [leaf(f"Toll {n} is paid. " * 5, start=1_000 * n) for n in range(9)]
    source = context(block(1, [*filling, leaf("The fee – 9 euros.", start=10_000)]))
    quotes = (Quote(1, "The fee - 9 euros."), Quote(1, "The fee – 9 euros."))
    checked = check(Draft("9 [1], 9 [2]", quotes), source)
    assert [one.match for one in checked.citations] == ["exact"]
    assert checked.rejected == quotes[:1]


WORDS = st.sampled_from(["rate", "0.42", "euros", "Tolls are paid.", "Rooms", "165", "no", "is"])


@given(
    st.lists(st.tuples(st.integers(0, 3), st.lists(WORDS, max_size=3).map(" ".join)), max_size=5),
    st.lists(st.integers(0, 9), max_size=8),
)
def test_every_citation_is_what_stands_at_its_place(quotes, markers):
    answer = " ".join(f"so it is [{number}]" for number in markers)
    checked = check(Draft(answer, tuple(Quote(*quote) for quote in quotes)), CONTEXT)
    assert [one.number for one in checked.citations] == list(range(1, len(checked.citations) + 1))
    for citation in checked.citations:
        leaf_ = citation.leaf
        assert leaf_ in citation.block.leaves
        assert (
            leaf_.text[citation.start - leaf_.start : citation.end - leaf_.start] == citation.quote
        )
        assert f"[{citation.number}]" in checked.answer
