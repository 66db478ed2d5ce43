from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import TabularInline

from accounts.admin_base import ReadOnlyTenantAdmin, TenantModelAdmin, TenantModelForm
from knowledge.models import (
    BaseAccess,
    Document,
    IngestionRun,
    IngestUsage,
    KnowledgeBase,
    Reembedding,
    TenantQuota,
)


class BaseAccessInline(TabularInline):  # type: ignore[misc]  # unfold has no types
    model = BaseAccess
    form = TenantModelForm
    extra = 0
    fields = ["group"]
    verbose_name = "group with access"
    verbose_name_plural = "groups with access to a restricted base"


@admin.register(KnowledgeBase)
class KnowledgeBaseAdmin(TenantModelAdmin):
    list_display = ["name", "slug", "visibility", "entry_count", "serving_model", "created_at"]
    list_filter = ["visibility"]
    search_fields = ["name", "slug"]
    readonly_fields = ["slug", "entry_count", "term_count", "serving_model", "created_at"]
    exclude = ["created_by"]
    inlines = [BaseAccessInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A base is made, and deleted with all it holds, on its own pages."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: KnowledgeBase | None = None) -> bool:
        return False


@admin.register(Document)
class DocumentAdmin(ReadOnlyTenantAdmin):
    list_display = ["title", "base", "filename", "current_version", "created_at"]
    list_filter = ["base"]
    list_select_related = ["base", "current_version"]
    search_fields = ["title", "filename"]


@admin.register(IngestionRun)
class IngestionRunAdmin(ReadOnlyTenantAdmin):
    list_display = ["version", "state", "stage", "done", "total", "attempts", "message"]
    list_filter = ["state", "stage"]
    list_select_related = ["version"]
    date_hierarchy = "created_at"


@admin.register(TenantQuota)
class TenantQuotaAdmin(TenantModelAdmin):
    list_display = ["__str__", "tokens_per_month", "bytes_stored", "approval_tokens"]


@admin.register(IngestUsage)
class IngestUsageAdmin(ReadOnlyTenantAdmin):
    list_display = ["created_at", "purpose", "tokens", "version_number"]
    list_filter = ["purpose"]
    date_hierarchy = "created_at"


@admin.register(Reembedding)
class ReembeddingAdmin(ReadOnlyTenantAdmin):
    list_display = ["base", "model", "state", "done", "total", "tokens_done", "attempts", "message"]
    list_filter = ["state"]
    list_select_related = ["base"]
