"""Answers whose process died."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.tenancy import tenant_transaction
from retrieval.models import Run
from retrieval.services.sweeping import SILENCE
from retrieval.tasks import sweep
from tests.factories import Company, make_event, make_run

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("state", "silent", "expected"),
    [
        (Run.State.RUNNING, SILENCE + timedelta(seconds=1), Run.State.INTERRUPTED),
        (Run.State.RUNNING, timedelta(seconds=1), Run.State.RUNNING),
        (Run.State.QUEUED, SILENCE * 2, Run.State.QUEUED),
        (Run.State.DONE, SILENCE * 2, Run.State.DONE),
    ],
)
def test_only_a_running_answer_that_fell_silent_is_interrupted(
    a: Company, state: str, silent: timedelta, expected: str
):
    run = make_run(a.tenant, state=state, heartbeat_at=timezone.now() - silent)
    sweep()
    with tenant_transaction(a.tenant):
        run.refresh_from_db()
    assert run.state == expected
    assert bool(run.reason) == (expected == Run.State.INTERRUPTED)


def test_of_an_answer_whose_process_died_the_last_that_was_shown_is_kept(a: Company):
    long_ago = timezone.now() - SILENCE * 2
    dead, alive = (
        make_run(a.tenant, state=Run.State.RUNNING, heartbeat_at=moment)
        for moment in (long_ago, timezone.now())
    )
    for run in (dead, alive):
        for number, kind in enumerate(("started", "answer", "searched", "answer", "answer"), 1):
            make_event(a.tenant, run, number=number, kind=kind)
    sweep()
    with tenant_transaction(a.tenant):
        assert [event.number for event in dead.events.all()] == [1, 3, 5]
        assert [event.number for event in alive.events.all()] == [1, 2, 3, 4, 5]


def test_answers_of_every_company_are_swept(a: Company, b: Company):
    runs = [
        (company.tenant, make_run(company.tenant, state=Run.State.RUNNING, heartbeat_at=past))
        for company in (a, b)
        for past in [timezone.now() - SILENCE * 2]
    ]
    sweep()
    for tenant, run in runs:
        with tenant_transaction(tenant):
            run.refresh_from_db()
        assert run.state == Run.State.INTERRUPTED
