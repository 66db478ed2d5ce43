"""A company's own language models, by the role they play."""

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.tenancy import TenantManager, TenantOwned
from retrieval.sealing import seal, unseal


def _price(label: str, help_text: str = "") -> "models.DecimalField[Any, Any]":
    return models.DecimalField(
        label,
        max_digits=10,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text=help_text,
    )


class LanguageModel(TenantOwned):
    """A model on a server that speaks OpenAI's API. Its key is stored sealed, never in clear."""

    class Role(models.TextChoices):
        ANSWER = "answer", "answer: writes answers and abstracts"
        AGENT = "agent", "agent: explores with tools"
        CHEAP = "cheap", "cheap: plans and rewrites questions"
        VISION = "vision", "vision: describes figures"

    name = models.CharField(
        max_length=100, help_text="What answers and the ledger call it, such as “Large, in house”."
    )
    role = models.CharField(
        max_length=10,
        choices=Role,
        default=Role.ANSWER,
        help_text="agent and cheap are played by the model for answer where there is none of "
        "their own.",
    )
    base_url = models.CharField(
        max_length=500,
        verbose_name="base URL",
        help_text="Of a server that speaks OpenAI's API, mostly ending in /v1.",
    )
    model_id = models.CharField(
        max_length=200, verbose_name="model", help_text="The server's own name of the model."
    )
    sealed_key = models.TextField(blank=True, editable=False)
    context_tokens = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(2_000)],
        verbose_name="context, in tokens",
        help_text="The most it reads and writes in one call; longer prompts are shortened by "
        "Cairn. Empty: the server says when it is too much. Set it for Ollama, which does not.",
    )
    timeout_s = models.PositiveIntegerField(
        default=120,
        validators=[MinValueValidator(1), MaxValueValidator(3_600)],
        verbose_name="time-out, in seconds",
        help_text="For one call with all its attempts.",
    )
    # A million tokens, in the site's currency.
    price_prompt = _price("prompt")
    price_cached = _price("cached prompt", help_text="Empty: as any prompt.")
    price_completion = _price("completion")
    is_active = models.BooleanField(
        default=True, verbose_name="active", help_text="One active model a role."
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = TenantManager["LanguageModel"]()

    class Meta(TenantOwned.Meta):
        ordering = ["role", "name"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "name"],
                name="model_name_once_a_tenant",
                violation_error_message="This company has a model of this name already.",
            ),
            models.UniqueConstraint(
                fields=["tenant", "role"],
                condition=Q(is_active=True),
                name="active_model_once_a_role",
                violation_error_message="Another active model has this role. Make that one "
                "inactive first, or this one.",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def has_key(self) -> bool:
        return bool(self.sealed_key)

    @property
    def api_key(self) -> str:
        """The key in clear, '' without one. Raises KeyUnreadable."""
        return unseal(self.sealed_key) if self.sealed_key else ""

    @api_key.setter
    def api_key(self, key: str) -> None:
        self.sealed_key = seal(key) if key else ""
