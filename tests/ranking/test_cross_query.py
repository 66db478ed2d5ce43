"""Hits of several queries made one ranking."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.ranking import Scored, cross_query_rerank

FIRST = [Scored("a", 0.9), Scored("b", 0.2)]
SECOND = [Scored("c", 0.8), Scored("b", 0.3)]


def order(strategy):
    return [hit.id for hit in cross_query_rerank([FIRST, SECOND], strategy)]


def test_frequency_puts_what_both_queries_found_first():
    assert order("frequency") == ["b", "a", "c"]


def test_score_orders_by_the_sum_of_scores():
    assert order("score") == ["a", "c", "b"]


def test_combined_weighs_frequency_and_score():
    scores = {hit.id: hit.score for hit in cross_query_rerank([FIRST, SECOND], "combined")}
    assert scores["a"] == pytest.approx(0.4 * 1 / 2 + 0.6)
    assert scores["b"] == pytest.approx(0.4 + 0.6 * 0.5 / 0.9)
    assert order("combined")[0] == "a"


def test_without_a_strategy_the_first_query_comes_first():
    assert order("none") == ["a", "b", "c"]


def test_interleaved_takes_the_best_of_each_query_in_turn():
    third = [Scored("d", 0.1), Scored("e", 0.1), Scored("f", 0.1)]
    found = cross_query_rerank([FIRST, SECOND, third], "interleaved")
    assert [hit.id for hit in found] == ["a", "c", "d", "b", "e", "f"]


def test_nothing_found_is_no_hit():
    assert cross_query_rerank([[], []], "combined") == []


rankings = st.lists(
    st.dictionaries(st.integers(0, 9), st.floats(0, 1), max_size=8).map(
        lambda found: [Scored(id, score) for id, score in found.items()]
    ),
    max_size=4,
)


@given(rankings, st.sampled_from(["none", "frequency", "score", "combined", "interleaved"]))
def test_every_hit_comes_exactly_once(found, strategy):
    ids = [hit.id for hit in cross_query_rerank(found, strategy)]
    assert len(ids) == len(set(ids))
    assert set(ids) == {hit.id for ranking in found for hit in ranking}
