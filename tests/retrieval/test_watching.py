"""One reader for all who follow runs: nobody misses an event, and its failure reaches everyone."""

from __future__ import annotations

import threading

import pytest
from django.db import OperationalError

from accounts.tenancy import tenant_transaction
from retrieval.models import Run
from retrieval.services.watching import Watcher
from tests.factories import Company, make_company, make_event, make_run

pytestmark = pytest.mark.django_db(transaction=True)
FAR_S = 30.0


@pytest.fixture
def company() -> Company:
    return make_company("aurora")


def running(company: Company) -> Run:
    return make_run(company.tenant, state="running", claim="c")


def numbers(watcher: Watcher, run: Run, until: int) -> list[int]:
    """Follow until so many events were seen, and return their numbers."""
    seen: list[int] = []
    with watcher.following(run.tenant_id, run.pk) as watched:
        while len(seen) < until:
            assert watcher.wait(watched, len(seen), FAR_S)
            seen += [event.number for event in watched.after(len(seen))]
    return seen


def test_who_comes_late_sees_all_events_and_those_of_no_other_run(company: Company) -> None:
    watcher, first, second = Watcher(), running(company), running(company)
    for number in (1, 2, 3):
        make_event(company.tenant, first, number=number)
    make_event(company.tenant, second, number=1)
    with watcher.following(first.tenant_id, first.pk) as watched:
        assert watcher.wait(watched, 2, FAR_S)
        make_event(company.tenant, first, number=4)
        assert numbers(watcher, first, 4) == [1, 2, 3, 4]
        assert numbers(watcher, second, 1) == [1]
        assert watcher.wait(watched, 3, FAR_S)


def test_who_follows_misses_nothing_where_events_were_deleted(company: Company) -> None:
    watcher, run = Watcher(), running(company)
    for number in (1, 2, 5, 6):
        make_event(company.tenant, run, number=number)
    with watcher.following(run.tenant_id, run.pk) as watched:
        assert watcher.wait(watched, 3, FAR_S)
        assert [event.number for event in watched.after(3)] == [5, 6]
        make_event(company.tenant, run, number=8)
        assert watcher.wait(watched, 6, FAR_S)
        assert [event.number for event in watched.after(6)] == [8]


def test_a_run_that_ends_and_one_that_is_deleted_are_over(company: Company) -> None:
    watcher, run, gone = Watcher(), running(company), running(company)
    with (
        watcher.following(run.tenant_id, run.pk) as watched,
        watcher.following(gone.tenant_id, gone.pk) as lost,
    ):
        assert not watcher.wait(watched, 0, 0.01)
        with tenant_transaction(company.tenant):
            Run.objects.filter(pk=run.pk).update(state="done")
            Run.objects.filter(pk=gone.pk).delete()
        assert watcher.wait(watched, 0, FAR_S)
        assert watcher.wait(lost, 0, FAR_S)
    assert (watched.state, lost.state) == ("done", "interrupted")


def test_a_database_that_fails_is_told_to_all_and_the_next_is_served(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher, run = Watcher(), running(company)
    make_event(company.tenant, run, number=1)
    broken = threading.Event()

    def failing(tenant: int):
        if broken.is_set():
            raise OperationalError("gone")
        return tenant_transaction(tenant)

    monkeypatch.setattr("retrieval.services.watching.tenant_transaction", failing)
    with watcher.following(run.tenant_id, run.pk) as watched:
        assert watcher.wait(watched, 0, FAR_S)
        broken.set()
        with pytest.raises(OperationalError):
            watcher.wait(watched, 1, FAR_S)
        broken.clear()
        assert numbers(watcher, run, 1) == [1]
