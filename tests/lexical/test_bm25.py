"""The inner product of the two sparse vectors is BM25."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.lexical import DIMENSIONS, dimension, document_weights, query_weights
from knowledge.lexical.bm25 import MAX_NON_ZERO

WORDS = st.lists(st.sampled_from(["rail", "road", "fare", "rate", "day", "night"]), max_size=12)


def textbook(
    question: list[str], passage: list[str], corpus: list[list[str]], k1: float, b: float
) -> float:
    """BM25 written as the papers write it, without vectors."""
    average = sum(map(len, corpus)) / len(corpus)
    total = 0.0
    for word in question:
        holding = sum(word in other for other in corpus)
        idf = math.log(1 + (len(corpus) - holding + 0.5) / (holding + 0.5))
        tf = passage.count(word)
        total += idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(passage) / average))
    return total


def inner(left: dict[int, float], right: dict[int, float]) -> float:
    return sum(weight * right.get(at, 0.0) for at, weight in left.items())


@given(
    question=WORDS,
    corpus=st.lists(WORDS.filter(bool), min_size=1, max_size=6),
    k1=st.floats(0.1, 3),
    b=st.floats(0, 1),
)
def test_the_inner_product_is_the_textbook_formula(
    question: list[str], corpus: list[list[str]], k1: float, b: float
) -> None:
    average = sum(map(len, corpus)) / len(corpus)
    frequency = Counter(dimension(word) for passage in corpus for word in set(passage))
    asked = query_weights(question, frequency, len(corpus))
    for passage in corpus:
        found = inner(asked, document_weights(passage, average, k1=k1, b=b))
        assert found == pytest.approx(textbook(question, passage, corpus, k1, b))


@given(terms=WORDS, average=st.floats(1, 500))
def test_every_weight_can_be_stored(terms: list[str], average: float) -> None:
    weights = document_weights(terms, average)
    assert set(weights) == {dimension(term) for term in terms}
    assert all(0 < weight < 2 for weight in weights.values())


def test_a_rarer_term_weighs_more_and_an_absent_one_nothing() -> None:
    weights = query_weights(
        ["common", "rare", "absent"], {dimension("common"): 90, dimension("rare"): 2}, 100
    )
    assert weights[dimension("rare")] > weights[dimension("common")] > 0
    assert dimension("absent") not in weights


def test_a_frequency_counted_after_the_documents_were_is_no_error() -> None:
    assert query_weights(["new"], {dimension("new"): 11}, 10)[dimension("new")] > 0


def test_an_empty_base_and_an_empty_text_have_empty_vectors() -> None:
    assert query_weights(["anything"], {}, 0) == {}
    assert document_weights([], 100) == {}


def test_no_more_is_kept_than_a_sparse_vector_holds_and_the_frequent_terms_stay() -> None:
    terms = [f"word{number}" for number in range(MAX_NON_ZERO + 500)] + ["often"] * 3
    weights = document_weights(terms, 100)
    assert len(weights) == MAX_NON_ZERO
    assert dimension("often") in weights
    frequency = {dimension(term): 1 for term in terms}
    assert len(query_weights(terms, frequency, 10)) == MAX_NON_ZERO


def test_the_average_length_must_be_above_zero() -> None:
    with pytest.raises(ValueError, match="average_length"):
        document_weights(["word"], 0)


@given(st.text(max_size=40))
def test_a_term_has_one_dimension_that_pgvector_accepts(term: str) -> None:
    assert 0 <= dimension(term) < DIMENSIONS <= 1_000_000_000
    assert dimension(term) == dimension(term)


def test_dimensions_never_change_because_they_are_stored() -> None:
    assert dimension("allowance") == 198_275_949
