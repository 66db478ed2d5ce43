"""Sums of the tokens that calls took: what nobody counted is unknown, never nothing."""

from __future__ import annotations

import pytest

from retrieval.agent.metering import Spent
from retrieval.llm.chat import Usage
from retrieval.services.ledger import totals


@pytest.mark.parametrize(
    ("usages", "tokens"),
    [
        ([], 0),
        ([Usage(3, 4), Usage(5, 6)], 18),
        ([Usage(3, 4), Usage()], None),
        ([Usage(3, None)], None),
    ],
)
def test_tokens_are_added_up_as_far_as_they_are_known(
    usages: list[Usage], tokens: int | None
) -> None:
    assert totals([Spent("answer", "scripted", one, 0.1) for one in usages]).both == tokens
