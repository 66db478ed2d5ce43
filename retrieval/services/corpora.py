"""A pack's documents in a base of their own, ingested through the product's own road.

Errors: TenantInUse.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from accounts.models import Membership, Tenant
from accounts.tenancy import tenant_transaction
from knowledge.ingest.slugs import slug
from knowledge.models import DocumentVersion, IngestionRun, KnowledgeBase
from knowledge.services.bases import base_create
from knowledge.services.ingestion import run_ingest
from knowledge.services.sweeping import runs_sweep
from knowledge.services.uploads import UploadRefused, document_upload

TENANT = "evaluation"
"""Evaluations have a tenant of their own: no person is a member, nothing is learnt from them."""


class TenantInUse(RuntimeError):
    """The tenant of evaluations has members: it is a company that happens to be called so."""


def evaluation_tenant() -> Tenant:
    """Return the tenant of evaluations, made if it is missing. Raises TenantInUse."""
    tenant, _ = Tenant.objects.get_or_create(slug=TENANT, defaults={"name": "Evaluation"})
    with tenant_transaction(tenant):
        if Membership.objects.exists():
            raise TenantInUse(
                f"The company {TENANT} has members: its bases are not evaluated in. "
                "Give it another address in the admin."
            )
    return tenant


def corpus_ingest(
    *, name: str, files: Sequence[Path], folder: Path, told: Callable[[str], None]
) -> tuple[KnowledgeBase, list[str]]:
    """Return the base called ``name`` with these files in it, and what could not be read.

    Files that are in it already are not read again, those that a killed evaluation left half read
    are; ``told`` hears how far it is.
    """
    tenant = evaluation_tenant()
    runs_sweep(tenant=tenant)
    with tenant_transaction(tenant):
        base = KnowledgeBase.objects.filter(slug=slug(name)).first()
    base = base or base_create(tenant=tenant, name=name, by=None)
    refused = []
    for number, path in enumerate(files, 1):
        sentence = _ingest(tenant, base, path, path.relative_to(folder).as_posix())
        if sentence:
            refused.append(f"{path.name}: {sentence}")
        if number % 50 == 0:
            told(f"{name}: {number} of {len(files)} files")
    with tenant_transaction(tenant):
        base.refresh_from_db()
    return base, refused


def _ingest(tenant: Tenant, base: KnowledgeBase, path: Path, filename: str) -> str:
    try:
        upload = document_upload(
            tenant=tenant, base=base, filename=filename, content=path.read_bytes(), by=None
        )
    except UploadRefused as refused:
        return str(refused)
    with tenant_transaction(tenant):
        run = IngestionRun.objects.unfinished().filter(version=upload.version).first()
    if run is not None:
        run_ingest(tenant_id=tenant.pk, run_id=run.pk)
    with tenant_transaction(tenant):
        version = DocumentVersion.objects.get(pk=upload.version.pk)
    if version.state == DocumentVersion.State.READY:
        return ""
    return version.message or "Another process is reading it."
