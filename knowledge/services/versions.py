"""Versions of a document: adding one, and going back to an earlier one.

Which version becomes current is decided by the order of the wishes, and each wish is a run: an
upload makes one over a new version, a roll-back one over a version that was published before. A
run that ends after a later one has ended changes nothing (`knowledge.services.publishing`).

A roll-back makes the entries again, which went when another version was published: from the tree
and text that were kept, with the vectors of equal passages in the base.
"""

from django.utils import timezone

from accounts.models import Tenant, User
from accounts.tenancy import tenant_transaction
from knowledge.models import (
    Document,
    DocumentVersion,
    IngestionRun,
    KnowledgeBase,
    VersionSource,
)
from knowledge.queue import enqueue_ingestion
from knowledge.services.approvals import approvals_end
from knowledge.services.claims import Claim, LostClaim
from knowledge.services.publishing import run_finish


class RestoreRefused(ValueError):
    """The document cannot go back to that version now; the message says why."""


def version_add(
    document: Document,
    latest: DocumentVersion | None,
    content: bytes,
    digest: str,
    by: User | None,
) -> DocumentVersion:
    """Store bytes as the document's next version and queue its run, in the open transaction."""
    version = DocumentVersion.objects.create(
        tenant_id=document.tenant_id,
        document=document,
        number=latest.number + 1 if latest else 1,
        filename=document.filename,
        sha256=digest,
        size=len(content),
        created_by=by,
    )
    VersionSource.objects.create(tenant_id=document.tenant_id, version=version, content=content)
    approvals_end(document)
    document.latest_version = version
    document.save(update_fields=["latest_version"])
    version_queue(version)
    return version


def version_queue(version: DocumentVersion) -> IngestionRun:
    """Queue a run over the version, in the open transaction."""
    run = IngestionRun.objects.create(
        tenant_id=version.tenant_id, version=version, enqueued_at=timezone.now()
    )
    enqueue_ingestion(run)
    return run


def version_wanted(document: Document) -> DocumentVersion | None:
    """Return the version that was asked for last and did not fail: the current one, or soon."""
    runs = IngestionRun.objects.filter(version__document=document)
    run = (
        runs.exclude(state=IngestionRun.State.FAILED)
        .select_related("version")
        .order_by("-pk")
        .first()
    )
    return run.version if run else None


def version_restore(*, tenant: Tenant, version: DocumentVersion) -> IngestionRun:
    """Return a queued run that makes an earlier version the current one; the later ones stay.

    Raises RestoreRefused. The version in use stays in use until the run has ended.
    """
    with tenant_transaction(tenant):
        base_id = Document.objects.filter(versions=version).values_list("base").first()
        if base_id is not None:
            KnowledgeBase.objects.lock(*base_id)
        # Read after the lock: another click, or a deletion, may have come first.
        found = DocumentVersion.objects.filter(pk=version.pk).select_related("document").first()
        if found is None:
            raise RestoreRefused("The document was deleted.")
        version, document = found, found.document
        if IngestionRun.objects.unfinished().filter(version__document=document).exists():
            raise RestoreRefused("The document is being read. Try again when that has ended.")
        if document.current_version_id == version.pk:
            raise RestoreRefused(f"Version {version.number} is in use already.")
        if version.state != DocumentVersion.State.READY:
            raise RestoreRefused(f"Version {version.number} was never ready, so it cannot be used.")
        return version_queue(version)


def version_reread(claim: Claim) -> None:
    """End a roll-back whose file reads differently now: its bytes become a version of their own.

    Unless a later wish stands already. The parser has changed since. What is stored stays as it is,
    for answers that cite it.
    """
    with tenant_transaction(claim.tenant_id):
        rows = DocumentVersion.objects.select_related("document")
        version = rows.filter(pk=claim.version_id).first()
        if version is None or KnowledgeBase.objects.lock(version.document.base_id) is None:
            raise LostClaim
        claim.hold()
        document = Document.objects.select_related("latest_version").get(pk=version.document_id)
        later = IngestionRun.objects.filter(version__document=document, pk__gt=claim.run_id)
        # The new version's run would come after what was uploaded since, and undo it.
        if not later.exclude(state=IngestionRun.State.FAILED).exists():
            version_add(
                document,
                document.latest_version,
                bytes(version.source.get().content),
                version.sha256,
                version.created_by,
            )
        run_finish(claim.run_id)
