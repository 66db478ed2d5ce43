"""The agent's loop with a model and tools that do what the test says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from retrieval.agent.exploring import (
    LONGEST_ARGUMENTS,
    REPEATED,
    TOO_LONG,
    Explored,
    ToolOutput,
    explore,
)
from retrieval.agent.metering import Meter
from retrieval.agent.presets import PRESETS
from retrieval.agent.structured import UNPARSABLE, draft_of
from retrieval.llm.cancellation import Cancellation
from retrieval.llm.chat import ChatRequest, Message, Reply, ToolCall, ToolSchema

ANSWER = '{"answer": "At nine.", "quotes": [], "sufficient": true}'
CALLS = [
    '{"name": "search", "arguments": {"query": "office hours"}}',
    '<tool_call>{"name": "read", "arguments": {"uris": ["1"]}}</tool_call>',
    "{}",
]


@dataclass
class ScriptedModel:
    """Says the replies in order, then answers; keeps what it was asked."""

    replies: list[Reply]
    asked: list[ChatRequest] = field(default_factory=list)
    name: str = "scripted"

    def complete(
        self,
        request: ChatRequest,
        *,
        cancellation: Cancellation | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        self.asked.append(request)
        return self.replies.pop(0) if self.replies else Reply(ANSWER)

    def results(self) -> list[str]:
        """What the tools gave, as the model saw it last."""
        return [one.content for one in self.asked[-1].messages if one.role == "tool"]


@dataclass
class ScriptedTools:
    """Gives what the test says for a call; keeps the calls that were made."""

    give: Callable[[ToolCall], ToolOutput]
    calls: list[ToolCall] = field(default_factory=list)
    schemas: tuple[ToolSchema, ...] = (ToolSchema("search", "", {}), ToolSchema("read", "", {}))

    def call(self, call: ToolCall) -> ToolOutput:
        self.calls.append(call)
        return self.give(call)


def calling(name: str, **arguments: object) -> Reply:
    return Reply("", (ToolCall("1", name, arguments),))


def explored(model: ScriptedModel, tools: ScriptedTools, preset: str = "viking") -> Explored:
    question = [Message("user", "When does the office open?")]
    meter = Meter({"answer": model})
    return explore(meter, tools, PRESETS[preset], question, lambda call, output: None)


def page(call: ToolCall) -> ToolOutput:
    return ToolOutput(f"page {call.arguments['cursor']}", 1, 9, frozenset({1}), full=True)


def test_reading_on_in_a_long_section_is_no_fruitless_round() -> None:
    model = ScriptedModel([calling("read", uris=["1"], cursor=f"0:{n}") for n in range(5)])
    tools = ScriptedTools(page)
    assert explored(model, tools).rounds == 6
    assert len(tools.calls) == 5


def test_the_same_text_by_other_arguments_is_nothing_new() -> None:
    model = ScriptedModel([calling("read", uris=[str(n)]) for n in range(9)])
    tools = ScriptedTools(lambda call: ToolOutput("the same", 1, 9, frozenset({1}), full=True))
    explored(model, tools)
    assert len(tools.calls) == 1 + PRESETS["viking"].patience


@pytest.mark.parametrize("written", CALLS)
def test_a_call_that_is_written_as_text_is_no_answer(written: str) -> None:
    model = ScriptedModel([Reply(written)])
    result = explored(model, ScriptedTools(page))
    assert result.reply is not None
    assert result.reply["answer"] == "At nine."
    assert model.asked[-1].schema is not None


@pytest.mark.parametrize("written", CALLS)
def test_nor_is_one_that_is_written_where_the_answer_is_asked_for(written: str) -> None:
    model = ScriptedModel([Reply("Let me see."), Reply(written)])
    result = explored(model, ScriptedTools(page))
    assert result.reply is None
    assert draft_of(result.reply).reason == UNPARSABLE


def test_arguments_are_as_long_as_what_they_say() -> None:
    said = "办" * (LONGEST_ARGUMENTS - 100)
    model = ScriptedModel([calling("search", query=said), calling("search", query=said + said)])
    tools = ScriptedTools(lambda call: ToolOutput("[1] Hours", 1, 9, frozenset({1})))
    explored(model, tools)
    assert [call.arguments["query"] for call in tools.calls] == [said]
    assert model.results() == ["[1] Hours", TOO_LONG]


@pytest.mark.parametrize("written", ['{"is_blank": true}', '{"answer": "At nine."}'])
def test_an_answer_ends_the_loop(written: str) -> None:
    model = ScriptedModel([Reply(written)])
    explored(model, ScriptedTools(page))
    assert len(model.asked) == 1


def test_a_preview_that_stands_in_the_prompt_is_not_shown_again() -> None:
    model = ScriptedModel([calling("search", query="hours") for _ in range(4)])
    tools = ScriptedTools(lambda call: ToolOutput("[1] Hours", 1, 9, frozenset({1})))
    explored(model, tools)
    assert len(tools.calls) == 1
    assert model.results() == ["[1] Hours", REPEATED, REPEATED]


def test_a_preview_that_has_shrunk_to_a_line_is_shown_again_and_not_made_again() -> None:
    model = ScriptedModel([calling("search", query="hours") for _ in range(2)])
    tools = ScriptedTools(lambda call: ToolOutput("[1] Hours", 1, 9, frozenset({1})))
    explored(model, tools, "adaptive")
    assert len(tools.calls) == 1
    shrunk, shown = model.results()
    assert shrunk.startswith("(search: 1 results, shown before.)")
    assert shown == "[1] Hours"


def test_a_text_that_is_read_again_stands_in_the_prompt_once() -> None:
    model = ScriptedModel([calling("read", uris=["1"], cursor="0:0") for _ in range(4)])
    explored(model, ScriptedTools(page))
    assert [result.startswith("page") for result in model.results()] == [True, False, False]


def test_a_call_that_failed_may_be_made_again() -> None:
    outputs = [ToolOutput("Error: try later.", failed=True), ToolOutput("[1] Hours", 1, 9)]
    tools = ScriptedTools(lambda call: outputs[len(tools.calls) - 1])
    model = ScriptedModel([calling("search", query="hours") for _ in range(2)])
    explored(model, tools)
    assert model.results() == ["Error: try later.", "[1] Hours"]
