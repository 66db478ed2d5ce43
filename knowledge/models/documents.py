"""Documents and their immutable versions."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import connection, models
from django.db.models import F, Q
from django.utils import timezone

from accounts.tenancy import TenantForeignKey, TenantManager, TenantOwned
from knowledge.ingest.paths import prefixes
from knowledge.ingest.preflight import Verdict
from knowledge.models.bases import KnowledgeBase
from knowledge.models.subtrees import under_path

if TYPE_CHECKING:
    from knowledge.models.ingestion import IngestionRun


class DocumentQuerySet(models.QuerySet["Document"]):
    def ready(self) -> "DocumentQuerySet":
        """Documents with a published version: those that can be searched and read."""
        return self.filter(current_version__isnull=False)

    def at(self, path: str) -> "DocumentQuerySet":
        """Those that a path leads to: below a folder, or the one it stands in; '' leads to all."""
        if not path:
            return self.all()
        return self.filter(Q(path__in=prefixes(path)) | under_path(path))

    def holding(self, path: str) -> "DocumentQuerySet":
        """The document that stands at a path or holds it, at most one in a base."""
        return self.filter(path__in=prefixes(path))

    def keep(self, keys: Iterable[int]) -> set[int]:
        """Keep these from being deleted until the transaction ends; return those that exist.

        FOR KEY SHARE, as `KnowledgeBaseQuerySet.keep`: publishing does not wait for it.
        """
        with connection.cursor() as cursor:
            table = connection.ops.quote_name(self.model._meta.db_table)
            cursor.execute(
                f"SELECT id FROM {table} WHERE id = ANY(%s::bigint[]) ORDER BY id FOR KEY SHARE",  # noqa: S608
                [sorted(set(keys))],
            )
            return {key for (key,) in cursor.fetchall()}

    def for_listing(self) -> "DocumentQuerySet":
        """With both versions and the latest one's run, in a constant number of queries."""
        return self.select_related("current_version", "latest_version").prefetch_related(
            models.Prefetch("latest_version__runs")
        )


DocumentManager = TenantManager.from_queryset(DocumentQuerySet)


class Document(TenantOwned):
    """A document of a base; what can be searched is its current version.

    `filename` has the folders it lies in, `path` their slugs in front of its own. No document has
    the path of a folder, so that an address leads to one thing.
    """

    base = TenantForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="documents")
    path = models.CharField(max_length=400, db_collation="C")
    title = models.CharField(max_length=300)
    filename = models.CharField(max_length=255)
    current_version = TenantForeignKey(
        "DocumentVersion", null=True, on_delete=models.DO_NOTHING, related_name="+"
    )
    latest_version = TenantForeignKey(
        "DocumentVersion", null=True, on_delete=models.DO_NOTHING, related_name="+"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = DocumentManager()

    class Meta(TenantOwned.Meta):
        ordering = ["title", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "base", "path"], name="document_path_once_a_base"
            ),
            models.UniqueConstraint(
                fields=["tenant", "base", "filename"], name="document_filename_once_a_base"
            ),
        ]

    def __str__(self) -> str:
        return self.title


_FINAL = {Verdict.EMPTY, Verdict.BINARY, Verdict.UNSUPPORTED}


class DocumentVersionQuerySet(models.QuerySet["DocumentVersion"]):
    def current(self) -> "DocumentVersionQuerySet":
        """The published versions, one a document."""
        return self.filter(document__current_version=F("pk"))


DocumentVersionManager = TenantManager.from_queryset(DocumentVersionQuerySet)


class DocumentVersion(TenantOwned):
    """The bytes of a document at one time and what was made of them; never changed once ready."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        APPROVAL = "approval", "waiting for approval"
        READY = "ready"
        FAILED = "failed"

    document = TenantForeignKey(Document, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    filename = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField(help_text="bytes")
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    verdict = models.CharField(max_length=30, blank=True)
    message = models.TextField(blank=True, help_text="Why it failed, for the person who sent it.")
    warnings = models.JSONField(default=list)
    remarks = models.JSONField(default=list, help_text="what the base's reading options made of it")
    parser = models.CharField(max_length=40, blank=True)
    parser_version = models.CharField(max_length=60, blank=True)
    language = models.CharField(max_length=10, blank=True)
    pages = models.PositiveIntegerField(null=True)
    tokens = models.PositiveIntegerField(default=0)
    sections = models.PositiveIntegerField(default=0)
    paragraphs = models.PositiveIntegerField(default=0)
    tables = models.PositiveIntegerField(default=0)
    figures = models.PositiveIntegerField(default=0)
    chunks = models.PositiveIntegerField(default=0, help_text="entries that publishing expects")
    reused_vectors = models.PositiveIntegerField(default=0)
    reused_tokens = models.PositiveIntegerField(default=0, help_text="not embedded again")
    abstracts = models.PositiveIntegerField(default=0, help_text="made when it was ingested")
    reused_abstracts = models.PositiveIntegerField(default=0)
    abstract_tokens = models.PositiveIntegerField(default=0, help_text="that a model took for them")
    estimate = models.JSONField(
        null=True,
        help_text="pages, calls, figures, input_tokens, output_tokens, tokens, price and currency "
        "of what a model was about to be paid for; None where nothing was",
    )
    seconds = models.FloatField(null=True, help_text="from the start of the run that published it")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    published_at = models.DateTimeField(null=True, editable=False)

    objects = DocumentVersionManager()

    class Meta(TenantOwned.Meta):
        ordering = ["document", "-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "document", "number"], name="version_number_once_a_document"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.filename} v{self.number}"

    @property
    def run(self) -> "IngestionRun | None":
        """The latest run over this version, from the prefetched ones where there are any."""
        return max(self.runs.all(), key=lambda run: run.pk, default=None)

    @property
    def may_be_retried(self) -> bool:
        """Whether it failed for a reason that may go away while its bytes stay as they are."""
        return self.state == self.State.FAILED and self.verdict not in _FINAL


class VersionSource(TenantOwned):
    """The uploaded bytes. In the database, so that they share its isolation and its back-up."""

    version = TenantForeignKey(DocumentVersion, on_delete=models.CASCADE, related_name="source")
    content = models.BinaryField()

    objects = TenantManager["VersionSource"]()

    class Meta(TenantOwned.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "version"], name="source_once_a_version")
        ]

    def __str__(self) -> str:
        return f"source of version {self.version_id}"


class VersionText(TenantOwned):
    """The canonical text that every character offset of the version counts in."""

    version = TenantForeignKey(DocumentVersion, on_delete=models.CASCADE, related_name="text")
    content = models.TextField()

    objects = TenantManager["VersionText"]()

    class Meta(TenantOwned.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "version"], name="text_once_a_version")
        ]

    def __str__(self) -> str:
        return f"text of version {self.version_id}"
