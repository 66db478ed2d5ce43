"""One thread shows that all runs of a process live, and hears Stop for each of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from accounts.tenancy import tenant_transaction
from retrieval.models import Run
from retrieval.services import heartbeat
from retrieval.services.heartbeat import beating
from retrieval.services.journal import Journal
from retrieval.services.runs import run_stop
from tests.factories import Company, make_company, make_run

pytestmark = pytest.mark.django_db(transaction=True)
FAR_S = 30.0


def running(company: Company) -> Run:
    return make_run(company.tenant, state="running", claim="c")


def journal_of(run: Run) -> Journal:
    return Journal(run.tenant_id, run.pk, "c")


def changed(run: Run, **fields: object) -> None:
    with tenant_transaction(run.tenant_id):
        Run.objects.filter(pk=run.pk).update(**fields)


def test_one_thread_listens_for_all_and_stop_reaches_the_run_it_is_meant_for() -> None:
    aurora, borealis = make_company("aurora"), make_company("borealis")
    first, second, third = running(aurora), running(aurora), running(borealis)
    with (
        beating(journal_of(first)) as stopped,
        beating(journal_of(second)) as going_on,
        beating(journal_of(third)) as elsewhere,
    ):
        assert [one.name for one in threading.enumerate()].count("heartbeat") == 1
        run_stop(tenant=aurora.tenant, run=first)
        assert stopped.wait(FAR_S)
        changed(third, claim="of another process")
        assert elsewhere.wait(FAR_S)
        assert not going_on.is_cancelled


def test_every_run_shows_that_its_process_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "BEAT_S", 0.02)
    company = make_company("aurora")
    runs = [running(company) for _ in range(3)]
    long_ago = timezone.now() - timedelta(hours=1)
    with beating(journal_of(runs[0])), beating(journal_of(runs[1])), beating(journal_of(runs[2])):
        for run in runs:
            changed(run, heartbeat_at=long_ago)
        deadline = time.monotonic() + FAR_S
        while any(beat_of(run) == long_ago for run in runs):
            assert time.monotonic() < deadline
            time.sleep(0.02)


def beat_of(run: Run) -> object:
    with tenant_transaction(run.tenant_id):
        return Run.objects.get(pk=run.pk).heartbeat_at


def test_a_database_that_fails_for_a_while_costs_no_run_its_ear_for_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    company = make_company("aurora")
    run = running(company)
    failed = threading.Event()

    @contextmanager
    def failing_once(tenant: int) -> Iterator[None]:
        if not failed.is_set():
            failed.set()
            raise OperationalError("gone")
        with tenant_transaction(tenant):
            yield

    with beating(journal_of(run)) as cancellation:
        monkeypatch.setattr(heartbeat, "tenant_transaction", failing_once)
        assert failed.wait(FAR_S)
        run_stop(tenant=company.tenant, run=run)
        assert cancellation.wait(FAR_S)
