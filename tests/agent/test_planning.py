"""One question made several searches."""

import pytest

from retrieval.agent.planning import needs_plan, queries_of
from tests.agent.evidence_factories import hit, section

SECTION = section(["The SL-420 is made in Bergen."])


def test_the_question_itself_is_the_first_query():
    assert queries_of("Who?", {"queries": ["Which person?"]}, 3) == ("Who?", "Which person?")


def test_without_a_plan_the_question_is_searched_alone():
    assert queries_of("Who?", None, 3) == ("Who?",)


@pytest.mark.parametrize("queries", ["text", [1, None, {}], [" "], 7])
def test_whatever_is_no_query_is_left_out(queries):
    assert queries_of("Who?", {"queries": queries}, 3) == ("Who?",)


def test_a_query_is_searched_once_and_no_more_than_asked_for():
    plan = {"queries": ["who?", "a", "b", "c"]}
    assert queries_of("Who?", plan, 3) == ("Who?", "a", "b")


@pytest.mark.parametrize(
    "question",
    [
        "Which of A and B is older?",
        "Сколько стоит A и кто его делает?",
        "A和B有什么区别？",
        "Who made it? When?",
    ],
)
def test_a_compound_question_needs_a_plan(question):
    assert needs_plan(question, [hit(1, SECTION, 0, dense=0.95)])


def test_a_simple_question_with_a_near_hit_needs_none():
    assert not needs_plan("Who made the SL-420?", [hit(1, SECTION, 0, dense=0.9)])


def test_a_question_that_finds_nothing_needs_a_plan():
    assert needs_plan("Who made the SL-420?", [])
