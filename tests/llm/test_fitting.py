"""A request to a model whose context is known: never more than fits, and room for the reply."""

from __future__ import annotations

import pytest

from knowledge.ingest.tokens import count_tokens
from retrieval.llm.chat import ChatRequest, Message, prompt_text
from retrieval.llm.errors import ContextOverflow
from retrieval.llm.fitting import LEAST_REPLY, fitted


def request_of(words: int, max_tokens: int = 2_000) -> ChatRequest:
    return ChatRequest((Message("user", "stone " * words),), "answer", max_tokens=max_tokens)


def length(request: ChatRequest) -> int:
    return count_tokens(prompt_text(request.messages))


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
