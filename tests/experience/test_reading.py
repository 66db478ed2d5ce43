"""What a question says is read once, and its key leaves out no other that means the same."""

from __future__ import annotations

import hashlib

import pytest

from retrieval.experience import READ_BY, agree, reading_of
from tests.experience.pairs import pairs, sample_frequency

READ = {"1": "36fec8c04b09df49"}
"""Of each rule the digest of what it reads: where that changes, READ_BY is raised."""


def key(question: str, language: str = "en") -> str:
    return reading_of(question, language).key


def test_questions_that_agree_have_one_key() -> None:
    for pair in pairs():
        one, other = (reading_of(text, pair.language) for text in (pair.one, pair.other))
        if not agree(one.within(sample_frequency), other.within(sample_frequency)):
            assert one.key == other.key, (pair.one, pair.other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What does clause 7 say?", "What does clause 9 say?"),
        ("Is the SL-420 covered?", "Is the SL-430 covered?"),
        ("Is it allowed?", "Is it not allowed?"),
        ("What was paid in 2025?", "What was paid in 2026?"),
        ("Is 5 ms enough?", "Is 5 m enough?"),
    ],
)
def test_what_can_never_agree_has_another_key(one: str, other: str) -> None:
    assert key(one) != key(other)


def test_a_lone_one_is_no_more_than_an_article() -> None:
    assert key("Is 1 key enough?") == key("Is a key enough?")


def test_keys_that_change_are_of_another_rule() -> None:
    texts = [(pair.language, text) for pair in pairs() for text in (pair.one, pair.other)]
    keys = "\n".join(key(text, language).partition(":")[2] for language, text in texts)
    assert hashlib.sha256(keys.encode()).hexdigest()[:16] == READ[READ_BY]
