"""Requests that the tests send."""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.llm.chat import ChatRequest, Message, Reply, ToolSchema
from retrieval.llm.deltas import Completed, Delta, FieldGrown, TextAdded
from retrieval.llm.openai_model import OpenAIChatModel

PLAIN = ChatRequest(
    (
        Message("system", "Answer from the evidence."),
        Message("user", "[E1] The travel allowance is 45 euros.\n\nHow much is it?"),
    ),
    "answer",
)
ANSWER_SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {
        "quotes": {"type": "array", "items": {"type": "string"}},
        "answer": {"type": "string"},
        "sufficient": {"type": "boolean"},
    },
    "required": ["quotes", "answer", "sufficient"],
    "additionalProperties": False,
}
STRUCTURED = ChatRequest(PLAIN.messages, "answer", schema=ANSWER_SCHEMA, shown_field="answer")
SEARCH = ToolSchema(
    "search",
    "Search the documents.",
    {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
)
READ = ToolSchema("read", "Read a passage.", {"type": "object", "properties": {}})
WITH_TOOLS = ChatRequest(PLAIN.messages, "agent", tools=(SEARCH, READ))


def reply_of(deltas: Iterable[Delta]) -> Reply:
    """Return the reply at the end of a stream."""
    last = [*deltas][-1]
    assert isinstance(last, Completed)
    return last.reply


def text_of(deltas: Iterable[Delta]) -> str:
    return "".join(one.text for one in deltas if isinstance(one, TextAdded))


def shown(deltas: Iterable[Delta]) -> list[str]:
    """Return the values of the shown field, as a reader saw it grow."""
    return [one.value for one in deltas if isinstance(one, FieldGrown)]


def called(
    model: OpenAIChatModel, request: ChatRequest, streaming: bool, *, timeout_s: float | None = None
) -> Reply:
    """Return the reply, asked for in either way."""
    if streaming:
        return reply_of(model.stream(request, timeout_s=timeout_s))
    return model.complete(request, timeout_s=timeout_s)
