"""A request to a model whose context is known: never more than fits, and room for the reply."""

from __future__ import annotations

import pytest

from knowledge.ingest.tokens import count_tokens
from retrieval.llm.chat import ChatRequest, Message, ToolCall
from retrieval.llm.errors import ContextOverflow
from retrieval.llm.fitting import LEAST_REPLY, fitted
from retrieval.llm.prompt_tokens import prompt_tokens
from retrieval.llm.usage import completed_usage
from tests.llm.requests import PLAIN, READ, STRUCTURED, WITH_TOOLS


def request_of(words: int, max_tokens: int = 2_000) -> ChatRequest:
    return ChatRequest((Message("user", "stone " * words),), "answer", max_tokens=max_tokens)


def length(request: ChatRequest) -> int:
    return prompt_tokens(request)


def test_what_fits_is_sent_as_it_is() -> None:
    request = request_of(100)
    assert fitted(request, 8_000) == request


def test_where_no_context_is_known_nothing_is_refused() -> None:
    request = request_of(50_000)
    assert fitted(request, None) == request


def test_the_reply_is_shortened_before_the_prompt_is_refused() -> None:
    request = request_of(1_000)
    assert fitted(request, length(request) + 700).max_tokens == 700


@pytest.mark.parametrize("left", [LEAST_REPLY - 1, 0, -500])
def test_a_prompt_that_leaves_no_room_for_a_reply_is_refused(left: int) -> None:
    request = request_of(1_000)
    with pytest.raises(ContextOverflow) as refused:
        fitted(request, length(request) + left)
    assert refused.value.limit == length(request) + left


def test_a_reply_of_few_tokens_needs_no_more_room_than_it_takes() -> None:
    request = request_of(1_000, max_tokens=50)
    assert fitted(request, length(request) + 50) == request


@pytest.mark.parametrize("request_", [STRUCTURED, WITH_TOOLS])
def test_tools_and_the_schema_of_the_reply_take_room(request_: ChatRequest) -> None:
    context = prompt_tokens(PLAIN) + LEAST_REPLY
    assert fitted(PLAIN, context).messages == PLAIN.messages
    with pytest.raises(ContextOverflow):
        fitted(request_, context)


def test_what_is_estimated_is_what_is_fitted() -> None:
    for request in (PLAIN, STRUCTURED, WITH_TOOLS):
        assert completed_usage(None, request, "").prompt == prompt_tokens(request)


def test_a_call_that_is_repeated_in_the_prompt_counts_as_it_was_written() -> None:
    raw = '{"uris": ["kb://handbook/handbook/warranty"]}'
    call = ToolCall("1", READ.name, {}, raw=raw)
    calling = ChatRequest((*PLAIN.messages, Message("assistant", "", (call,))), "agent")
    assert prompt_tokens(calling) >= prompt_tokens(PLAIN) + count_tokens(raw)
