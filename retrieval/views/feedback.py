"""What a reader thinks of an answer of theirs."""

from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_POST

from accounts.http import TenantRequest, tenant_view
from accounts.tenancy import tenant_transaction
from retrieval.models import Run
from retrieval.services.experience.feedback import FeedbackRefused, feedback_give
from retrieval.turns import turn_of


@require_POST
@tenant_view
def run_feedback(request: TenantRequest, run_id: int) -> HttpResponse:
    """Store a verdict. htmx gets the controls as they are now; else back to the answer."""
    with tenant_transaction(request.tenant):
        run = get_object_or_404(Run.objects.of(request.membership), pk=run_id)
        verdict = request.POST.get("verdict", "")
        try:
            feedback_give(tenant=request.tenant, run=run, user=request.user, verdict=verdict)
        except FeedbackRefused as refused:
            return HttpResponseBadRequest(str(refused), content_type="text/plain; charset=utf-8")
        if request.htmx:
            turn = turn_of(run.pk, request.tenant)
            response = render(request, "retrieval/_feedback.html", {"turn": turn})
            patch_vary_headers(response, ["HX-Request"])
            return response
    if run.conversation_id is None:
        return redirect("conversations", request.tenant.slug)
    conversation = reverse("conversation", args=[request.tenant.slug, run.conversation_id])
    return redirect(f"{conversation}#run-{run.pk}")
