from django.conf import settings
from django.contrib import admin
from django.db.models import DurationField, ExpressionWrapper, F
from django.http import HttpRequest
from django.utils.html import format_html

from accounts.admin_base import ReadOnlyTenantAdmin, TenantModelAdmin
from retrieval.models import AnswerQuota, Run, UsageEntry
from retrieval.models.runs import RunQuerySet

WHOLE = '<span class="whitespace-nowrap">{}</span>'
"""Hyphens and spaces in it break no line."""


@admin.register(Run)
class RunAdmin(ReadOnlyTenantAdmin):
    """What was asked of which base, how many tokens it took and whether it was answered."""

    list_display = [
        "created_at",
        "base",
        "how",
        "state",
        "outcome",
        "went_on_searching",
        "prompt_tokens",
        "completion_tokens",
        "took",
    ]
    list_filter = ["state", "abstained", "escalated", "preset", "base"]
    list_select_related = ["base"]
    date_hierarchy = "created_at"
    ordering = ["-pk"]
    # A member's questions are theirs; the operator sees how many and how long.
    exclude = ["question", "rewritten", "answer", "reason", "conversation", "user", "claim"]

    def get_queryset(self, request: HttpRequest) -> RunQuerySet:
        took = ExpressionWrapper(F("finished_at") - F("started_at"), DurationField())
        runs: RunQuerySet = super().get_queryset(request)
        return runs.annotate(duration=took)

    @admin.display(ordering="preset", description="preset")
    def how(self, run: Run) -> str:
        return format_html(WHOLE, run.preset)

    @admin.display(ordering="abstained")
    def outcome(self, run: Run) -> str:
        """In words: a red cross for "not abstained" would mark the good ones as bad."""
        if run.state != Run.State.DONE:
            return "none"
        return "declined" if run.abstained else "answered"

    @admin.display(ordering="escalated", description="escalated")
    def went_on_searching(self, run: Run) -> str:
        return "yes" if run.escalated else "no"

    @admin.display(ordering="duration", empty_value="unknown")
    def took(self, run: Run) -> str | None:
        duration = run.duration  # type: ignore[attr-defined]  # annotated above
        return None if duration is None else f"{duration.total_seconds():.1f} s"


@admin.register(AnswerQuota)
class AnswerQuotaAdmin(TenantModelAdmin):
    """What questions may take of models a day."""

    list_display = ["__str__", "tokens_per_day", "tokens_per_person"]


@admin.register(UsageEntry)
class UsageEntryAdmin(ReadOnlyTenantAdmin):
    """Every call of a model. What no provider told is shown as unknown."""

    list_display = [
        "created_at",
        "purpose",
        "model",
        "base",
        "prompt",
        "cached",
        "completion",
        "priced",
        "result",
    ]
    list_filter = ["purpose", "model", "failed", "base_slug"]
    date_hierarchy = "created_at"
    ordering = ["-pk"]
    empty_value_display = "unknown"

    @admin.display(ordering="base_slug", empty_value="none")
    def base(self, entry: UsageEntry) -> str | None:
        return format_html(WHOLE, entry.base_slug) if entry.base_slug else None

    @admin.display(ordering="prompt_tokens", description="tokens read", empty_value="unknown")
    def prompt(self, entry: UsageEntry) -> str | None:
        return _counted(entry.prompt_tokens, entry)

    @admin.display(ordering="cached_tokens", description="cached", empty_value="unknown")
    def cached(self, entry: UsageEntry) -> str | None:
        return _counted(entry.cached_tokens, entry)

    @admin.display(ordering="completion_tokens", description="written", empty_value="unknown")
    def completion(self, entry: UsageEntry) -> str | None:
        return _counted(entry.completion_tokens, entry)

    @admin.display(ordering="cost", description="cost", empty_value="unknown")
    def priced(self, entry: UsageEntry) -> str | None:
        return (
            None
            if entry.cost is None
            else format_html(WHOLE, f"{entry.cost.normalize():f} {settings.PRICE_CURRENCY}")
        )

    @admin.display(ordering="failed")
    def result(self, entry: UsageEntry) -> str:
        return "failed" if entry.failed else "replied"


def _counted(tokens: int | None, entry: UsageEntry) -> str | None:
    """Return a count as it is shown: Cairn's own estimates say that they are."""
    if tokens is None:
        return None
    return f"about {tokens:,}" if entry.estimated else f"{tokens:,}"
