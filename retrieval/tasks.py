"""What the worker calls: by the clock, and for questions whose web process is gone."""

from accounts.models import Tenant
from retrieval.services.experience.auditing import audit_execute
from retrieval.services.experience.sweeping import experience_sweep
from retrieval.services.runs import run_execute
from retrieval.services.sweeping import answers_sweep


def sweep() -> None:
    """Mark or hand over the answers that dead processes left, and learn, in every tenant."""
    for tenant in Tenant.objects.all():
        answers_sweep(tenant=tenant)
        experience_sweep(tenant=tenant)


def answer(tenant_id: int, run_id: int) -> None:
    """Answer one question; does nothing if another process has begun it or it is over."""
    run_execute(tenant_id=tenant_id, run_id=run_id)


def audit(tenant_id: int, audit_id: int) -> None:
    """Audit one answer; does nothing if another process has begun it or it is over."""
    audit_execute(tenant_id=tenant_id, audit_id=audit_id)
