"""What stands in the queue, and the sweeper that makes up for lost messages and workers."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ, Schedule

from accounts.tenancy import tenant_transaction
from knowledge.ingest import parsers
from knowledge.ingest.preflight import Limits
from knowledge.services.ingestion import MAX_ATTEMPTS
from knowledge.services.sweeping import runs_sweep
from knowledge.tasks import sweep
from tests.factories import Company, ingest_queued, make_base, make_tenant, uploaded
from tests.knowledge.conftest import (
    HANDBOOK,
    Interruption,
    run_of,
    set_back,
    version_of,
)

HOUR_AGO = timedelta(hours=1)


def test_the_queue_message_holds_ids_only_and_vanishes_with_its_transaction(a: Company) -> None:
    with suppress(Interruption), tenant_transaction(a.tenant):
        uploaded(a.tenant, a.base, "handbook.md", HANDBOOK)
        assert OrmQ.objects.count() == 1
        raise Interruption
    assert OrmQ.objects.count() == 0
    document = uploaded(a.tenant, a.base, "handbook.md", HANDBOOK)
    (message,) = OrmQ.objects.all()
    assert message.task["func"] == "knowledge.tasks.ingest"
    assert message.task["args"] == (a.tenant.pk, run_of(a.tenant, document).pk)


def test_the_sweeper_queues_a_silent_run_again_and_leaves_a_living_one(
    a: Company, settings
) -> None:
    settings.TASK_SILENCE_S = 60
    now = timezone.now()
    silent = uploaded(a.tenant, a.base, "silent.md", HANDBOOK)
    living = uploaded(a.tenant, a.base, "living.md", HANDBOOK)
    for document, age_s in ((silent, 61), (living, 55)):
        set_back(
            a.tenant,
            run_of(a.tenant, document),
            state="running",
            claim="c",
            attempts=1,
            heartbeat_at=now - timedelta(seconds=age_s),
        )
    OrmQ.objects.all().delete()
    assert runs_sweep(tenant=a.tenant) == 1
    assert (run_of(a.tenant, silent).state, run_of(a.tenant, silent).claim) == ("queued", "")
    assert (run_of(a.tenant, living).state, run_of(a.tenant, living).claim) == ("running", "c")
    (message,) = OrmQ.objects.all()
    assert message.task["args"] == (a.tenant.pk, run_of(a.tenant, silent).pk)


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_reads_a_large_file_for_long_is_not_taken_for_dead(
    monkeypatch: pytest.MonkeyPatch, settings
) -> None:
    settings.TASK_SILENCE_S = 0.5
    tenant = make_tenant()
    document = uploaded(tenant, make_base(tenant), "large.md", HANDBOOK)
    swept: list[int] = []
    parse = parsers.parse

    def slow(content: bytes, filename: str, *, limits: Limits):
        for _ in range(3):
            time.sleep(0.4)
            swept.append(runs_sweep(tenant=tenant))
        return parse(content, filename, limits=limits)

    monkeypatch.setattr("knowledge.services.trees.parse", slow)
    ingest_queued(tenant, document)
    assert swept == [0, 0, 0]
    run = run_of(tenant, document)
    assert (run.state, run.attempts) == ("done", 1)


def test_the_sweeper_ends_a_run_after_the_last_attempt_with_a_sentence(a: Company) -> None:
    document = uploaded(a.tenant, a.base, "handbook.md", HANDBOOK)
    run = run_of(a.tenant, document)
    set_back(
        a.tenant,
        run,
        state="running",
        attempts=MAX_ATTEMPTS,
        heartbeat_at=timezone.now() - HOUR_AGO,
    )
    runs_sweep(tenant=a.tenant)
    run = run_of(a.tenant, document)
    assert (run.state, run.error_code) == ("failed", "broken_off")
    assert f"broken off {MAX_ATTEMPTS} times" in version_of(a.tenant, document).message


def test_a_run_whose_message_was_lost_is_sent_again_once_the_queue_is_empty(a: Company) -> None:
    document = uploaded(a.tenant, a.base, "handbook.md", HANDBOOK)
    set_back(a.tenant, run_of(a.tenant, document), enqueued_at=timezone.now() - HOUR_AGO)
    assert runs_sweep(tenant=a.tenant) == 0  # its message is still there
    OrmQ.objects.all().delete()
    assert runs_sweep(tenant=a.tenant) == 1
    assert OrmQ.objects.count() == 1
    assert runs_sweep(tenant=a.tenant) == 0  # sent a moment ago
    ingest_queued(a.tenant, document)
    assert run_of(a.tenant, document).attempts == 1


def test_the_sweeper_goes_through_every_company_and_is_scheduled(a: Company, b: Company) -> None:
    documents = []
    for company in (a, b):
        document = uploaded(company.tenant, company.base, "handbook.md", HANDBOOK)
        set_back(
            company.tenant,
            run_of(company.tenant, document),
            state="running",
            heartbeat_at=timezone.now() - HOUR_AGO,
        )
        documents.append((company.tenant, document))
    sweep()
    assert [run_of(*place).state for place in documents] == ["queued", "queued"]
    assert Schedule.objects.filter(func="knowledge.tasks.sweep", minutes=1).count() == 1
