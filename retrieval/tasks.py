"""What the worker calls: by the clock, and for questions whose web process is gone."""

import logging

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from retrieval.services.experience.auditing import audit_execute
from retrieval.services.experience.generating import GenerationRefused, questions_generate
from retrieval.services.experience.sweeping import experience_sweep
from retrieval.services.runs import run_execute
from retrieval.services.sweeping import answers_sweep, going_on

logger = logging.getLogger(__name__)


def sweep() -> None:
    """Mark or hand over what dead processes left in every tenant; then learn in each.

    Who waits for an answer does not wait for what is learnt from others.
    """
    tenants = list(Tenant.objects.all())
    for work in (answers_sweep, experience_sweep):
        for tenant in tenants:
            with going_on(f"{work.__name__} in tenant {tenant.pk}"):
                work(tenant=tenant)


def answer(tenant_id: int, run_id: int) -> None:
    """Answer one question; does nothing if another process has begun it or it is over."""
    run_execute(tenant_id=tenant_id, run_id=run_id)


def audit(tenant_id: int, audit_id: int) -> None:
    """Audit one answer; does nothing if another process has begun it or it is over."""
    audit_execute(tenant_id=tenant_id, audit_id=audit_id)


def generate(tenant_id: int, base_id: int, budget: int, per_section: int) -> None:
    """Make up questions for a base, unless it is gone or may learn nothing."""
    tenant = Tenant.objects.filter(pk=tenant_id).first()
    if tenant is None:
        return
    with tenant_transaction(tenant):
        base = KnowledgeBase.objects.filter(pk=base_id).first()
    if base is None:
        return
    try:
        outcome = questions_generate(
            tenant=tenant, base=base, budget=budget, per_section=per_section
        )
    except GenerationRefused as refused:
        logger.warning("No questions for base %s: %s", base_id, refused)
        return
    logger.info("Questions for base %s: %s", base_id, outcome)
