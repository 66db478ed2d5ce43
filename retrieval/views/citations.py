"""The passage that a citation rests on, in the panel beside the answer or as a page of its own."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from accounts.http import TenantRequest, tenant_view
from accounts.tenancy import tenant_transaction
from knowledge.ingest.tree import Span
from knowledge.reading.continuation import continuation_of
from knowledge.reading.page_views import cited_pages
from knowledge.reading.passages import passage_at
from retrieval.models import Run
from retrieval.turns import citation_of


@require_safe
@tenant_view
def citation(request: TenantRequest, run_id: int, number: int) -> HttpResponse:
    """The cited section with the quote highlighted."""
    with tenant_transaction(request.tenant):
        runs = Run.objects.of(request.membership).select_related("base")
        run = get_object_or_404(runs, pk=run_id)
        cited = citation_of(run, number)
        if cited is None and f"[{number}]" not in run.answer:
            raise Http404
        context = {"run": run, "base": run.base, "citation": cited, "number": number}
        if cited is not None:
            span = Span(cited.char_start, cited.char_end)
            context["passage"] = passage_at(cited.version, span)
            context["pages"] = cited_pages(cited.version, span)
            is_current = cited.document.current_version_id == cited.version_id
            context["is_current"] = is_current
            if not is_current:
                context["now"] = continuation_of(cited.document, cited.version_id, span)
        template = "retrieval/_passage.html" if request.htmx else "retrieval/passage.html"
        response = render(request, template, context)
    patch_vary_headers(response, ["HX-Request"])
    return response
