"""What the worker calls: fetch by id, call the service."""

import logging
import time

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.embedding import EmbeddingError
from knowledge.models import IngestionRun
from knowledge.services.descriptions import figures_describe, figures_sweep
from knowledge.services.ingestion import run_ingest
from knowledge.services.reembedding import reembeddings_sweep
from knowledge.services.reembedding_run import run_reembed
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


def reembed(tenant_id: int, change_id: int) -> None:
    """Embed a part of a base anew; does nothing if another worker is at it or it is over."""
    run_reembed(tenant_id=tenant_id, change_id=change_id)


def sweep() -> None:
    """Requeue what dead workers left, in every tenant; begin what a changed embedder demands."""
    for tenant in Tenant.objects.all():
        runs_sweep(tenant=tenant)
        figures_sweep(tenant=tenant)
    try:
        for tenant in Tenant.objects.all():
            reembeddings_sweep(tenant=tenant)
    except EmbeddingError:
        logger.exception("The configured embedder cannot be loaded.")


def describe_figures(tenant_id: int, version_id: int) -> None:
    """Have the figures of a published version described, and make them found by it."""
    figures_describe(tenant_id=tenant_id, version_id=version_id)
