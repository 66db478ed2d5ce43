"""Addresses, waiting times and the words of servers."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from knowledge.model_server.base_url import InvalidBaseUrl, check_base_url
from knowledge.model_server.overflow import Overflow, overflow_of
from knowledge.model_server.waiting import LONGEST_BACKOFF_S, backoff_s, retry_after_s
from knowledge.model_server.words import server_words

NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8089/v1", "https://api.example.com/v1", "http://[::1]:11434/v1"]
)
def test_internal_and_external_addresses_are_taken(url: str) -> None:
    assert check_base_url(f" {url}/ ") == url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "api.example.com/v1",
        "file:///etc/passwd",
        "ftp://example.com",
        "http://",
        "http://user:secret@example.com/v1",
        "http://secret@example.com/v1",
        "https://example.com/v1?key=secret",
        "https://example.com/v1#secret",
        "http://example.com:secret/v1",
        "http://[secret/v1",
    ],
)
def test_other_addresses_are_refused_without_being_repeated(url: str) -> None:
    with pytest.raises(InvalidBaseUrl) as caught:
        check_base_url(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "Mon, 05 Jan 2026 12:01:30 GMT"}, 90.0),
        ({"retry-after": "Mon, 05 Jan 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "7", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "-1"}, None),
        ({}, None),
    ],
)
def test_the_time_to_wait_is_seconds_or_a_date(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after_s(headers, NOON) == seconds


def test_waiting_doubles_and_has_an_end() -> None:
    waits = [backoff_s(attempt, 0.5) for attempt in (0, 1, 2, 100)]
    for wait, whole in zip(waits, (0.5, 1.0, 2.0, LONGEST_BACKOFF_S), strict=True):
        assert whole / 2 <= wait <= whole


@pytest.mark.parametrize(
    ("body", "limit"),
    [
        ({"error": {"message": "prompt is too long: 210000 tokens > 200000 maximum"}}, 200000),
        (
            {
                "message": "Prompt contains 40000 tokens, too large for model with"
                " 32768 maximum context length"
            },
            32768,
        ),
        ({"error": "Input validation error: `inputs` must have less than 512 tokens."}, 512),
        (
            {
                "error": {
                    "message": "You passed 5000 input tokens and requested 10 output tokens."
                    " However, the model's context length is only 4096 tokens"
                }
            },
            4096,
        ),
        (
            {"error": {"message": "Input tokens exceed the limit of 272,000 tokens."}},
            272000,
        ),
        ({"error": {"message": "anything", "code": "context_length_exceeded"}}, None),
        ("the prompt is too long", None),
        (f"the maximum context length is {'9' * 30}", None),
        (f"the maximum context length is {'9,' * 30}9", None),
    ],
)
def test_an_overflow_is_known_by_its_words(body: object, limit: int | None) -> None:
    assert overflow_of(400, body) == Overflow(limit)


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "Unsupported parameter: 'max_tokens'"}},
        {"error": {"message": "The model `x` does not exist"}},
        {"error": {"message": "max_tokens must be at most 4096"}},
        None,
        "",
        [],
    ],
)
def test_other_refusals_are_no_overflow(body: object) -> None:
    assert overflow_of(400, body) is None
    assert overflow_of(404, {"error": {"message": "context length of 5"}}) is None


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "Incorrect API key provided: my-secret-key."}},
        {"error": "my-secret-key"},
        {"detail": [{"msg": "my-secret-key"}]},
        "<html>my-secret-key</html>",
        {"error": {"message": "Incorrect key: sk-proj-****ABCD, Bearer my-secret-key"}},
    ],
)
def test_the_words_of_a_server_never_hold_the_key(body: object) -> None:
    words = server_words(body, "my-secret-key")
    assert "secret" not in words
    assert "ABCD" not in words
    assert "[key]" in words
