"""What dead processes left: runs broken off are marked so, runs never begun go to a worker.

A run that was broken off is not begun again: its model may have been called, and is not called
twice.
"""

import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.utils import timezone
from django_q.tasks import async_task

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from retrieval.models import Run
from retrieval.services.journal import snapshots_forget

logger = logging.getLogger(__name__)

SILENCE = timedelta(seconds=30)
"""A running answer without a sign of life for this long, six beats, has lost its process."""

PATIENCE = timedelta(minutes=1)
"""A question that waited this long for its web process, which may be gone, goes to a worker."""

INTERRUPTED = "The server or its database stopped while answering. Please ask again."


@contextmanager
def going_on(what: str) -> Iterator[None]:
    """Log what goes wrong in the block, and go on: it must not keep others from their turn."""
    try:
        yield
    except Exception:
        logger.exception("Failed: %s.", what)


def answers_sweep(*, tenant: Tenant) -> int:
    """Mark and hand over what a dead process left in a tenant; return how many runs that were."""
    with tenant_transaction(tenant):
        return _interrupt(tenant.pk) + _hand_over(tenant.pk)


def is_silent(run: Run) -> bool:
    """Return whether the run's process was dead when the run was read."""
    beat = run.heartbeat_at
    return run.state == Run.State.RUNNING and bool(beat and beat < timezone.now() - SILENCE)


def runs_interrupt_if_silent(*, tenant_id: int, run_ids: Collection[int]) -> int:
    """Mark those whose process is dead, for who follows them; return how many were."""
    with tenant_transaction(tenant_id):
        return _interrupt(tenant_id, pk__in=run_ids)


def _interrupt(tenant_id: int, **which: Collection[int]) -> int:
    now = timezone.now()
    silent = Run.objects.filter(tenant_id=tenant_id, **which).silent_since(now - SILENCE)
    rows = silent.select_for_update(no_key=True).order_by("pk")
    dead = list(rows.values_list("pk", flat=True))
    if dead:
        ended = {"state": Run.State.INTERRUPTED, "reason": INTERRUPTED, "finished_at": now}
        Run.objects.filter(pk__in=dead).update(**ended)
        snapshots_forget(dead)
    return len(dead)


def _hand_over(tenant_id: int) -> int:
    """Queue what nobody has begun, each once a minute; whoever claims it first answers it."""
    now = timezone.now()
    rows = Run.objects.select_for_update(skip_locked=True, no_key=True)
    waiting = list(rows.not_begun_since(now - PATIENCE).values_list("pk", flat=True))
    Run.objects.filter(pk__in=waiting).update(heartbeat_at=now)
    for run_id in waiting:
        async_task("retrieval.tasks.answer", tenant_id, run_id)
    return len(waiting)
