"""The pictures of a version's figures, with what a model says they show."""

from datetime import datetime

from django.db import models
from django.db.models import Exists, F, OuterRef, Q

from accounts.tenancy import TenantForeignKey, TenantManager, TenantOwned
from knowledge.models.documents import DocumentVersion
from knowledge.models.index import FIGURE_ENTRY, IndexEntry
from knowledge.models.nodes import Node


class FigureQuerySet(models.QuerySet["Figure"]):
    def of_current_versions(self) -> "FigureQuerySet":
        """Figures of published versions."""
        return self.filter(version__document__current_version=F("version"))

    def due(self, now: datetime) -> "FigureQuerySet":
        """Those that wait to be described and may be by now."""
        return self.filter(due_at__lte=now)

    def not_indexed(self) -> "FigureQuerySet":
        """Those whose description cannot be found yet."""
        entries = IndexEntry.objects.filter(
            version=OuterRef("version"), kind=FIGURE_ENTRY, path=OuterRef("node__path")
        )
        return self.exclude(description="").filter(~Exists(entries))

    def unfinished(self, now: datetime) -> "FigureQuerySet":
        """Those of published versions that are to be described or indexed now."""
        waiting = self.of_current_versions()
        return waiting.filter(Q(pk__in=self.due(now)) | Q(pk__in=self.not_indexed()))

    def without_pictures(self) -> "FigureQuerySet":
        """Without the bytes."""
        return self.defer("content")


FigureManager = TenantManager.from_queryset(FigureQuerySet)


class Figure(TenantOwned):
    """A picture and the FIGURE node it belongs to.

    `description` is written by a model: it helps to find the figure, and no citation may quote it.
    `due_at` is when it is to be described next, None where nobody is asked to (any more).
    """

    version = TenantForeignKey(DocumentVersion, on_delete=models.CASCADE, related_name="pictures")
    node = TenantForeignKey(Node, on_delete=models.CASCADE, related_name="pictures")
    number = models.PositiveIntegerField(help_text="place among the version's figures, from 1")
    content = models.BinaryField()
    media_type = models.CharField(max_length=20)
    width = models.PositiveIntegerField(help_text="pixels")
    height = models.PositiveIntegerField(help_text="pixels")
    sha256 = models.CharField(max_length=64)
    description = models.TextField(blank=True)
    described_by = models.CharField(max_length=100, blank=True, help_text="a model's name")
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True)

    objects = FigureManager()

    class Meta(TenantOwned.Meta):
        ordering = ["version", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "version", "number"], name="figure_number_once_a_version"
            ),
            models.UniqueConstraint(fields=["tenant", "node"], name="figure_once_a_node"),
        ]
        indexes = [
            models.Index(fields=["tenant", "sha256"], name="figure_content"),
            models.Index(
                fields=["tenant", "due_at"], name="figure_due", condition=Q(due_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"figure {self.number} of version {self.version_id}"
