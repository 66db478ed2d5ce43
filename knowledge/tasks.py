"""What the worker calls: fetch by id, call the service."""

from accounts.models import Tenant
from knowledge.services.ingestion import run_ingest
from knowledge.services.sweeping import runs_sweep


def ingest(tenant_id: int, run_id: int) -> None:
    """Ingest one version; does nothing if another worker has the run or it is over."""
    run_ingest(tenant_id=tenant_id, run_id=run_id)


def sweep() -> None:
    """Requeue what dead workers left, in every tenant."""
    for tenant in Tenant.objects.all():
        runs_sweep(tenant=tenant)
