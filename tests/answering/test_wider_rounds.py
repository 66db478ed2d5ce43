"""What `adaptive` reads before it explores, more each time, and what of it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import pytest

from tests.answering.conftest import BLANK, Asking, answer_of, saying
from tests.factories import ingested
from tests.scripted_replies import Fail, Say, ScriptedReply, say_json

QUESTION = "How long is the warranty of the SL-420?"
QUOTE = "The SL-420 has a warranty of 36 months."
BOTH = (QUOTE, "The SL-300 has a warranty of 24 months.")
ANSWER = "It is 36 months [1]."


@pytest.fixture
def parts(asking: Asking) -> None:
    """More about the SL-420 than any attempt reads."""
    text = "\n\n".join(
        f"## Part {number}\n\nPart {number} of the SL-420 is kept dry. " + "Dry it is. " * 150
        for number in range(40)
    )
    ingested(asking.company.tenant, asking.company.base, "parts.md", text)


@pytest.mark.usefixtures("parts")
def test_a_second_search_for_what_is_missing_reads_more_than_the_first(asking: Asking) -> None:
    asking.script(say_json(BLANK), say_json(BLANK), saying(QUOTE, ANSWER))
    run = asking.ask(QUESTION, "adaptive")
    assert (run.answer, run.escalated) == (ANSWER, False)
    first, second, third = (one.prompt_tokens for one in asking.server.chats)
    assert 1.5 * first < second < third / 1.5


@pytest.mark.usefixtures("parts")
def test_a_model_whose_context_is_full_is_not_asked_to_read_less_again(asking: Asking) -> None:
    overflow = Fail(400, "maximum context length is 4096 tokens", "context_length_exceeded")
    asking.script(say_json(BLANK), say_json(BLANK), overflow, overflow, say_json(BLANK))
    run = asking.ask(QUESTION, "adaptive")
    assert run.escalated
    packs = [payload["tokens"] for kind, payload in asking.events(run) if kind == "assembled"]
    assert len(packs) == 4
    assert packs[0] < packs[1] < packs[3] < packs[2]


def test_what_was_read_whole_is_not_read_again(asking: Asking) -> None:
    asking.script(say_json(BLANK), say_json(BLANK), Say("That is all I know."), say_json(BLANK))
    run = asking.ask(QUESTION, "adaptive")
    assert run.escalated
    packs = [payload for kind, payload in asking.events(run) if kind == "assembled"]
    assert len(packs) == 2


def test_what_is_missing_is_told_by_the_attempt_that_proved_most(asking: Asking) -> None:
    def both(body: Mapping[str, object]) -> ScriptedReply:
        one, other = (answer_of(body, quote, "36 [1] and 24 months [2].") for quote in BOTH)
        quotes = [*cast(list[object], one["quotes"]), *cast(list[object], other["quotes"])]
        return say_json({**one, "quotes": quotes, "sufficient": False, "missing": ["its colour"]})

    less = saying(QUOTE, "36 months [1].", sufficient=False, missing=["all about the SL-300"])
    asking.script(both, both, less)
    run = asking.ask(QUESTION, "adaptive")
    assert run.escalated
    assert run.abstained
    [told] = [payload["missing"] for kind, payload in asking.events(run) if kind == "abstained"]
    assert told == ["its colour"]


def test_half_of_what_is_read_for_what_is_missing_is_what_the_question_itself_finds(
    asking: Asking,
) -> None:
    topics = {"pump": "The SL-420 pumps water", "dogs": "Dogs bark", "cats": "Cats mew",
              "birds": "Birds sing"}  # fmt: skip
    for name, begin in topics.items():
        text = "\n\n".join(
            f"## {name} {number}\n\n{begin}, {name} part {number}. " + "Nothing is here. " * 40
            for number in range(12)
        )
        ingested(asking.company.tenant, asking.company.base, f"{name}.md", text)
    elsewhere = {**BLANK, "missing": ["Dogs bark", "Cats mew", "Birds sing"]}
    asking.script(
        say_json(elsewhere), say_json(BLANK), say_json(BLANK), Say("No."), say_json(BLANK)
    )
    asking.ask("What does the SL-420 pump?", "adaptive")
    read = str(asking.server.chats[1].body["messages"])
    counts = {name: read.count(begin + ",") for name, begin in topics.items()}
    assert counts["pump"] >= sum(counts.values()) // 2
    assert all(counts.values())
