"""A question that nobody follows, and a process that dies: every run ends, by itself and once."""

from __future__ import annotations

import threading
import time
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_q.models import OrmQ

from accounts.tenancy import tenant_transaction
from retrieval.agent.evidence import Context
from retrieval.agent.reasoner import Draft, Signals
from retrieval.models import Run
from retrieval.services import heartbeat
from retrieval.services.runs import run_execute
from retrieval.services.streaming import run_stream
from retrieval.services.sweeping import PATIENCE, SILENCE, answers_sweep
from retrieval.tasks import answer
from tests.doubles import QuotingReasoner, ScriptedReasoner, use_reasoner
from tests.factories import Company, ingested, make_company, make_conversation, make_run

TEXT = "# Handbook\n\nThe office opens at nine.\n"


def waiting_run(company: Company, **fields: object) -> Run:
    conversation = make_conversation(company.tenant, company.base, company.member.user)
    return make_run(company.tenant, conversation, **fields)


def state(run: Run) -> str:
    return fresh(run).state


def fresh(run: Run) -> Run:
    with tenant_transaction(run.tenant_id):
        return Run.objects.get(pk=run.pk)


def over(run: Run) -> bool:
    """Wait until the run is over; a minute is far more than it takes."""
    deadline = time.monotonic() + 60
    while not fresh(run).is_over and time.monotonic() < deadline:
        time.sleep(0.05)
    return fresh(run).is_over


@pytest.mark.django_db(transaction=True)
def test_a_question_that_nobody_follows_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    company = make_company("aurora")
    ingested(company.tenant, company.base, "handbook.md", TEXT)
    use_reasoner(monkeypatch, QuotingReasoner("nine"))
    client = Client()
    client.force_login(company.member.user)
    ask = reverse("ask", args=[company.tenant.slug, company.base.slug])
    assert client.post(ask, {"question": "When does it open?"}).status_code == 302
    with tenant_transaction(company.tenant):
        run = Run.objects.get()
    assert over(run)
    assert fresh(run).answer == "The office opens at nine. [1]"


def test_a_question_whose_web_process_is_gone_goes_to_a_worker_once_a_minute(
    a: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingested(a.tenant, a.base, "handbook.md", TEXT)
    use_reasoner(monkeypatch, QuotingReasoner("nine"))
    OrmQ.objects.all().delete()
    late = waiting_run(a, created_at=timezone.now() - PATIENCE * 2)
    make_run(a.tenant)
    assert answers_sweep(tenant=a.tenant) == 1
    assert answers_sweep(tenant=a.tenant) == 0
    assert [message.task["args"] for message in OrmQ.objects.all()] == [(a.tenant.pk, late.pk)]
    answer(a.tenant.pk, late.pk)
    first = fresh(late)
    assert first.state == "done"
    answer(a.tenant.pk, late.pk)
    assert fresh(late).finished_at == first.finished_at


def test_who_follows_a_run_whose_process_died_learns_it_without_the_sweeper(a: Company) -> None:
    past = timezone.now() - SILENCE - timedelta(seconds=1)
    run = make_run(a.tenant, state="running", claim="c", heartbeat_at=past)
    assert [frame.kind for frame in run_stream(tenant_id=a.tenant.pk, run_id=run.pk)] == ["done"]
    assert state(run) == "interrupted"
    run_execute(tenant_id=a.tenant.pk, run_id=run.pk)
    assert state(run) == "interrupted"


@pytest.mark.django_db(transaction=True)
def test_a_run_whose_reasoner_thinks_for_long_shows_that_its_process_lives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(heartbeat, "BEAT_S", 0.02)
    company = make_company("aurora")
    run = waiting_run(company)
    long_ago = timezone.now() - timedelta(hours=1)

    def thinking(question: str, context: Context, signals: Signals) -> Draft:
        with tenant_transaction(run.tenant_id):
            Run.objects.filter(pk=run.pk).update(heartbeat_at=long_ago)
        deadline = time.monotonic() + 60
        while fresh(run).heartbeat_at == long_ago and time.monotonic() < deadline:
            time.sleep(0.02)
        assert answers_sweep(tenant=company.tenant) == 0
        return Draft("", (), sufficient=False, reason="Nothing.")

    use_reasoner(monkeypatch, ScriptedReasoner(thinking))
    run_execute(tenant_id=run.tenant_id, run_id=run.pk)
    assert (state(run), fresh(run).reason) == ("done", "Nothing.")


@pytest.mark.django_db(transaction=True)
def test_a_reasoner_that_never_answers_is_given_up_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(heartbeat, "BEAT_S", 0.02)
    monkeypatch.setattr(heartbeat, "limit_s", lambda tenant_id: 0.05)
    company = make_company("aurora")
    run = waiting_run(company)
    go = threading.Event()

    def endless(question: str, context: Context, signals: Signals) -> Draft:
        assert go.wait(60)
        return QuotingReasoner("nine").answer(question, context, signals)

    use_reasoner(monkeypatch, ScriptedReasoner(endless))
    kinds = [frame.kind for frame in run_stream(tenant_id=run.tenant_id, run_id=run.pk)]
    assert kinds[-1] == "failed"
    assert fresh(run).reason == heartbeat.TOO_LONG
    go.set()
