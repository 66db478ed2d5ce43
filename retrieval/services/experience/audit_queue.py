"""Which answers are audited, and when: drawn by their number, handed to workers a few at a time.

Only answers of one round that a model gave are drawn: an agent's has nobody to check it against.
"""

import hashlib
from collections.abc import Collection
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from django_q.tasks import async_task

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from retrieval.models import ExperienceSettings, Run, ShadowAudit
from retrieval.services.sweeping import SILENCE

MOST_ATTEMPTS = 3
AT_ONCE = 2
"""Audits of a tenant that are under way: ingestion and abandoned questions need workers too."""

RETRY_AFTER = timedelta(minutes=5)
"""Until an audit that failed, or that no worker has begun, is handed over again."""

LOST = "The server stopped while the agent worked, {} times."


def audits_draw(*, tenant: Tenant, run_ids: Collection[int]) -> int:
    """Queue audits for the share of these runs that their bases ask for; return how many.

    The same runs are drawn however often it is called.
    """
    with tenant_transaction(tenant):
        asking = ExperienceSettings.objects.filter(audit_share__gt=0)
        shares = dict(
            asking.exclude(policy=ExperienceSettings.Policy.OFF).values_list("base", "audit_share")
        )
        answered = Run.objects.filter(
            pk__in=run_ids,
            base__in=shares,
            state=Run.State.DONE,
            abstained=False,
            escalated=False,
            confidence__isnull=False,
        ).exclude(prompts="")
        drawn = [
            ShadowAudit(tenant_id=tenant.pk, run=run, confidence=run.confidence)
            for run in answered.filter(audits=None)
            if is_drawn(tenant.pk, run.pk, shares[run.base_id])
        ]
        ShadowAudit.objects.bulk_create(drawn, ignore_conflicts=True)
    return len(drawn)


def is_drawn(tenant_id: int, run_id: int, share: float) -> bool:
    """Return whether a run is in the share, 0 to 1, of those that are audited."""
    digest = hashlib.sha256(f"audit {tenant_id} {run_id}".encode()).digest()
    return int.from_bytes(digest[:8]) < share * 2**64


def audits_hand_over(*, tenant: Tenant) -> int:
    """Queue again what a dead process left, and hand over what waits; return how many that were."""
    now = timezone.now()
    with tenant_transaction(tenant):
        running = ShadowAudit.objects.filter(state=ShadowAudit.State.RUNNING)
        silent = running.filter(heartbeat_at__lt=now - SILENCE)
        silent.filter(attempts__gte=MOST_ATTEMPTS).update(
            state=ShadowAudit.State.FAILED, reason=LOST.format(MOST_ATTEMPTS), finished_at=now
        )
        silent.update(state=ShadowAudit.State.QUEUED, heartbeat_at=None)
        queued = ShadowAudit.objects.filter(state=ShadowAudit.State.QUEUED)
        recent = queued.filter(heartbeat_at__gte=now - RETRY_AFTER)
        room = max(0, AT_ONCE - running.count() - recent.count())
        waiting = queued.filter(Q(heartbeat_at=None) | Q(heartbeat_at__lt=now - RETRY_AFTER))
        rows = waiting.select_for_update(skip_locked=True, no_key=True).order_by("pk")
        chosen = list(rows.values_list("pk", flat=True)[:room])
        ShadowAudit.objects.filter(pk__in=chosen).update(heartbeat_at=now)
        for audit_id in chosen:
            async_task("retrieval.tasks.audit", tenant.pk, audit_id)
    return len(chosen)
