"""Publishing: one transaction after which searches see the new version and not the old one."""

from django.db import models
from django.db.models import F, Func
from django.utils import timezone

from accounts.tenancy import tenant_transaction
from knowledge.models import Document, DocumentVersion, IndexEntry, IngestionRun, KnowledgeBase
from knowledge.services.claims import Claim, LostClaim
from knowledge.services.serving import version_require_served
from knowledge.services.statistics import statistics_add, statistics_remove


class IncompleteIndex(RuntimeError):
    """The rows do not add up: the version may not be published."""


def version_publish(claim: Claim, *, title: str) -> None:
    """Make the version current and end its run; raises IncompleteIndex, LostClaim, ModelChanged.

    The old version's entries go in the same transaction; its text and tree stay, for the
    citations that quote it.
    """
    with tenant_transaction(claim.tenant_id):
        versions = DocumentVersion.objects.select_related("document")
        version = versions.filter(pk=claim.version_id).first()
        if version is None:
            raise LostClaim
        base = KnowledgeBase.objects.lock(version.document.base_id)
        if base is None:
            raise LostClaim
        run = claim.hold()
        document = Document.objects.get(pk=version.document_id)
        _require_complete(version)
        version_require_served(base, version)
        if not _is_overtaken(run, document):
            _replace(base, document, version, title)
        elif document.current_version_id != version.pk:
            IndexEntry.objects.filter(version=version).delete()
        now = timezone.now()
        DocumentVersion.objects.filter(pk=version.pk).update(
            state=DocumentVersion.State.READY,
            published_at=now,
            message="",
            seconds=(now - (run.started_at or now)).total_seconds(),
        )
        run_finish(claim.run_id)


def _is_overtaken(run: IngestionRun, document: Document) -> bool:
    """Whether a later upload or roll-back has ended before: its version stays the current one."""
    later = IngestionRun.objects.filter(version__document=document, pk__gt=run.pk)
    return later.filter(state=IngestionRun.State.DONE).exists()


def _require_complete(version: DocumentVersion) -> None:
    entries = IndexEntry.objects.filter(version=version).chunks()
    count = entries.count()
    if count != version.chunks or count == 0:
        raise IncompleteIndex(f"version {version.pk}: {count} entries, {version.chunks} expected")
    length = Func(F("dense"), function="l2_norm", output_field=models.FloatField())
    if entries.annotate(length=length).filter(length__lt=0.5).exists():
        raise IncompleteIndex(f"version {version.pk} has a vector that is zero")


def _replace(base: KnowledgeBase, document: Document, version: DocumentVersion, title: str) -> None:
    old = document.current_version_id
    if old == version.pk:
        return
    if old is not None:
        statistics_remove(base, old)
        IndexEntry.objects.filter(version_id=old).delete()
    statistics_add(base, version.pk)
    document.current_version = version
    document.title = title[:300] or document.title
    document.save(update_fields=["current_version", "title"])


def run_finish(run_id: int) -> None:
    """End a run as done, in the caller's open transaction."""
    IngestionRun.objects.filter(pk=run_id).update(
        state=IngestionRun.State.DONE,
        stage=IngestionRun.Stage.PUBLISH,
        done=1,
        total=1,
        message="",
        finished_at=timezone.now(),
    )
