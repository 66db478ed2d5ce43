"""Experience by the clock: runs teach and are audited, edges and vectors follow, orphans go."""

import logging
from collections.abc import Iterable
from datetime import timedelta

from django.utils import timezone

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.embedding import EmbeddingError
from knowledge.models import KnowledgeBase
from retrieval.models import ExperienceEdge, ExperienceQuestion, Run
from retrieval.services.experience.audit_queue import audits_draw, audits_hand_over
from retrieval.services.experience.embedding import questions_embed
from retrieval.services.experience.learning import LEASE, run_learn
from retrieval.services.experience.rebinding import edges_rebind
from retrieval.services.experience.rereading import questions_read
from retrieval.services.sweeping import going_on

logger = logging.getLogger(__name__)

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
        finished = Run.objects.unlearned_since(now - LEASE).filter(
            finished_at__gt=now - FORGOTTEN, finished_at__lt=now - PATIENCE
        )
        runs = list(finished.order_by("pk").values_list("pk", flat=True)[:AT_ONCE])
    audits_draw(tenant=tenant, run_ids=runs)
    _learn(tenant, runs)
    with tenant_transaction(tenant):
        outdated = ExperienceEdge.objects.outdated().values("base")
        bases = list(KnowledgeBase.objects.filter(pk__in=outdated))
    for base in bases:
        with going_on(f"binding the edges of base {base.pk}"), tenant_transaction(tenant):
            edges_rebind(base)
    with going_on(f"reading the questions of tenant {tenant.pk}"):
        questions_read(tenant=tenant)
    with going_on(f"embedding the questions of tenant {tenant.pk}"):
        questions_embed(tenant=tenant)
    with going_on(f"tidying up in tenant {tenant.pk}"), tenant_transaction(tenant):
        # A question whose documents are gone says things about them.
        ExperienceQuestion.objects.filter(edges=None).delete()
    audits_hand_over(tenant=tenant)
    return len(runs)


def _learn(tenant: Tenant, run_ids: Iterable[int]) -> None:
    """Learn from runs, as long as the model that embeds their questions answers."""
    for run_id in run_ids:
        with going_on(f"learning from run {run_id}"):
            try:
                run_learn(tenant_id=tenant.pk, run_id=run_id)
            except EmbeddingError as error:
                logger.warning("Learning in tenant %s waits: %s", tenant.pk, error)
                return
