"""What a reader's verdict does to what was learnt."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.tenancy import tenant_transaction
from retrieval.models import Feedback, Run
from retrieval.services.experience import learning
from retrieval.services.experience.feedback import FeedbackRefused, feedback_give
from retrieval.services.experience.learning import run_learn
from retrieval.services.experience.switching import edges_disable, edges_enable
from retrieval.services.search import search
from tests.answering.conftest import BLANK, HANDBOOK, Asking, saying
from tests.answering.test_experience import (
    ANSWER,
    QUESTION,
    QUOTE,
    SIMILAR,
    asked_with_edges,
    changed,
    edges,
    learnt,
    remembered,
)
from tests.factories import make_conversation, make_run
from tests.scripted_replies import Call, Say, say_json


def says(asking: Asking, run: Run, verdict: str) -> None:
    user = asking.company.member.user
    feedback_give(tenant=asking.company.tenant, run=run, user=user, verdict=verdict)


def states(asking: Asking) -> list[str]:
    return [edge.state for edge in edges(asking)]


@pytest.mark.parametrize("verdict", ["bad", "wrong_source"])
def test_a_bad_verdict_blocks_what_was_learnt_from_the_run(asking: Asking, verdict: str) -> None:
    run = learnt(asking)
    says(asking, run, verdict)
    assert states(asking) == ["blocked"]
    assert remembered(asking, asked_with_edges(asking)) == []


def test_a_bad_verdict_blocks_the_edges_that_led_to_the_answer(asking: Asking) -> None:
    learnt(asking)
    run = asked_with_edges(asking)
    says(asking, run, "wrong_source")
    assert states(asking) == ["blocked"]


def test_a_bad_verdict_blocks_what_its_own_run_has_taught_and_nothing_else(asking: Asking) -> None:
    first = learnt(asking)
    opening = "The office in Bergen opens at eight."
    read = Say(calls=(Call("read", {"uris": ["kb://handbook/handbook/offices"]}),))
    asking.script(read, saying(opening, "At eight [1]."))
    second = asking.ask(QUESTION, "viking")
    assert run_learn(tenant_id=second.tenant_id, run_id=second.pk)
    says(asking, second, "bad")
    assert states(asking) == ["active", "blocked"]
    says(asking, second, "good")
    says(asking, first, "bad")
    assert states(asking) == ["blocked", "active"]


def test_an_edge_that_two_runs_have_taught_is_blocked_by_a_verdict_on_either(
    asking: Asking,
) -> None:
    first, second = learnt(asking), learnt(asking)
    for run in (first, second):
        says(asking, run, "bad")
        assert states(asking) == ["blocked"]
        says(asking, run, "good")
        assert states(asking) == ["active"]


def test_an_edge_that_the_answer_did_not_cite_is_not_blocked(asking: Asking) -> None:
    learnt(asking)
    asking.script(saying("The office in Bergen opens at eight.", "At eight [1]."))
    run = asking.ask("How long does the warranty of the SL-420 last?", "adaptive")
    assert remembered(asking, run)
    assert QUOTE not in asking.quotes(run)
    says(asking, run, "bad")
    assert states(asking) == ["active"]


def test_a_good_verdict_changes_nothing_and_is_kept(asking: Asking) -> None:
    run = learnt(asking)
    says(asking, run, "good")
    assert states(asking) == ["active"]
    with tenant_transaction(asking.company.tenant):
        assert Feedback.objects.get().verdict == "good"


def test_a_verdict_changed_to_good_takes_its_block_back(asking: Asking) -> None:
    run = learnt(asking)
    for verdict in ("bad", "wrong_source", "good"):
        says(asking, run, verdict)
    assert states(asking) == ["active"]
    with tenant_transaction(asking.company.tenant):
        assert Feedback.objects.get().verdict == "good"


def test_a_block_stands_as_long_as_another_answers_verdict_does(asking: Asking) -> None:
    first = learnt(asking)
    second = asked_with_edges(asking)
    says(asking, second, "bad")
    says(asking, first, "bad")
    says(asking, first, "good")
    assert states(asking) == ["blocked"]
    says(asking, second, "good")
    assert states(asking) == ["active"]


def test_an_edge_whose_text_changed_while_it_was_blocked_comes_back_as_suspect(
    asking: Asking,
) -> None:
    run = learnt(asking)
    says(asking, run, "bad")
    changed(asking, HANDBOOK.replace("36 months", "48 months"))
    assert states(asking) == ["blocked"]
    says(asking, run, "good")
    assert states(asking) == ["suspect"]


def test_what_an_operator_has_disabled_no_reader_switches_on(asking: Asking) -> None:
    run = learnt(asking)
    with tenant_transaction(asking.company.tenant):
        assert edges_disable(edges(asking)) == 1
    says(asking, run, "bad")
    says(asking, run, "good")
    assert states(asking) == ["disabled"]
    with tenant_transaction(asking.company.tenant):
        assert edges_enable(edges(asking)) == 1
    assert states(asking) == ["active"]


def test_an_operator_enables_no_edge_that_a_reader_has_blocked(asking: Asking) -> None:
    run = learnt(asking)
    says(asking, run, "bad")
    with tenant_transaction(asking.company.tenant):
        assert edges_enable(edges(asking)) == 0
        edges_disable(edges(asking))
        edges_enable(edges(asking))
    assert states(asking) == ["blocked"]


def test_a_run_held_to_be_bad_by_mistake_teaches_after_all(asking: Asking) -> None:
    asking.script(saying(QUOTE, ANSWER))
    run = asking.ask(QUESTION)
    says(asking, run, "bad")
    assert not run_learn(tenant_id=run.tenant_id, run_id=run.pk)
    says(asking, run, "good")
    assert run_learn(tenant_id=run.tenant_id, run_id=run.pk)
    assert states(asking) == ["active"]


def test_a_verdict_changed_to_good_counts_no_place_a_second_time(asking: Asking) -> None:
    learnt(asking)
    read = Say(calls=(Call("read", {"uris": ["kb://handbook/handbook/offices"]}),))
    asking.script(read, saying("The office in Bergen opens at eight.", "At eight [1]."))
    run = asking.ask(SIMILAR, "viking-e")
    for verdict in ("bad", "good", "bad", "good"):
        says(asking, run, verdict)
        run_learn(tenant_id=run.tenant_id, run_id=run.pk)
    given, new = edges(asking)
    assert (given.successes, given.failures, given.uses) == (0, 1, 1)
    assert (new.state, new.uses) == ("active", 0)


def test_an_abstention_that_was_held_to_be_bad_counts_once(asking: Asking) -> None:
    learnt(asking)
    asking.script(say_json(BLANK))
    run = asking.ask(SIMILAR, "viking-e")
    for verdict in ("bad", "good"):
        says(asking, run, verdict)
        run_learn(tenant_id=run.tenant_id, run_id=run.pk)
    (given,) = edges(asking)
    assert (given.failures, given.uses) == (1, 1)


def test_a_verdict_changed_to_good_counts_a_place_that_it_cites_once(asking: Asking) -> None:
    learnt(asking)
    run = asked_with_edges(asking)
    for verdict in ("bad", "good", "bad", "good"):
        says(asking, run, verdict)
        run_learn(tenant_id=run.tenant_id, run_id=run.pk)
    (given,) = edges(asking)
    assert (given.state, given.successes, given.failures, given.uses) == ("active", 1, 0, 1)


def test_a_run_that_has_taught_does_not_teach_again_for_a_change_of_mind(asking: Asking) -> None:
    run = learnt(asking)
    for verdict in ("good", "bad", "good"):
        says(asking, run, verdict)
    assert not run_learn(tenant_id=run.tenant_id, run_id=run.pk)


def test_a_verdict_that_comes_while_a_run_is_being_learnt_from_counts(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking.script(saying(QUOTE, ANSWER))
    run = asking.ask(QUESTION)

    def judged_meanwhile(**arguments: Any) -> Any:
        says(asking, run, "bad")
        return search(**arguments)

    monkeypatch.setattr(learning, "search", judged_meanwhile)
    assert not run_learn(tenant_id=run.tenant_id, run_id=run.pk)
    assert states(asking) == []


@pytest.mark.parametrize("state", ["queued", "running", "failed", "stopped"])
def test_only_a_finished_answer_has_a_verdict(asking: Asking, state: str) -> None:
    company = asking.company
    conversation = make_conversation(company.tenant, company.base, company.member.user)
    run = make_run(company.tenant, conversation, state=state)
    with pytest.raises(FeedbackRefused, match="not finished"):
        says(asking, run, "good")
