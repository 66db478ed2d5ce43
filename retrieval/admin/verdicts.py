"""What readers and the full agent think of answers. Questions and answers are the members' own."""

from django.contrib import admin

from accounts.admin_base import ReadOnlyTenantAdmin
from retrieval.models import Feedback, ShadowAudit


class _OfRunAdmin(ReadOnlyTenantAdmin):
    list_select_related = ["run__base"]
    date_hierarchy = "created_at"

    @admin.display(ordering="run_id", description="run")
    def run_number(self, row: Feedback | ShadowAudit) -> int:
        return row.run_id

    @admin.display(ordering="run__base__name")
    def base(self, row: Feedback | ShadowAudit) -> str:
        return str(row.run.base)

    @admin.display(ordering="run__preset")
    def preset(self, row: Feedback | ShadowAudit) -> str:
        return str(row.run.preset)


@admin.register(Feedback)
class FeedbackAdmin(_OfRunAdmin):
    """Verdicts of readers on their answers; whose, is not shown."""

    list_display = ["created_at", "run_number", "base", "preset", "verdict"]
    list_filter = ["verdict", "run__base", "run__preset"]
    fields = ["run_number", "base", "preset", "verdict", "created_at"]


@admin.register(ShadowAudit)
class ShadowAuditAdmin(_OfRunAdmin):
    """Answers given without the agent, asked of it once more."""

    list_display = ["created_at", "run_number", "base", "state", "outcome", "confidence", "tokens"]
    list_filter = ["state", "agrees", "run__base"]
    fields = ["run_number", "base", "preset", "state", "outcome", "reason", "paths", "confidence"]
    fields += ["tokens", "attempts", "created_at", "finished_at"]
    empty_value_display = "unknown"

    @admin.display(ordering="agrees", empty_value="not known")
    def outcome(self, audit: ShadowAudit) -> str | None:
        """In words, as of a run: neither is a mistake of the page."""
        if audit.agrees is None:
            return None
        return "agrees" if audit.agrees else "differs"
