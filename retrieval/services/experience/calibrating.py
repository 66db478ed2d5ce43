"""How often an answer of one round should have gone on to the agent, and the cut that follows.

While a cut is in force, answers below it go on and are not audited: a later calibration sees them
only in audits from before. The audits of the last `WINDOW` count.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from retrieval.evaluation.cuts import Audited, Calibration, calibrated
from retrieval.evaluation.statistics import Interval, proportion
from retrieval.models import ExperienceSettings, ShadowAudit

WINDOW = timedelta(days=180)
MOST_AUDITS = 5_000


@dataclass(frozen=True, slots=True)
class AuditRate:
    """Audits of a base by their outcome; ``rate`` is that of false non-escalations among the
    ``compared``, with its 95 % interval. ``unclear`` are over without anything to compare."""

    compared: int
    false: int
    unclear: int
    waiting: int
    failed: int
    rate: Interval


def audit_rate(base: KnowledgeBase) -> AuditRate:
    """Return the base's measured rate, in an open transaction."""
    states = ShadowAudit.State
    rows = ShadowAudit.objects.filter(run__base=base, created_at__gt=timezone.now() - WINDOW)
    done = Q(state=states.DONE)
    found = rows.aggregate(
        compared=Count("pk", filter=done & Q(agrees__isnull=False)),
        false=Count("pk", filter=done & Q(agrees=False)),
        unclear=Count("pk", filter=done & Q(agrees=None)),
        waiting=Count("pk", filter=Q(state__in=(states.QUEUED, states.RUNNING))),
        failed=Count("pk", filter=Q(state=states.FAILED)),
    )
    return AuditRate(**found, rate=proportion(found["false"], found["compared"]))


def base_calibrate(*, tenant: Tenant, base: KnowledgeBase, target: float) -> Calibration:
    """Return what the base's audits say about its cut; nothing is changed."""
    with tenant_transaction(tenant):
        rows = ShadowAudit.objects.filter(
            run__base=base,
            state=ShadowAudit.State.DONE,
            agrees__isnull=False,
            confidence__isnull=False,
            created_at__gt=timezone.now() - WINDOW,
        )
        values = rows.order_by("-pk").values_list("confidence", "agrees")[:MOST_AUDITS]
        audits = [Audited(float(confidence or 0), bool(agrees)) for confidence, agrees in values]
    return calibrated(audits, target)


def base_cut_set(*, tenant: Tenant, base: KnowledgeBase, cut: float) -> None:
    """Let answers of less confidence go on to the agent; with 0 the verdict alone decides."""
    with tenant_transaction(tenant):
        ExperienceSettings.objects.update_or_create(
            tenant_id=tenant.pk, base=base, defaults={"cut": cut or None}
        )
