"""Experience: questions that were answered before, and edges to what answered them.

Learnt from a base's own runs, and used for that base alone: who may not read the base sees neither.
Only operators see a question's text. Design 7; VikingRAG, arXiv 2609.11390, section 4.
"""

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from pgvector.django import HalfVectorField

from accounts.tenancy import TenantForeignKey, TenantManager, TenantOwned
from knowledge.models import Document, DocumentVersion, KnowledgeBase


class ExperienceSettings(TenantOwned):
    """What a base does with experience; without a row, the defaults."""

    class Policy(models.TextChoices):
        OFF = "off", "off: neither learnt nor used"
        RECORD = "record", "record: learnt, not used yet"
        LEARN = "learn", "learn: learnt and used"
        FROZEN = "frozen", "frozen: used, nothing new is learnt"

    base = TenantForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="experience")
    policy = models.CharField(max_length=10, choices=Policy, default=Policy.LEARN)
    audit_share = models.FloatField(
        default=0.0,
        help_text="Share of the answers given without the agent that are checked by it in the "
        "background, 0 to 1. Each check costs what the agent costs.",
    )
    cut = models.FloatField(
        null=True,
        blank=True,
        help_text="An answer of one round of less confidence goes on to the agent, 0 to 1. Empty: "
        "the verdict alone decides. “manage.py experience calibrate” finds it from the checks.",
    )

    objects = TenantManager["ExperienceSettings"]()

    class Meta(TenantOwned.Meta):
        verbose_name_plural = "experience settings"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "base"], name="experience_once_a_base"),
            models.CheckConstraint(
                condition=models.Q(audit_share__gte=0, audit_share__lte=1),
                name="audit_share_is_a_share",
            ),
            models.CheckConstraint(
                condition=models.Q(cut=None) | models.Q(cut__gte=0, cut__lte=1),
                name="cut_is_a_confidence",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.base}: {self.policy}"


class QuestionQuerySet(models.QuerySet["ExperienceQuestion"]):
    def outdated(self) -> "QuestionQuerySet":
        """Questions whose vectors are not of the model that serves their base."""
        served = self.exclude(base__serving_model="")
        return served.exclude(embedding_model=models.F("base__serving_model"))

    def read_otherwise(self, read_by: str) -> "QuestionQuerySet":
        """Questions with a key that was made by other rules."""
        return self.exclude(slots_key="").exclude(slots_key__startswith=f"{read_by}:")


QuestionManager = TenantManager.from_queryset(QuestionQuerySet)


class ExperienceQuestion(TenantOwned):
    """A question that verified citations answered, or one made up for a section (synthetic)."""

    class Origin(models.TextChoices):
        LIVE = "live"
        SYNTHETIC = "synthetic"
        IMPORT = "import", "imported"

    base = TenantForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="+")
    text = models.TextField()
    text_hash = models.CharField(max_length=64, help_text="of the text, folded")
    origin = models.CharField(max_length=10, choices=Origin, default=Origin.LIVE)
    run_number = models.BigIntegerField(null=True, help_text="the latest run it was learnt from")
    embedding_model = models.CharField(max_length=100)
    dense = HalfVectorField()
    slots_key = models.CharField(
        max_length=50,
        blank=True,
        default="",
        db_default="",
        help_text="the same for questions that may mean the same; empty: not read yet",
    )
    # What finding the answer took: the cost of construction, NULL where nobody counted.
    tokens = models.PositiveIntegerField(null=True)
    rounds = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = QuestionManager()

    class Meta(TenantOwned.Meta):
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "base", "text_hash"], name="experience_question_once_a_base"
            )
        ]
        indexes = [
            models.Index(
                fields=["tenant", "base", "embedding_model", "slots_key"], name="question_slots"
            )
        ]

    def __str__(self) -> str:
        return self.text[:80]


class GeneratedSection(TenantOwned):
    """A section's text that questions were made up for, so that they are not made up again."""

    base = TenantForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="+")
    content_hash = models.CharField(max_length=64, help_text="of its headings and its own text")
    made = models.PositiveSmallIntegerField(default=0)
    pruned = models.PositiveSmallIntegerField(
        default=0, help_text="left out, for a search finds their place by itself"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = TenantManager["GeneratedSection"]()

    class Meta(TenantOwned.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "base", "content_hash"], name="generated_once_a_section"
            )
        ]

    def __str__(self) -> str:
        return f"{self.made} questions, {self.pruned} pruned"


