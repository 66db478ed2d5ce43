"""Reading the documents of a base again, from the bytes that were uploaded, by its options of now.

A document that reads as before keeps its version, and gets the abstracts that its base wants by
now. One that reads differently gets a new version of the same bytes, through ordinary ingestion:
what is stored stays, for answers that cite it, and passages that are equal keep their vectors.
"""

from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.models import Document, IngestionRun, KnowledgeBase
from knowledge.queue import enqueue_ingestion

SENT_AT_ONCE = 200
"""Messages that one click sends; the sweeper sends those of larger bases within a minute."""


NAMED = 5
"""Documents that could not be read again and are named on the page, those of last first."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that could not be read again, and why."""

    document_id: int
    title: str
    message: str


@dataclass(frozen=True, slots=True)
class Rereading:
    """Documents of a base that are `waiting` to be read again, and `failed` ones, as they were.

    `failures` are the last of those.
    """

    waiting: int = 0
    failed: int = 0
    failures: tuple[Failure, ...] = ()


def base_reread(*, tenant: Tenant, base: KnowledgeBase) -> int:
    """Queue a run over every version in use and return how many; no document gets two.

    Left out are documents that are being read at the moment, and those that were never ready.
    """
    with tenant_transaction(tenant):
        if KnowledgeBase.objects.lock(base.pk) is None:
            return 0
        return len(_queue(tenant, Document.objects.filter(base=base)))


def document_reread(*, tenant: Tenant, document: Document) -> bool:
    """Queue a run over the document's version in use; False where `base_reread` leaves it out."""
    with tenant_transaction(tenant):
        if KnowledgeBase.objects.lock(document.base_id) is None:
            return False
        return bool(_queue(tenant, Document.objects.filter(pk=document.pk)))


def base_rereading(base: KnowledgeBase) -> Rereading:
    """Return how far the documents of a base are with being read again, in a transaction."""
    runs = IngestionRun.objects.filter(
        rereads=True, version__document__base=base, version__document__current_version=F("version")
    )
    later = IngestionRun.objects.filter(
        version__document=OuterRef("version__document"), pk__gt=OuterRef("pk")
    )
    failed = runs.filter(~Exists(later), state=IngestionRun.State.FAILED)
    rows = failed.order_by("-pk").values_list(
        "version__document", "version__document__title", "message"
    )
    failures = tuple(Failure(*row) for row in rows[:NAMED])
    return Rereading(runs.unfinished().count(), failed.count(), failures)


def _queue(tenant: Tenant, documents: "QuerySet[Document]") -> list[IngestionRun]:
    busy = IngestionRun.objects.unfinished().filter(version__document=OuterRef("pk"))
    wanted = documents.filter(~Exists(busy), current_version__isnull=False).order_by("pk")
    now = timezone.now()
    runs = IngestionRun.objects.bulk_create(
        [
            IngestionRun(
                tenant=tenant,
                version_id=version_id,
                rereads=True,
                enqueued_at=now,
                not_before=now if number >= SENT_AT_ONCE else None,
            )
            for number, version_id in enumerate(wanted.values_list("current_version", flat=True))
        ],
        batch_size=1_000,
    )
    for run in runs[:SENT_AT_ONCE]:
        enqueue_ingestion(run)
    return runs
