"""Whatever is asked, slots are found and agreement is fair."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from retrieval.experience import agree, slots_of
from tests.experience.pairs import pairs

_WRITTEN = [question for pair in pairs() for question in (pair.one, pair.other)]
_PIECES = [
    "5 ms",
    "2025",
    "十分钟",
    "не более 3",
    "SL-420",
    "zwei",
    "?",
    "\ud800",
    "9" * 5000,
    "٣",
    "²",
]
questions = st.one_of(
    st.text(),
    st.sampled_from(_WRITTEN),
    st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=5))).map(" ".join),
)
languages = st.sampled_from(["en", "ru", "de", "zh", "fr", "", "de-AT"])
shares = st.floats(min_value=0, max_value=1)


def read(question: str, language: str, share: float):
    return slots_of(question, language=language, document_frequency=lambda _: share)


@given(questions, languages, shares)
def test_a_question_agrees_with_itself(question, language, share):
    slots = read(question, language, share)
    assert agree(slots, slots) == ()


@given(questions, questions, languages, shares)
def test_agreement_is_the_same_in_both_directions(one, other, language, share):
    first, second = read(one, language, share), read(other, language, share)
    assert agree(first, second) == agree(second, first)


@given(st.sampled_from(_WRITTEN), languages, shares)
def test_spaces_and_the_question_mark_say_nothing(question, language, share):
    bare = question.rstrip("?？ ")
    first, second = read(question, language, share), read(f"  {bare}??", language, share)
    assert agree(first, second) == ()
