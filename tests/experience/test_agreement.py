"""What one question has learned serves its paraphrases and not its near-duplicates."""

from __future__ import annotations

import pytest

from retrieval.experience import agree, slots_of
from tests.experience.pairs import LANGUAGES, Pair, pairs


def test_the_pairs_are_as_many_as_promised_in_each_language():
    for language in LANGUAGES:
        own = [pair for pair in pairs() if pair.language == language]
        assert sum(pair.is_trap for pair in own) >= 15
        assert sum(not pair.is_trap for pair in own) >= 15


@pytest.mark.parametrize("pair", [pair for pair in pairs() if pair.is_trap], ids=str)
def test_a_near_duplicate_that_means_another_thing_disagrees(pair: Pair):
    assert agree(*pair.slots())


@pytest.mark.parametrize("language", LANGUAGES)
def test_nine_in_ten_paraphrases_agree(language: str, record_property):
    own = [pair for pair in pairs() if pair.language == language and not pair.is_trap]
    agreeing = sum(not agree(*pair.slots()) for pair in own)
    record_property("figures", f"{language}: {agreeing} of {len(own)} paraphrases agree")
    assert agreeing >= 0.9 * len(own)


@pytest.mark.parametrize(
    ("one", "other", "disagreeing"),
    [
        ("What was paid in 2025?", "What was paid in 2026?", "dates"),
        ("Is it open on Monday?", "Is it open on Tuesday?", "dates"),
        ("What does clause 3 say?", "What does clause 4 say?", "numbers"),
        ("Does it switch in 5 ms?", "Is 5 m enough for it?", "quantities"),
        ("How do I reset the SL-420?", "How do I reset the SL-430?", "codes"),
        ("What changed in v2.1?", "What changed in v2.2?", "codes"),
        ("Who runs the office in Graz?", "Who runs the office?", "names"),
        ("Who may enter?", "Who may not enter?", "negation"),
        ("How is paid leave requested?", "How is unpaid leave requested?", "negation"),
        ("Who signs below 500 euros?", "Who signs above 500 euros?", "comparison"),
        ("What is done before it?", "What is done after it?", "comparison"),
        ("Is A4 larger than A5?", "Is A5 larger than A4?", "comparison"),
        ("Who does it?", "Why is it done?", "answer"),
        ("Where is the scanner?", "Where is the printer?", "subject"),
    ],
)
def test_the_slot_that_disagrees_is_named(one: str, other: str, disagreeing: str):
    assert disagreeing in agree(
        slots_of(one, language="en", document_frequency=lambda _: 0.0),
        slots_of(other, language="en", document_frequency=lambda _: 0.0),
    )


def test_a_word_that_half_of_the_base_holds_tells_no_questions_apart():
    one, other = "Which form is for the tax return?", "What is the form for a refund of the tax?"

    def slots(question: str, share: float):
        return slots_of(question, language="en", document_frequency=lambda _: share)

    assert agree(slots(one, 0.01), slots(other, 0.01)) == ("subject",)
    assert agree(slots(one, 0.5), slots(other, 0.5)) == ()


def test_long_texts_that_differ_at_their_ends_disagree():
    one, other = ("Is this fine? " + "word " * 400 + end for end in ("2025", "2026"))
    assert agree(
        slots_of(one, language="en", document_frequency=lambda _: 0.0),
        slots_of(other, language="en", document_frequency=lambda _: 0.0),
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Is 24 hours the limit?", "Is 1 day the limit?"),
        ("Is a term of two years usual?", "Is a term of 24 months usual?"),
        ("Does it weigh 2 tonnes?", "Does it weigh 2,000 kg?"),
        ("Who signs above €10,000?", "Who signs above 10 thousand euros?"),
        ("What is due in Q2?", "What is due in the second quarter?"),
        ("Who is Keller?", "who is keller?"),
        ("Does it take no more than 3 days?", "Does it take at most 3 days?"),
    ],
)
def test_equal_values_agree_however_they_are_written(one: str, other: str):
    assert not agree(
        slots_of(one, language="en", document_frequency=lambda _: 0.0),
        slots_of(other, language="en", document_frequency=lambda _: 0.0),
    )
