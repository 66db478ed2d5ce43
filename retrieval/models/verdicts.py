"""What became of an answer afterwards: its reader's verdict, and the audit by the full agent."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.tenancy import TenantForeignKey, TenantManager, TenantOwned
from retrieval.models.runs import Run


class FeedbackQuerySet(models.QuerySet["Feedback"]):
    def negative(self) -> "FeedbackQuerySet":
        return self.exclude(verdict=Feedback.Verdict.GOOD)


FeedbackManager = TenantManager.from_queryset(FeedbackQuerySet)


class Feedback(TenantOwned):
    """A reader's verdict on an answer of theirs; the last one counts."""

    class Verdict(models.TextChoices):
        GOOD = "good"
        BAD = "bad"
        WRONG_SOURCE = "wrong_source", "wrong source"

    run = TenantForeignKey(Run, on_delete=models.CASCADE, related_name="feedback")
    verdict = models.CharField(max_length=12, choices=Verdict)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = FeedbackManager()

    class Meta(TenantOwned.Meta):
        verbose_name_plural = "feedback"
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "run"], name="feedback_once_a_run")
        ]

    def __str__(self) -> str:
        return f"{self.get_verdict_display()} on run {self.run_id}"

    @property
    def is_negative(self) -> bool:
        return self.verdict != self.Verdict.GOOD


class ShadowAudit(TenantOwned):
    """An answer given without the agent, asked once more of the full agent in the background."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    run = TenantForeignKey(Run, on_delete=models.CASCADE, related_name="audits")
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    agrees = models.BooleanField(
        null=True, help_text="whether the agent found the same; empty: not known (yet)"
    )
    confidence = models.FloatField(
        null=True, help_text="of the answer without the agent, as the cut is calibrated by it"
    )
    answer = models.TextField(blank=True, help_text="of the agent")
    paths = models.JSONField(default=list, help_text="that the agent cited")
    reason = models.TextField(blank=True, help_text="in what they differ, or why it failed")
    tokens = models.PositiveIntegerField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    finished_at = models.DateTimeField(null=True)

    objects = TenantManager["ShadowAudit"]()

    class Meta(TenantOwned.Meta):
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "run"], name="audit_once_a_run")]

    def __str__(self) -> str:
        return f"audit of run {self.run_id}"
