"""A parent's vector from its children's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.embedding import EmbeddingBadResult, embedder_for, parent_vector

CHILDREN = embedder_for("hashing").passages(["travel", "parking", "holiday rules", "soup"])
LENGTHS = st.lists(st.integers(1, 1000), min_size=4, max_size=4)


@given(LENGTHS)
def test_a_parent_is_the_token_weighted_mean_of_its_children(tokens: list[int]) -> None:
    mean = sum(t * v for t, v in zip(tokens, CHILDREN, strict=True)) / sum(tokens)
    expected = mean / np.linalg.norm(mean)
    assert parent_vector(CHILDREN, tokens) == pytest.approx(expected, abs=1e-5)


@given(LENGTHS, st.integers(2, 9))
def test_only_the_proportions_of_the_lengths_count(tokens: list[int], factor: int) -> None:
    scaled = parent_vector(CHILDREN, [token * factor for token in tokens])
    assert scaled == pytest.approx(parent_vector(CHILDREN, tokens), abs=1e-5)


def test_an_only_child_passes_its_vector_on() -> None:
    assert parent_vector(CHILDREN[:1], [7]) == pytest.approx(CHILDREN[0], abs=1e-6)


def test_children_without_tokens_count_the_same() -> None:
    assert parent_vector(CHILDREN, [0] * 4) == pytest.approx(parent_vector(CHILDREN, [1] * 4))


def test_children_that_cancel_out_give_no_vector() -> None:
    with pytest.raises(EmbeddingBadResult):
        parent_vector(np.stack([CHILDREN[0], -CHILDREN[0]]), [5, 5])


@pytest.mark.parametrize("tokens", [[], [1, 2, 3]])
def test_each_child_needs_a_length(tokens: list[int]) -> None:
    with pytest.raises(ValueError, match="children"):
        parent_vector(CHILDREN, tokens)


def test_a_node_without_children_has_no_mean() -> None:
    with pytest.raises(ValueError, match="0 children"):
        parent_vector(CHILDREN[:0], [])
