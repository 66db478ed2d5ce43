"""What a company's questions may spend on models."""

from django.db import models

from accounts.tenancy import TenantManager, TenantOwned


class AnswerQuota(TenantOwned):
    """The limits of a tenant's answers a day, UTC; empty ones do not limit. One row a tenant."""

    tokens_per_day = models.PositiveBigIntegerField(
        null=True,
        blank=True,
        help_text="Tokens that all questions of the company may take of models in a day (UTC); "
        "empty or 0: unlimited.",
    )
    tokens_per_person = models.PositiveBigIntegerField(
        null=True,
        blank=True,
        verbose_name="tokens per person and day",
        help_text="What one person's questions may take of them; empty or 0: unlimited.",
    )

    objects = TenantManager["AnswerQuota"]()

    class Meta(TenantOwned.Meta):
        verbose_name = "answer quota"
        constraints = [
            models.UniqueConstraint(
                fields=["tenant"],
                name="answer_quota_once_a_tenant",
                violation_error_message="This company has an answer quota already; change that.",
            )
        ]

    def __str__(self) -> str:
        return "answer quota"
