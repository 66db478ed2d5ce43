"""Runs: one question, the events on the way to its answer, and the citations it rests on."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Membership
from accounts.tenancy import TenantForeignKey, TenantManager, TenantOwned
from knowledge.models import Document, DocumentVersion, KnowledgeBase
from retrieval.models.conversations import Conversation


class RunQuerySet(models.QuerySet["Run"]):
    def of(self, membership: Membership) -> "RunQuerySet":
        """The member's own runs in bases that they may still read."""
        bases = KnowledgeBase.objects.visible_to(membership)
        return self.filter(user_id=membership.user_id, base__in=bases)

    def silent_since(self, moment: datetime) -> "RunQuerySet":
        """Running ones whose process has given no sign of life since."""
        return self.filter(state=Run.State.RUNNING, heartbeat_at__lt=moment)

    def not_begun_since(self, moment: datetime) -> "RunQuerySet":
        """Queued ones that were asked before, and handed over to no worker since."""
        waiting = self.filter(state=Run.State.QUEUED, created_at__lt=moment)
        return waiting.filter(Q(heartbeat_at=None) | Q(heartbeat_at__lt=moment))

    def unlearned_since(self, moment: datetime) -> "RunQuerySet":
        """Finished ones that nothing was learnt from, and that no process has begun with since."""
        finished = self.filter(state=Run.State.DONE, learned_at=None)
        return finished.filter(Q(learning_at=None) | Q(learning_at__lt=moment))


RunManager = TenantManager.from_queryset(RunQuerySet)


class Run(TenantOwned):
    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        STOPPED = "stopped"
        FAILED = "failed"
        INTERRUPTED = "interrupted"

    base = TenantForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="runs")
    conversation = TenantForeignKey(
        Conversation, null=True, on_delete=models.CASCADE, related_name="runs"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    question = models.TextField()
    scope = models.TextField(blank=True, help_text="path below the base; empty: all of it")
    preset = models.CharField(max_length=20)
    rewritten = models.TextField(
        blank=True, help_text="the question as it was searched for, where it leant on others"
    )
    prompts = models.CharField(
        max_length=12, blank=True, help_text="hash of the prompts it was answered with"
    )
    reasoner = models.CharField(max_length=100, blank=True, help_text="what wrote the answer")
    state = models.CharField(max_length=12, choices=State, default=State.QUEUED)
    stop_requested = models.BooleanField(default=False)
    answer = models.TextField(blank=True, help_text="Markdown with [n] markers, all verified")
    abstained = models.BooleanField(default=False)
    reason = models.TextField(blank=True, help_text="why it abstained or failed")
    escalated = models.BooleanField(default=False)
    value = models.TextField(blank=True, help_text="the answer in its shortest form, with its unit")
    confidence = models.FloatField(
        null=True,
        help_text="in the answer of one round, 0 to 1, though it went on to the agent; "
        "empty: there was none, or it was insufficient",
    )
    rounds = models.PositiveSmallIntegerField(default=0)
    # NULL is "unknown" and shown as such; 0 is a measured nothing.
    prompt_tokens = models.PositiveIntegerField(null=True)
    completion_tokens = models.PositiveIntegerField(null=True)
    cached_tokens = models.PositiveIntegerField(null=True)
    tokens_estimated = models.BooleanField(default=False)
    claim = models.CharField(max_length=32, blank=True, help_text="token of the process at it")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    learned_at = models.DateTimeField(
        null=True, help_text="when it was looked through for experience, once"
    )
    learning_at = models.DateTimeField(
        null=True, help_text="when a process last began to look it through"
    )
    in_vain_at = models.DateTimeField(
        null=True, help_text="when the edges that it was given in vain were counted against, once"
    )

    objects = RunManager()

    class Meta(TenantOwned.Meta):
        ordering = ["id"]
        indexes = [models.Index(fields=["tenant", "state"], name="answer_state")]

    def __str__(self) -> str:
        """Not the question: the admin writes this above every page, and it is its asker's own."""
        return f"Run {self.pk}"

    @property
    def is_over(self) -> bool:
        return self.state not in (self.State.QUEUED, self.State.RUNNING)


class RunEvent(TenantOwned):
    """A step of a run as it was shown; `number` counts from 1 within the run."""

    run = TenantForeignKey(Run, on_delete=models.CASCADE, related_name="events")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    payload = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = TenantManager["RunEvent"]()

    class Meta(TenantOwned.Meta):
        ordering = ["run", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "run", "number"], name="event_number_once_a_run"
            )
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.kind}"


class Citation(TenantOwned):
    """A verified quote, pinned to the version and the characters it was found at."""

    run = TenantForeignKey(Run, on_delete=models.CASCADE, related_name="citations")
    number = models.PositiveSmallIntegerField()
    document = TenantForeignKey(Document, on_delete=models.CASCADE, related_name="citations")
    version = TenantForeignKey(DocumentVersion, on_delete=models.CASCADE, related_name="citations")
    path = models.TextField(help_text="of the leaf, below the base")
    quote = models.TextField()
    char_start = models.PositiveIntegerField()
    char_end = models.PositiveIntegerField()
    page = models.PositiveIntegerField(null=True)
    match = models.CharField(max_length=12, help_text="exact, or folded (dashes, quotes, spaces)")

    objects = TenantManager["Citation"]()

    class Meta(TenantOwned.Meta):
        ordering = ["run", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "run", "number"], name="citation_number_once_a_run"
            )
        ]

    def __str__(self) -> str:
        return f"[{self.number}] {self.path}"
