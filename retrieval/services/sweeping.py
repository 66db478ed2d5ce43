"""Runs whose process died in the middle are marked interrupted, so that nobody waits for them."""

from datetime import timedelta

from django.utils import timezone

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from retrieval.models import Run

SILENCE = timedelta(minutes=3)
"""A running answer that has written nothing for this long has lost its process."""

INTERRUPTED = "The server stopped while answering. Please ask again."


def answers_sweep(*, tenant: Tenant) -> int:
    """Mark what a dead process left in a tenant; return how many runs that were."""
    now = timezone.now()
    with tenant_transaction(tenant):
        return Run.objects.filter(state=Run.State.RUNNING, heartbeat_at__lt=now - SILENCE).update(
            state=Run.State.INTERRUPTED, reason=INTERRUPTED, finished_at=now
        )
