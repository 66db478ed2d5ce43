"""The sweeper: what a dead worker or a lost message left, and what waited, is queued again."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.models import IngestionRun
from knowledge.queue import queue_length
from knowledge.services.ingestion import GIVEN_UP, MAX_ATTEMPTS, run_fail, run_requeue


def runs_sweep(*, tenant: Tenant) -> int:
    """Requeue or end what was left in a tenant, send what is due; return how many runs."""
    silence = timedelta(seconds=settings.TASK_SILENCE_S)
    now = timezone.now()
    with tenant_transaction(tenant):
        # Skipping what is locked: a worker that holds its row is alive.
        rows = IngestionRun.objects.select_for_update(skip_locked=True, no_key=True)
        abandoned = list(rows.abandoned(now, silence))
        # While messages wait in the queue, a waiting run is not lost. Sent twice is harmless: the
        # second message finds the run claimed.
        lost = [] if queue_length() else list(rows.never_started(now, silence))
        due = list(rows.due(now))
        for run in abandoned:
            if run.attempts >= MAX_ATTEMPTS:
                sentence = GIVEN_UP.format(attempts=run.attempts)
                run_fail(run=run, code="broken_off", sentence=sentence)
            else:
                run_requeue(run=run)
        for run in [*lost, *due]:
            run_requeue(run=run)
    return len(abandoned) + len(lost) + len(due)
