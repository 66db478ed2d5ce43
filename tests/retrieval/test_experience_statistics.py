"""What a base's experience is worth, counted from its rows."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.tenancy import tenant_transaction
from retrieval.experience_sentences import saving_sentence, statistics_lines
from retrieval.models import Run
from retrieval.services.experience.statistics import Saving, Statistics, statistics_of
from tests.experience_factories import (
    make_audit,
    make_experience_edge,
    make_experience_question,
)
from tests.factories import (
    Company,
    make_base,
    make_citation,
    make_conversation,
    make_document,
    make_event,
    make_run,
    make_version,
)

PATH = "handbook/p1"


def finished(company: Company, tokens: int | None, **fields: Any) -> Run:
    """Return an answered run of a preset with edges."""
    values = {
        "state": "done",
        "preset": "viking-e",
        "prompt_tokens": tokens,
        "completion_tokens": None if tokens is None else 0,
        "finished_at": timezone.now(),
    }
    conversation = make_conversation(company.tenant, company.base, company.member.user)
    return make_run(company.tenant, conversation, **{**values, **fields})


def aided(company: Company, tokens: int, *, cites: str = PATH) -> Run:
    """Return a run that remembered PATH and cites a place."""
    run = finished(company, tokens)
    payload = {"edges": [1], "paths": [PATH], "suspects": 0, "tokens": 9}
    make_event(company.tenant, run, kind="remembered", payload=payload)
    version = make_version(company.tenant, make_document(company.tenant, company.base))
    make_citation(company.tenant, run, version, path=cites)
    return run


def numbers_of(company: Company) -> Statistics:
    with tenant_transaction(company.tenant):
        return statistics_of(company.base)


def test_questions_count_by_origin_and_edges_by_state(a: Company) -> None:
    version = make_version(a.tenant, make_document(a.tenant, a.base))
    for number, (origin, state) in enumerate(
        [("live", "active"), ("live", "blocked"), ("synthetic", "active")]
    ):
        question = make_experience_question(a.tenant, a.base, f"Question {number}?", origin=origin)
        make_experience_edge(a.tenant, question, version, state=state)
    make_experience_question(a.tenant, make_base(a.tenant), "Of another base?")
    numbers = numbers_of(a)
    assert numbers.questions == {"live": 2, "synthetic": 1}
    assert numbers.edges == {"active": 2, "blocked": 1}


def test_the_median_age_is_that_of_edges_in_use(a: Company) -> None:
    version = make_version(a.tenant, make_document(a.tenant, a.base))
    question = make_experience_question(a.tenant, a.base)
    for days, state in ((1, "active"), (10, "suspect"), (20, "active"), (400, "disabled")):
        made = timezone.now() - timedelta(days=days, hours=1)
        make_experience_edge(
            a.tenant, question, version, path=f"p{days}", created_at=made, state=state
        )
    age = numbers_of(a).median_age
    assert age is not None
    assert age.days == 10


def test_the_hit_rate_is_of_the_last_thirty_days_and_presets_with_edges(a: Company) -> None:
    aided(a, 10)
    for _ in range(3):
        finished(a, 10)
    finished(a, 10, preset="naive")
    finished(a, 10, state="failed")
    finished(a, 10, finished_at=timezone.now() - timedelta(days=31))
    numbers = numbers_of(a)
    assert (numbers.remembered, numbers.finished, numbers.hit_rate) == (1, 4, 0.25)


def test_tokens_saved_are_measured_against_the_median_without_experience(a: Company) -> None:
    for tokens in (900, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_100, 9_000, 90_000):
        finished(a, tokens)
    for _ in range(10):
        aided(a, 400)
    assert numbers_of(a).saving == Saving(6_000, aided=10, unaided=10)


def test_a_place_that_was_remembered_and_not_cited_has_saved_nothing(a: Company) -> None:
    for _ in range(10):
        finished(a, 1_000)
        aided(a, 400)
    aided(a, 100, cites="handbook/p2")
    assert numbers_of(a).saving == Saving(6_000, aided=10, unaided=10)


def test_unknown_tokens_and_abstentions_are_not_counted(a: Company) -> None:
    finished(a, None)
    finished(a, 10, abstained=True)
    assert numbers_of(a).saving == Saving(None, aided=0, unaided=0)


@pytest.mark.parametrize(("with_experience", "without"), [(9, 10), (10, 9)])
def test_below_ten_runs_of_either_nothing_is_claimed(
    a: Company, with_experience: int, without: int
) -> None:
    for _ in range(with_experience):
        aided(a, 400)
    for _ in range(without):
        finished(a, 1_000)
    saving = numbers_of(a).saving
    assert saving == Saving(None, aided=with_experience, unaided=without)
    assert saving_sentence(saving).startswith("Not enough runs yet")


def test_experience_that_cost_more_says_so() -> None:
    told = saving_sentence(Saving(-1_200, aided=12, unaided=40))
    assert (
        told == "none; 1,200 more spent in 12 answers with experience, by the median of 40 without."
    )


def test_audits_tell_how_often_the_agent_found_something_else(a: Company) -> None:
    for number in range(8):
        make_audit(a.tenant, finished(a, 10), state="done", agrees=number > 1)
    make_audit(a.tenant, finished(a, 10), state="done")
    make_audit(a.tenant, finished(a, 10), state="queued")
    told = dict(statistics_lines(numbers_of(a)))["Checked by the agent"]
    assert told == (
        "8 answers; the agent found something else for 2: 25 %, with 95 % certainty between 7 % "
        "and 59 %. 1 not comparable, 1 waiting."
    )


def test_a_base_without_audits_claims_nothing_of_them(a: Company) -> None:
    assert "Checked by the agent" not in dict(statistics_lines(numbers_of(a)))


def test_another_base_and_another_company_count_for_themselves(a: Company, b: Company) -> None:
    aided(b, 10)
    numbers = numbers_of(a)
    assert (numbers.questions, numbers.edges, numbers.finished) == ({}, {}, 0)
    assert [sentence for _, sentence in statistics_lines(numbers)][:2] == ["None yet."] * 2


def test_the_queries_are_as_many_for_many_runs(a: Company) -> None:
    counts = []
    for size in (1, 15):
        for _ in range(size):
            aided(a, 10)
            finished(a, 20)
        with tenant_transaction(a.tenant), CaptureQueriesContext(connection) as queries:
            statistics_of(a.base)
        counts.append(len(queries))
    assert counts == [6, 6]
