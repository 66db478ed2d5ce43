"""The ledger: one row a call of a model. Unknown is NULL, and shown as unknown."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.tenancy import TenantManager, TenantOwned


class UsageEntry(TenantOwned):
    """What one call took. Kept when its run is deleted: the tokens were spent all the same."""

    purpose = models.CharField(max_length=20, help_text="plan, answer, agent, vote, rewrite ...")
    model = models.CharField(max_length=100)
    run_number = models.BigIntegerField(null=True, help_text="the run it was for, if any")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    base_slug = models.CharField(max_length=60, blank=True)
    prompt_tokens = models.PositiveIntegerField(null=True)
    completion_tokens = models.PositiveIntegerField(null=True)
    cached_tokens = models.PositiveIntegerField(null=True)
    estimated = models.BooleanField(default=False, help_text="counted here, not by the provider")
    failed = models.BooleanField(default=False)
    seconds = models.FloatField()
    cost = models.DecimalField(
        max_digits=14,
        decimal_places=6,
        null=True,
        help_text="at the model's prices when it was called; empty: unknown",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = TenantManager["UsageEntry"]()

    class Meta(TenantOwned.Meta):
        ordering = ["-id"]
        verbose_name_plural = "usage entries"
        indexes = [models.Index(fields=["tenant", "created_at"], name="usage_by_time")]

    def __str__(self) -> str:
        return f"{self.purpose} by {self.model}"
