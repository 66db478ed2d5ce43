"""What a tenant may take in, and what it has: the rows that quotas are counted from."""

from datetime import datetime

from django.db import models
from django.utils import timezone

from accounts.tenancy import TenantManager, TenantOwned


class TenantQuota(TenantOwned):
    """The limits of a tenant; empty ones do not limit. At most one row a tenant."""

    tokens_per_month = models.PositiveBigIntegerField(
        null=True,
        blank=True,
        help_text="Tokens of documents read and of models that told about them, in a calendar "
        "month; empty or 0: unlimited.",
    )
    bytes_stored = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Bytes of all uploads kept; empty or 0: unlimited."
    )
    approval_tokens = models.PositiveBigIntegerField(
        null=True,
        blank=True,
        help_text="An upload that will cost more tokens of a model waits for approval; empty: "
        "200,000. A base may have its own.",
    )

    objects = TenantManager["TenantQuota"]()

    class Meta(TenantOwned.Meta):
        verbose_name = "ingest quota"
        constraints = [
            models.UniqueConstraint(
                fields=["tenant"],
                name="quota_once_a_tenant",
                violation_error_message="This company has an ingest quota already; change that.",
            )
        ]

    def __str__(self) -> str:
        return "ingest quota"


class IngestUsageQuerySet(models.QuerySet["IngestUsage"]):
    def since(self, moment: datetime) -> "IngestUsageQuerySet":
        return self.filter(created_at__gte=moment)

    def total(self) -> int:
        """Return the sum of their tokens."""
        return self.aggregate(total=models.Sum("tokens"))["total"] or 0


IngestUsageManager = TenantManager.from_queryset(IngestUsageQuerySet)


class IngestUsage(TenantOwned):
    """What one version took. Kept when it is deleted: the tokens were spent all the same."""

    class Purpose(models.TextChoices):
        READ = "read", "reading the document"
        ABSTRACT = "abstract", "abstracts by a model"

    version_number = models.BigIntegerField(help_text="the version it was for")
    purpose = models.CharField(max_length=10, choices=Purpose)
    tokens = models.PositiveBigIntegerField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = IngestUsageManager()

    class Meta(TenantOwned.Meta):
        ordering = ["-id"]
        verbose_name_plural = "ingest usage"
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "version_number", "purpose"], name="usage_once_a_version"
            )
        ]
        indexes = [models.Index(fields=["tenant", "created_at"], name="ingest_usage_by_time")]

    def __str__(self) -> str:
        return f"{self.tokens} tokens for {self.purpose}"
