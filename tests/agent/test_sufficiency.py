"""The verdict on a checked draft."""

from dataclasses import replace

import pytest

from retrieval.agent.checking import check
from retrieval.agent.reasoner import Constraint, Draft, Quote
from retrieval.agent.sufficiency import judge
from tests.agent.evidence_factories import block, context, leaf

CONTEXT = context(block(1, [leaf("The SL-420 has a warranty of 36 months.")]))
DRAFT = Draft(
    "It is 36 months [1].",
    (Quote(1, "a warranty of 36 months"),),
    constraints=(Constraint("the SL-420", True, (1,)),),
)


def verdict(**changes):
    draft = replace(DRAFT, **changes)
    return judge(draft, check(draft, CONTEXT))


def test_an_answer_with_a_verified_quote_is_sufficient():
    assert verdict().sufficient


@pytest.mark.parametrize(
    "changes",
    [
        {"sufficient": False},
        {"missing": ("the price",)},
        {"answer": ""},
        {"quotes": (Quote(1, "a warranty of 63 months"),)},
        {"quotes": (Quote(9, "a warranty of 36 months"),)},
        {"answer": "It is 37 months [1]."},
        {"constraints": (Constraint("the SL-421", False, ()),)},
        {"constraints": (Constraint("the SL-421", True, (2,)),)},
        {"answer": "It is long."},
    ],
)
def test_a_draft_that_fails_a_check_is_insufficient(changes):
    found = verdict(**changes)
    assert not found.sufficient
    assert found.reason


def test_what_no_quote_meets_is_missing():
    assert verdict(constraints=(Constraint("the price", True, (7,)),)).missing == ("the price",)
