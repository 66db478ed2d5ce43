"""Experience for operators: settings, questions, and the edges to what answered them."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime
from unfold.widgets import UnfoldAdminTextInputWidget

from accounts.admin_base import ReadOnlyTenantAdmin, TenantModelAdmin, TenantModelForm
from knowledge.ingest.plurals import counted
from knowledge.models import KnowledgeBase
from retrieval.admin.edge_details import credit_words, hop_words, line_list, trace_list
from retrieval.experience_sentences import statistics_lines
from retrieval.models import ExperienceEdge, ExperienceQuestion, ExperienceSettings
from retrieval.services.experience.statistics import statistics_of
from retrieval.services.experience.switching import edges_disable, edges_enable
from retrieval.services.scopes import uri_of


def _share(name: str, **options: Any) -> forms.FloatField:
    """Return the form's field for a column from 0 to 1."""
    words = getattr(ExperienceSettings._meta.get_field(name), "help_text", "")
    return forms.FloatField(
        min_value=0, max_value=1, widget=UnfoldAdminTextInputWidget, help_text=words, **options
    )


class ExperienceSettingsForm(TenantModelForm):
    """Says in words which shares there are."""

    audit_share = _share("audit_share", initial=0)
    cut = _share("cut", required=False)

    class Meta:
        model = ExperienceSettings
        fields = "__all__"  # the admin's fields choose


@admin.register(ExperienceSettings)
class ExperienceSettingsAdmin(TenantModelAdmin):
    """One row a base that has others than the defaults: learn, and audit nothing."""

    form = ExperienceSettingsForm
    list_display = ["base", "policy", "audit_share", "cut"]
    list_filter = ["policy"]
    list_select_related = ["base"]
    fields = ["base", "policy", "audit_share", "cut"]
    empty_value_display = "none"

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return ["base"] if obj else []


class _ExperienceAdmin(ReadOnlyTenantAdmin):
    """Only services write these; operators delete them. One base's statistics stand above."""

    list_before_template = "admin/experience_statistics.html"

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(admin.ModelAdmin.has_delete_permission(self, request, obj))

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        base = _chosen_base(request)
        context = {"statistics_base": base, **(extra_context or {})}
        if base is not None:
            context["statistics_lines"] = statistics_lines(statistics_of(base))
        response: HttpResponse = super().changelist_view(request, context)
        return response


@admin.register(ExperienceQuestion)
class ExperienceQuestionAdmin(_ExperienceAdmin):
    """Questions that were answered; deleting one deletes its edges."""

    list_display = ["question", "base", "origin", "edge_count", "tokens", "created_at"]
    list_filter = ["base", "origin", "edges__state"]
    list_select_related = ["base"]
    search_fields = ["text", "edges__path"]
    fields = ["text", "base", "origin", "targets", "tokens", "rounds", "run_number"]
    fields += ["embedding_model", "created_at"]
    empty_value_display = "unknown"

    def get_queryset(self, request: HttpRequest) -> QuerySet[ExperienceQuestion]:
        rows: QuerySet[ExperienceQuestion] = super().get_queryset(request)
        return rows.defer("dense").annotate(edge_total=Count("edges"))

    @admin.display(ordering="text")
    def question(self, row: ExperienceQuestion) -> str:
        return str(row)

    @admin.display(ordering="edge_total", description="edges")
    def edge_count(self, row: ExperienceQuestion) -> int:
        return int(row.edge_total)  # type: ignore[attr-defined]  # annotated above

    @admin.display(description="leads to")
    def targets(self, row: ExperienceQuestion) -> str:
        edges = row.edges.order_by("path")
        return line_list(
            format_html(
                '<a class="underline" href="{}">{}</a> ({})', _page(edge), edge.path, edge.state
            )
            for edge in edges
        )


