"""Ingestion runs: our own row is the truth about a job, not the queue's."""

from datetime import datetime, timedelta

from django.db import models
from django.utils import timezone

from accounts.tenancy import TenantForeignKey, TenantManager, TenantOwned
from knowledge.models.documents import DocumentVersion


class IngestionRunQuerySet(models.QuerySet["IngestionRun"]):
    def unfinished(self) -> "IngestionRunQuerySet":
        """Runs that have not ended, those that wait for somebody's approval among them."""
        ended = [IngestionRun.State.DONE, IngestionRun.State.FAILED]
        return self.exclude(state__in=ended)

    def awaiting_approval(self) -> "IngestionRunQuerySet":
        """Runs that a model would be paid for, if somebody agrees."""
        return self.filter(state=IngestionRun.State.APPROVAL)

    def abandoned(self, now: datetime, silence: timedelta) -> "IngestionRunQuerySet":
        """Runs whose worker has not been heard of for `silence`: it is dead, or was killed."""
        return self.filter(state=IngestionRun.State.RUNNING, heartbeat_at__lt=now - silence)

    def never_started(self, now: datetime, silence: timedelta) -> "IngestionRunQuerySet":
        """Queued runs whose queue message may be lost (a flushed broker, a restored back-up)."""
        return self.filter(
            state=IngestionRun.State.QUEUED, enqueued_at__lt=now - silence, not_before=None
        )

    def due(self, now: datetime) -> "IngestionRunQuerySet":
        """Queued runs without a queue message that were to wait until now."""
        return self.filter(state=IngestionRun.State.QUEUED, not_before__lte=now)

    def claimable(self, now: datetime) -> "IngestionRunQuerySet":
        """Queued runs that need not wait any longer."""
        return self.due(now) | self.filter(state=IngestionRun.State.QUEUED, not_before=None)


IngestionRunManager = TenantManager.from_queryset(IngestionRunQuerySet)


class IngestionRun(TenantOwned):
    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        APPROVAL = "approval", "waiting for approval"
        DONE = "done"
        FAILED = "failed"

    class Stage(models.TextChoices):
        WAITING = "waiting", "Waiting for a worker"
        PARSE = "parse", "Reading the document"
        TREE = "tree", "Building its outline"
        EMBED = "embed", "Indexing its passages"
        ABSTRACT = "abstract", "Writing its abstracts"
        PUBLISH = "publish", "Publishing"

    class Approval(models.TextChoices):
        UNASKED = "", "nobody was asked"
        MODEL = "model", "the model may be paid for"
        SENTENCES = "sentences", "sentences of the document are enough"

    version = TenantForeignKey(DocumentVersion, on_delete=models.CASCADE, related_name="runs")
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    stage = models.CharField(max_length=10, choices=Stage, default=Stage.WAITING)
    done = models.PositiveIntegerField(default=0, help_text="steps of the stage")
    total = models.PositiveIntegerField(default=0)
    message = models.TextField(blank=True)
    error_code = models.CharField(max_length=40, blank=True)
    approval = models.CharField(max_length=10, choices=Approval, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    rereads = models.BooleanField(
        default=False, help_text="reads the bytes of a version in use anew, by its base's options"
    )
    claim = models.CharField(max_length=32, blank=True, help_text="token of the worker at it")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    enqueued_at = models.DateTimeField(default=timezone.now)
    not_before = models.DateTimeField(
        null=True, help_text="Nobody takes the run before; it has no queue message until then."
    )
    started_at = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    objects = IngestionRunManager()

    class Meta(TenantOwned.Meta):
        ordering = ["-id"]
        indexes = [models.Index(fields=["tenant", "state"], name="run_state")]

    def __str__(self) -> str:
        return f"run of version {self.version_id}: {self.state}"

    @property
    def percent(self) -> int:
        """Return how far the stage is, 0 to 100."""
        return round(100 * self.done / self.total) if self.total else 0

    @property
    def is_over(self) -> bool:
        return self.state in (self.State.DONE, self.State.FAILED)
