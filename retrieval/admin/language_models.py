"""A company's language models: their keys go in and never come out."""

from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters
from unfold.decorators import action

from accounts.admin_base import TenantModelAdmin
from retrieval.admin.language_model_form import LanguageModelForm
from retrieval.models import LanguageModel
from retrieval.services.model_checks import model_check

MOST_AT_ONCE = 4
"""Checked one after the other, while the operator waits."""


@admin.register(LanguageModel)
class LanguageModelAdmin(TenantModelAdmin):
    """By role; where there is none the installation's (CAIRN_LLM_*) works for the company."""

    form = LanguageModelForm
    list_display = ["name", "role_name", "model_id", "base_url", "key", "context", "is_active"]
    list_filter = ["role", "is_active"]
    search_fields = ["name", "model_id"]
    actions = ["check_models"]
    actions_submit_line = ["check_this_model"]
    empty_value_display = "unknown"

    def get_fieldsets(self, request: HttpRequest, obj: LanguageModel | None = None) -> Any:
        """Return the form in three parts; prices name the site's currency."""
        prices = f"{settings.PRICE_CURRENCY} for a million tokens; the ledger counts with them."
        key = ["api_key", "forget_key"] if obj and obj.has_key else ["api_key"]
        return [
            (None, {"fields": ["name", "role", "is_active"]}),
            ("Where it is", {"fields": ["base_url", "model_id", *key]}),
            ("What it takes", {"fields": ["context_tokens", "timeout_s"]}),
            (
                "Prices",
                {
                    "fields": ["price_prompt", "price_cached", "price_completion"],
                    "description": prices,
                },
            ),
        ]

    @method_decorator(sensitive_post_parameters("api_key"))
    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Keep the key out of the reports of errors."""
        response: HttpResponse = super().changeform_view(request, *args, **kwargs)
        return response

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Offer the check with the first save too; unfold has its buttons for later ones."""
        buttons = {"actions_submit_line": self.get_actions_submit_line(request, None)}
        response: HttpResponse = super().add_view(
            request, form_url, {**buttons, **(extra_context or {})}
        )
        return response

    @admin.display(ordering="role", description="role")
    def role_name(self, row: LanguageModel) -> str:
        return row.role

    @admin.display(description="key")
    def key(self, row: LanguageModel) -> str:
        return "stored" if row.has_key else "none"

    @admin.display(ordering="context_tokens", description="context", empty_value="unknown")
    def context(self, row: LanguageModel) -> str | None:
        return None if row.context_tokens is None else f"{row.context_tokens:,} tokens"

    @admin.action(description="Check the chosen models", permissions=["change"])
    def check_models(self, request: HttpRequest, rows: QuerySet[LanguageModel]) -> None:
        """Ask each for a word and say what came of it."""
        for row in rows[:MOST_AT_ONCE]:
            _check_soon(request, row)

    @action(description="Save and check this model")  # type: ignore[untyped-decorator]
    def check_this_model(self, request: HttpRequest, row: LanguageModel) -> None:
        """Ask it for a word once it is saved."""
        _check_soon(request, row)


def _check_soon(request: HttpRequest, row: LanguageModel) -> None:
    """Call the model when the page's transaction has ended: none is held while a model works."""

    def check() -> None:
        outcome = model_check(row)
        level = messages.SUCCESS if outcome.replied else messages.ERROR
        messages.add_message(request, level, outcome.sentence)

    transaction.on_commit(check)
