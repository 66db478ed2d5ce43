"""Drafts from whatever a model replied."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.agent.reasoner import Constraint, Quote
from retrieval.agent.structured import ANSWER_SCHEMA, answer_in, draft_of
from retrieval.llm.chat import Reply

REPLY = {
    "constraints": [{"need": "the SL-420", "met": True, "evidence": [3]}],
    "quotes": [{"evidence": 3, "text": "36 months"}],
    "missing": [],
    "sufficient": True,
    "answer": "It is 36 months [1].",
    "value": "36",
    "unit": "months",
    "is_blank": False,
}


def test_a_full_reply_is_a_sufficient_draft():
    draft = draft_of(REPLY)
    assert draft.sufficient
    assert draft.quotes == (Quote(3, "36 months"),)
    assert draft.constraints == (Constraint("the SL-420", True, (3,)),)
    assert (draft.value, draft.unit) == ("36", "months")


def draft_keys() -> list[str]:
    properties = ANSWER_SCHEMA["properties"]
    assert isinstance(properties, dict)
    return list(properties)


def test_the_schema_asks_for_evidence_before_the_answer():
    keys = draft_keys()
    assert keys == list(REPLY)
    assert keys.index("quotes") < keys.index("sufficient") < keys.index("answer")


@pytest.mark.parametrize("number", [3, "3", "E3", "[E3]"])
def test_an_evidence_number_may_be_written_as_the_header_writes_it(number):
    quotes = draft_of({**REPLY, "quotes": [{"evidence": number, "text": "36 months"}]}).quotes
    assert quotes == (Quote(3, "36 months"),)


@pytest.mark.parametrize(
    "change",
    [
        {"is_blank": True},
        {"answer": "is_blank"},
        {"answer": ""},
        {"answer": "[1]"},
        {"answer": "**[1][2]**."},
        {"sufficient": False},
        {"sufficient": "yes"},
        {"answer": "I'm sorry, I cannot answer that.", "quotes": []},
        {"answer": "К сожалению, в документах этого нет.", "quotes": []},
        {"answer": "无法回答。", "quotes": []},
    ],
)
def test_a_blank_a_refusal_and_a_doubt_are_insufficient(change):
    assert not draft_of({**REPLY, **change}).sufficient


@pytest.mark.parametrize("broken", [None, 7, {"evidence": 3}, {"text": "36 months"}, {}])
def test_a_quote_that_is_none_moves_no_other_ones_marker(broken):
    quotes = draft_of({**REPLY, "quotes": [broken, {"evidence": 3, "text": "36 months"}]}).quotes
    assert len(quotes) == 2
    assert quotes[1] == Quote(3, "36 months")


def test_an_answer_that_broke_off_is_insufficient_with_a_reason():
    written = json.dumps(REPLY)
    cut = written[: written.index("months [1].")]
    draft = draft_of(answer_in(Reply(cut, finish_reason="length")))
    assert (draft.sufficient, draft.answer) == (False, "")
    assert "broke off" in draft.reason
    assert draft.quotes == (Quote(3, "36 months"),)


def test_an_answer_is_kept_when_only_what_follows_it_broke_off():
    written = json.dumps(REPLY)
    cut = written[: written.index('"unit"') + 3]
    assert draft_of(answer_in(Reply(cut, finish_reason="length"))).answer == REPLY["answer"]


def test_no_reply_is_insufficient_with_a_reason():
    draft = draft_of(None)
    assert not draft.sufficient
    assert draft.reason


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(list(REPLY)), json_values))
def test_any_json_object_gives_a_draft(reply):
    draft = draft_of(json.loads(json.dumps(reply)))
    assert all(isinstance(quote, Quote) for quote in draft.quotes)
    assert not draft.sufficient or draft.answer
