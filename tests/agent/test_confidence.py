"""The confidence in an answer of one round."""

from __future__ import annotations

from dataclasses import replace

from retrieval.agent.checking import check
from retrieval.agent.confidence import NEEDS, UNTOLD, confidence_of
from retrieval.agent.reasoner import Constraint, Signals
from tests.agent.test_sufficiency import CONTEXT, DRAFT, verdict


def confidence(*constraints: Constraint) -> float:
    draft = replace(DRAFT, constraints=constraints)
    return confidence_of(draft, check(draft, CONTEXT), Signals())


def test_a_need_is_met_as_for_the_verdict_whether_it_names_its_evidence_or_not() -> None:
    named, unnamed = Constraint("the SL-420", True, (1,)), Constraint("the SL-420", True, ())
    assert verdict(constraints=(unnamed,)).sufficient
    assert confidence(unnamed) == confidence(named)


def test_a_need_that_is_not_met_takes_its_share_of_the_confidence() -> None:
    met = Constraint("the SL-420", True, (1,))
    for unmet in (Constraint("the price", False, ()), Constraint("the price", True, (7,))):
        assert abs(confidence(met) - confidence(met, unmet) - NEEDS / 2) < 1e-9
    assert abs(confidence(met) - confidence() - NEEDS * (1 - UNTOLD)) < 1e-9


def test_without_a_verified_quote_there_is_none() -> None:
    draft = replace(DRAFT, quotes=())
    assert confidence_of(draft, check(draft, CONTEXT), Signals()) == 0