@admin.register(ExperienceEdge)
class ExperienceEdgeAdmin(_ExperienceAdmin):
    """From a question to the leaf that answered it."""

    list_display = ["question_text", "path", "base", "state", "uses", "credit", "used_at"]
    list_filter = ["base", "state", "question__origin"]
    list_select_related = ["base", "question"]
    search_fields = ["question__text", "path"]
    actions = ["disable_edges", "enable_edges"]
    fieldsets = (
        (None, {"fields": ["question_link", "origin", "base", "state", "blocked"]}),
        ("Where it leads", {"fields": ["target", "document", "version", "found_in", "way"]}),
        ("How it does", {"fields": ["credit", "uses", "distance"]}),
        ("Dates", {"fields": ["created_at", "used_at", "counted_at"]}),
    )
    empty_value_display = "none"

    def get_queryset(self, request: HttpRequest) -> QuerySet[ExperienceEdge]:
        rows: QuerySet[ExperienceEdge] = super().get_queryset(request)
        return rows.defer("question__dense")

    def has_switch_permission(self, request: HttpRequest) -> bool:
        return bool(admin.ModelAdmin.has_change_permission(self, request))

    @admin.display(ordering="question__text", description="question")
    def question_text(self, edge: ExperienceEdge) -> str:
        return str(edge.question)

    @admin.display(description="question")
    def question_link(self, edge: ExperienceEdge) -> str:
        page = reverse("admin:retrieval_experiencequestion_change", args=[edge.question_id])
        return format_html('<a class="underline" href="{}">{}</a>', page, edge.question.text)

    @admin.display(description="origin")
    def origin(self, edge: ExperienceEdge) -> str:
        return str(edge.question.get_origin_display())

    @admin.display(description="blocked by the verdicts on runs")
    def blocked(self, edge: ExperienceEdge) -> str | None:
        return ", ".join(str(number) for number in edge.blocked_by) or None

    @admin.display(description="target")
    def target(self, edge: ExperienceEdge) -> str:
        return uri_of(edge.base, edge.path)

    @admin.display(description="the first search found")
    def found_in(self, edge: ExperienceEdge) -> str | None:
        return line_list(edge.sources) if edge.sources else None

    @admin.display(description="tools that led there")
    def way(self, edge: ExperienceEdge) -> str | None:
        return trace_list(edge.trace) if edge.trace else None

    @admin.display(ordering="successes")
    def credit(self, edge: ExperienceEdge) -> str:
        return credit_words(edge)

    @admin.display(description="credit counted at")
    def counted_at(self, edge: ExperienceEdge) -> str:
        return date_format(localtime(edge.credited_at), "DATETIME_FORMAT")

    @admin.display(description="hop")
    def distance(self, edge: ExperienceEdge) -> str:
        return hop_words(edge.hop)

    @admin.action(description="Disable the chosen edges", permissions=["switch"])
    def disable_edges(self, request: HttpRequest, rows: QuerySet[ExperienceEdge]) -> None:
        """Let them be used no more."""
        _tell(request, edges_disable(rows), rows, "disabled", "Those disabled before stay so.")

    @admin.action(description="Enable the chosen disabled edges", permissions=["switch"])
    def enable_edges(self, request: HttpRequest, rows: QuerySet[ExperienceEdge]) -> None:
        """Let the disabled ones be used again; one that a reader has blocked stays blocked."""
        told = "The others were not disabled and stay as they were."
        _tell(request, edges_enable(rows), rows, "enabled", told)


def _tell(
    request: HttpRequest, done: int, rows: QuerySet[ExperienceEdge], verb: str, others: str
) -> None:
    sentence = f"{counted(done, 'edge')} {'was' if done == 1 else 'were'} {verb}."
    if done < rows.count():
        sentence += f" {others}"
    messages.success(request, sentence)


def _page(edge: ExperienceEdge) -> str:
    return reverse("admin:retrieval_experienceedge_change", args=[edge.pk])


def _chosen_base(request: HttpRequest) -> KnowledgeBase | None:
    """Return the base that the list is filtered by, or the only one there is."""
    bases = KnowledgeBase.all_tenants.order_by("pk")
    chosen = request.GET.get("base__id__exact", "")
    if chosen.isascii() and chosen.isdigit() and len(chosen) < 19:
        return bases.filter(pk=chosen).first()
    two = list(bases[:2])
    return two[0] if len(two) == 1 else None
