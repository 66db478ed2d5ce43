"""The change of a base to another embedding model: our own row is the truth about the job."""

from datetime import datetime, timedelta

from django.db import models
from django.utils import timezone

from accounts.tenancy import TenantForeignKey, TenantManager, TenantOwned
from knowledge.models.bases import KnowledgeBase


class ReembeddingQuerySet(models.QuerySet["Reembedding"]):
    def unfinished(self) -> "ReembeddingQuerySet":
        State = Reembedding.State
        return self.filter(state__in=[State.QUEUED, State.RUNNING, State.PAUSED])

    def abandoned(self, now: datetime, silence: timedelta) -> "ReembeddingQuerySet":
        """Those whose worker has not been heard of for `silence`."""
        return self.filter(state=Reembedding.State.RUNNING, heartbeat_at__lt=now - silence)

    def never_started(self, now: datetime, silence: timedelta) -> "ReembeddingQuerySet":
        """Queued ones whose queue message may be lost."""
        return self.filter(
            state=Reembedding.State.QUEUED, enqueued_at__lt=now - silence, not_before=None
        )

    def due(self, now: datetime) -> "ReembeddingQuerySet":
        """Queued ones without a queue message that were to wait until now."""
        return self.filter(state=Reembedding.State.QUEUED, not_before__lte=now)

    def claimable(self, now: datetime) -> "ReembeddingQuerySet":
        """Queued ones that need not wait any longer."""
        return self.due(now) | self.filter(state=Reembedding.State.QUEUED, not_before=None)


ReembeddingManager = TenantManager.from_queryset(ReembeddingQuerySet)


class Reembedding(TenantOwned):
    """A base's latest change of model; the next one starts it anew."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        PAUSED = "paused"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    base = TenantForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="reembeddings")
    model = models.CharField(max_length=100, help_text="that the base is to change to")
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    done = models.PositiveIntegerField(default=0, help_text="entries with their new vector")
    total = models.PositiveIntegerField(default=0)
    tokens_done = models.PositiveBigIntegerField(default=0)
    tokens_total = models.PositiveBigIntegerField(default=0)
    message = models.TextField(blank=True)
    attempts = models.PositiveSmallIntegerField(default=0, help_text="since the last progress")
    claim = models.CharField(max_length=32, blank=True, help_text="token of the worker at it")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    enqueued_at = models.DateTimeField(default=timezone.now)
    not_before = models.DateTimeField(
        null=True, help_text="Nobody takes it before; it has no queue message until then."
    )
    heartbeat_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    objects = ReembeddingManager()

    class Meta(TenantOwned.Meta):
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "base"], name="one_reembedding_a_base")
        ]

    def __str__(self) -> str:
        return f"{self.base_id} to {self.model}: {self.state}"

    @property
    def percent(self) -> int:
        """Return how far it is, 0 to 100."""
        return round(100 * self.done / self.total) if self.total else 0
