"""Where the budget of a run ends: in an answer, or in an abstention that says so."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

import pytest

from tests.answering.conftest import BLANK, Asking, answer_of, saying
from tests.factories import ingested
from tests.scripted_replies import Call, Say, say_json

QUESTION = "How long is the warranty of the SL-420?"
QUOTE = "The SL-420 has a warranty of 36 months."
ANSWER = "It is 36 months [1]."


def test_a_budget_that_ends_before_a_further_search_abstains_and_says_so(
    asking: Asking, settings
) -> None:
    settings.RUN_MAX_CALLS = 1
    asking.script(say_json(BLANK))
    run = asking.ask(QUESTION, "adaptive")
    assert (run.state, run.abstained) == ("done", True)
    assert run.reason.endswith("The most calls of the model for one question were made.")


@pytest.mark.parametrize("preset", ["naive", "kohaku", "adaptive", "viking-e-plus", "viking"])
def test_a_budget_for_no_answer_at_all_abstains_and_says_so(
    asking: Asking, settings, preset: str
) -> None:
    settings.RUN_MAX_TOKENS = 1_000
    settings.EXPERIENCE_MIN_HISTORY = 0
    asking.script()
    run = asking.ask(QUESTION, preset)
    assert (run.state, run.abstained) == ("done", True)
    assert run.reason.endswith("The tokens for one question ran out.")


def test_a_budget_for_a_smaller_pack_answers_from_that(asking: Asking, settings) -> None:
    lines = (
        f"In country {n} the plugs of devices are of type {n}, so take one along."
        for n in range(400)
    )
    ingested(asking.company.tenant, asking.company.base, "abroad.md", "\n\n".join(lines))
    settings.RUN_MAX_TOKENS = 6_000
    asking.script(saying(QUOTE, ANSWER))
    run = asking.ask(QUESTION, "naive")
    packs = [data["tokens"] for kind, data in asking.events(run) if kind == "assembled"]
    assert (run.answer, asking.quotes(run)) == (ANSWER, [QUOTE])
    assert packs == sorted(packs, reverse=True)
    assert len(packs) > 1


def test_a_plan_that_takes_the_last_call_abstains_and_says_so(asking: Asking, settings) -> None:
    settings.RUN_MAX_CALLS = 2
    asking.script(say_json({"queries": ["warranty"]}))
    run = asking.ask(QUESTION, "kohaku")
    assert (run.state, run.abstained) == ("done", True)
    assert run.reason.endswith("The most calls of the model for one question were made.")


def test_an_agent_whose_calls_ran_out_answers_from_what_it_read(asking: Asking, settings) -> None:
    settings.RUN_MAX_CALLS = 3
    asking.script(
        Say(calls=(Call("search", {"query": "warranty SL-420"}),)),
        Say(calls=(Call("read", {"uris": ["1", "2", "3"]}),)),
        saying(QUOTE, ANSWER),
    )
    run = asking.ask(QUESTION, "viking")
    assert (run.answer, asking.quotes(run)) == (ANSWER, [QUOTE])


def searching(body: Mapping[str, Any], number: Iterator[int]) -> Say:
    """Think aloud and search on and on, and answer as soon as there are no tools."""
    if "tools" in body:
        search = Call("search", {"query": f"warranty SL-420 {next(number)}"})
        return Say("Let me think. " * 400, calls=(search,))
    return say_json(answer_of(body, QUOTE, ANSWER))


@pytest.mark.parametrize("tokens", [9_000, 12_000, 16_000])
def test_an_agent_whose_tokens_ran_out_answers_from_what_it_read(
    asking: Asking, settings, tokens: int
) -> None:
    settings.RUN_MAX_TOKENS = tokens
    numbers = count()
    asking.server.respond_with(lambda body: searching(body, numbers))
    run = asking.ask(QUESTION, "viking")
    assert (run.answer, asking.quotes(run)) == (ANSWER, [QUOTE])
    assert run.prompt_tokens is not None
    assert run.prompt_tokens + (run.completion_tokens or 0) <= tokens


def test_an_agent_whose_time_ran_out_answers_from_what_it_read(asking: Asking, settings) -> None:
    settings.RUN_MAX_SECONDS = 2
    numbers = count()

    def respond(body: Mapping[str, Any]) -> Say:
        if "tools" in body:
            time.sleep(0.8)
        return searching(body, numbers)

    asking.server.respond_with(respond)
    run = asking.ask(QUESTION, "viking")
    assert (run.answer, asking.quotes(run)) == (ANSWER, [QUOTE])
