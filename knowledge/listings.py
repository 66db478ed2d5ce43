"""What the list pages show of bases and documents."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Case, Count, Max, Q, QuerySet, Sum, When
from django.db.models.functions import Lower

from knowledge.models import Document, DocumentVersion, KnowledgeBase

State = DocumentVersion.State


@dataclass(frozen=True, slots=True)
class Progress:
    """The states of a base's documents, counted; `ready` ones can be asked about.

    `coming` are unfinished and cannot be asked about yet. `newest` is the key of the version that
    was made last and `used` the sum of the keys of those that are used, None without any.
    """

    documents: int = 0
    ready: int = 0
    failed: int = 0
    unfinished: int = 0
    coming: int = 0
    newest: int | None = None
    used: int | None = None

    @property
    def signature(self) -> str:
        """Return what is another one when something has become of the documents."""
        versions = (self.newest or 0, self.used or 0)
        counts = (self.documents, self.ready, self.failed, self.unfinished, *versions)
        return "-".join(map(str, counts))


@dataclass(frozen=True, slots=True)
class BaseCard:
    base: KnowledgeBase
    progress: Progress


_UNFINISHED = Q(latest_version__state__in=[State.QUEUED, State.RUNNING])
_COUNTS = {
    "documents": Count("pk"),
    "ready": Count("pk", filter=Q(current_version__isnull=False)),
    "failed": Count("pk", filter=Q(latest_version__state=State.FAILED)),
    "unfinished": Count("pk", filter=_UNFINISHED),
    "coming": Count("pk", filter=_UNFINISHED & Q(current_version__isnull=True)),
    "newest": Max("latest_version_id"),
    "used": Sum("current_version_id"),
}


def base_cards(bases: Iterable[KnowledgeBase]) -> list[BaseCard]:
    """Return the bases of a page with what became of their documents, in one query.

    Not annotated on the bases: Django groups by the model's key alone, which is not the table's.
    """
    shown = list(bases)
    rows = (
        Document.objects.filter(base__in=[base.pk for base in shown])
        .order_by()
        .values_list("base_id")
    )
    counts = {base_id: Progress(*numbers) for base_id, *numbers in rows.annotate(**_COUNTS)}
    return [BaseCard(base, counts.get(base.pk, Progress())) for base in shown]


def base_progress(base: KnowledgeBase) -> Progress:
    """Return how many documents of the base are in which state."""
    return Progress(**Document.objects.filter(base=base).aggregate(**_COUNTS))


def documents_of(base: KnowledgeBase) -> QuerySet[Document]:
    """Return the documents of the base as the list shows them, by title.

    Those that something has to happen with stand first: being read, waiting for approval, failed.
    """
    rank = Case(
        When(latest_version__state__in=[State.QUEUED, State.RUNNING, State.APPROVAL], then=0),
        When(latest_version__state=State.FAILED, then=1),
        default=2,
    )
    rows = Document.objects.filter(base=base).for_listing()
    return rows.order_by(rank, Lower("title"), "pk")
