"""What the worker calls: fetch by id, call the service."""

import logging
import time

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.models import IngestionRun
from knowledge.services.descriptions import figures_describe, figures_sweep
from knowledge.services.ingestion import run_ingest
from knowledge.services.sweeping import runs_sweep

logger = logging.getLogger(__name__)


def ingest(tenant_id: int, run_id: int) -> None:
    """Ingest one version; does nothing if another worker has the run or it is over."""
    began = time.monotonic()
    logger.info("Run %s begins.", run_id)
    run_ingest(tenant_id=tenant_id, run_id=run_id)
    with tenant_transaction(tenant_id):
        run = IngestionRun.objects.filter(pk=run_id).first()
    state = run.state if run else "deleted"
    logger.info("Run %s is %s after %.1f s.", run_id, state, time.monotonic() - began)


def sweep() -> None:
    """Requeue what dead workers left, in every tenant."""
    for tenant in Tenant.objects.all():
        runs_sweep(tenant=tenant)
        figures_sweep(tenant=tenant)


def describe_figures(tenant_id: int, version_id: int) -> None:
    """Have the figures of a published version described, and make them found by it."""
    figures_describe(tenant_id=tenant_id, version_id=version_id)
