"""Experience by the clock: runs teach and are audited, edges follow documents, orphans go."""

from datetime import timedelta

from django.utils import timezone

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from retrieval.models import ExperienceEdge, ExperienceQuestion, Run
from retrieval.services.experience.audit_queue import audits_draw, audits_hand_over
from retrieval.services.experience.learning import run_learn
from retrieval.services.experience.rebinding import edges_rebind

AT_ONCE = 100
"""Runs that one sweep learns from: the worker has other work as well."""

PATIENCE = timedelta(minutes=1)
"""A reader has as long to say that an answer is bad before anything is learnt from it."""

FORGOTTEN = timedelta(days=7)
"""What could not be learnt from for so long, its embedding model being away, never is."""


def experience_sweep(*, tenant: Tenant) -> int:
    """Learn, bind anew, tidy up and audit in a tenant; return how many runs were looked through."""
    now = timezone.now()
    with tenant_transaction(tenant):
        finished = Run.objects.filter(
            state=Run.State.DONE,
            learned_at=None,
            finished_at__gt=now - FORGOTTEN,
            finished_at__lt=now - PATIENCE,
        )
        runs = list(finished.order_by("pk").values_list("pk", flat=True)[:AT_ONCE])
    audits_draw(tenant=tenant, run_ids=runs)
    for run_id in runs:
        run_learn(tenant_id=tenant.pk, run_id=run_id)
    with tenant_transaction(tenant):
        outdated = ExperienceEdge.objects.outdated().values("base")
        for base in KnowledgeBase.objects.filter(pk__in=outdated):
            edges_rebind(base)
        # A question whose documents are gone says things about them.
        ExperienceQuestion.objects.filter(edges=None).delete()
    audits_hand_over(tenant=tenant)
    return len(runs)
