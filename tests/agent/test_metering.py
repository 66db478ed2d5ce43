"""What a call takes of the budget, and what is written of it."""

from __future__ import annotations

import pytest

from retrieval.agent.budget import Budget
from retrieval.agent.metering import Meter, Spent
from retrieval.llm.chat import ChatRequest, Message
from retrieval.llm.errors import ContextOverflow
from retrieval.llm.openai_model import OpenAIChatModel

NOBODY = "http://127.0.0.1:9/v1"


def test_a_prompt_that_is_too_long_to_be_sent_costs_nothing() -> None:
    model = OpenAIChatModel(base_url=NOBODY, api_key="k", model="m", context_tokens=500)
    budget, recorded = Budget(tokens=50_000, calls=5), list[Spent]()
    meter = Meter({"answer": model}, budget, recorded.append)
    before = budget.left()
    with pytest.raises(ContextOverflow):
        meter.complete(ChatRequest((Message("user", "stone " * 1_000),), "answer"))
    assert (budget.left(), budget.made, budget.spent) == (before, 0, 0)
    assert recorded == []