USABLE = ("active", "suspect")


class EdgeQuerySet(models.QuerySet["ExperienceEdge"]):
    def usable(self) -> "EdgeQuerySet":
        return self.filter(state__in=USABLE)

    def outdated(self) -> "EdgeQuerySet":
        """Edges whose target's document has another current version than they were bound to."""
        ready = self.known().exclude(document__current_version=None)
        return ready.exclude(version=models.F("document__current_version"))

    def known(self) -> "EdgeQuerySet":
        """Edges that are used, or may be again: an older version of a document may be back."""
        return self.filter(state__in=(*USABLE, ExperienceEdge.State.STALE))


EdgeManager = TenantManager.from_queryset(EdgeQuerySet)


class ExperienceEdge(TenantOwned):
    """From where a question's first search led (`sources`) to the leaf that answered it.

    One row holds all sources of a target: they share its question, target, trace and credit.
    Paths are below the base. The document's deletion takes its edges along.
    """

    class State(models.TextChoices):
        ACTIVE = "active"
        SUSPECT = "suspect", "suspect: its target has changed"
        STALE = "stale", "stale: its target is gone"
        BLOCKED = "blocked", "blocked by a reader's verdict"
        DISABLED = "disabled", "disabled by an operator"

    base = TenantForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="+")
    question = TenantForeignKey(ExperienceQuestion, on_delete=models.CASCADE, related_name="edges")
    document = TenantForeignKey(Document, on_delete=models.CASCADE, related_name="+")
    version = TenantForeignKey(DocumentVersion, on_delete=models.CASCADE, related_name="+")
    path = models.TextField(help_text="of the target, a leaf")
    stable_key = models.CharField(max_length=64)
    content_hash = models.CharField(max_length=64)
    sources = ArrayField(models.TextField(), default=list)
    hop = models.PositiveSmallIntegerField(
        default=1, help_text="0 where the first search has found the target as well"
    )
    trace = models.JSONField(default=list, help_text="the tools that led to it, in order")
    state = models.CharField(max_length=10, choices=State, default=State.ACTIVE)
    blocked_by = ArrayField(
        models.BigIntegerField(),
        default=list,
        blank=True,
        help_text="numbers of the runs whose readers have blocked it",
    )
    taught_by = ArrayField(
        models.BigIntegerField(),
        default=list,
        blank=True,
        help_text="numbers of the last runs it was learnt from, the latest last",
    )
    successes = models.FloatField(default=0.0, help_text="verified uses, decayed")
    failures = models.FloatField(default=0.0, help_text="uses that nothing was cited of, decayed")
    uses = models.PositiveIntegerField(default=0)
    credited_at = models.DateTimeField(default=timezone.now, help_text="of the decay")
    used_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = EdgeManager()

    class Meta(TenantOwned.Meta):
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "question", "path"], name="edge_once_a_question_and_target"
            )
        ]
        indexes = [
            models.Index(fields=["tenant", "base", "state"], name="edge_state"),
            models.Index(fields=["tenant", "document", "version"], name="edge_document"),
        ]

    def __str__(self) -> str:
        return f"{self.question} > {self.path}"


def policy_of(base: KnowledgeBase) -> str:
    """Return a base's policy, in an open transaction."""
    row = ExperienceSettings.objects.filter(base=base).first()
    return row.policy if row else str(ExperienceSettings.Policy.LEARN)


def settings_of(base: KnowledgeBase) -> ExperienceSettings:
    """Return a base's settings, the defaults unsaved where there are none."""
    row: Any = ExperienceSettings.objects.filter(base=base).first()
    return row or ExperienceSettings(tenant_id=base.tenant_id, base=base)


def cut_of(base: KnowledgeBase) -> float:
    """Return the least confidence of an answer that does not go on to the agent, 0 without one.

    A base whose policy is off has none: it was calibrated while experience was in use.
    """
    row = settings_of(base)
    return 0.0 if row.policy == ExperienceSettings.Policy.OFF or row.cut is None else row.cut
