"""Asking, and the member's own conversations."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http import TenantRequest, tenant_view
from accounts.policies import may_edit_documents
from accounts.tenancy import tenant_transaction
from knowledge.listings import base_progress
from knowledge.models import KnowledgeBase
from knowledge.views.lookup import base_for
from retrieval.forms import QuestionForm
from retrieval.models import Conversation, Run
from retrieval.preset_choice import choice_for_question
from retrieval.services.computing import PAGES
from retrieval.services.runs import QuestionRefused
from retrieval.services.starting import run_ask
from retrieval.services.streaming import run_stream
from retrieval.suggestions import suggestions_for
from retrieval.turns import turn_of, turns_of, unfinished_runs

RECENT = 30
PAGE_SIZE = 50


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view
def ask(request: TenantRequest, base_slug: str) -> HttpResponse:
    """A new conversation with a base; a question leads to its page."""
    with tenant_transaction(request.tenant):
        base = base_for(request.membership, base_slug)
        form = _question_form(request)
        run = _asked(request, form, base) if request.method == "POST" else None
        if run is not None:
            return redirect("conversation", request.tenant.slug, run.conversation_id)
        context = _chat_context(request, base) | {
            "form": form,
            "progress": base_progress(base),
            "suggestions": suggestions_for(base),
            "may_upload": may_edit_documents(request.membership),
        }
        return render(request, "retrieval/ask.html", context, status=422 if form.errors else 200)


@require_safe
@tenant_view
def conversations(request: TenantRequest) -> HttpResponse:
    """The member's conversations, the latest first."""
    with tenant_transaction(request.tenant):
        rows = Conversation.objects.of(request.membership).select_related("base")
        page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
        closed = Conversation.objects.closed_to(request.membership).count()
        return render(request, "retrieval/conversations.html", {"page": page, "closed": closed})


@PAGES.taken()
@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view
def conversation(request: TenantRequest, conversation_id: int) -> HttpResponse:
    """A conversation; a POST asks a follow-up, of which htmx gets the new turn alone."""
    if request.method != "POST" and "wait" in request.GET:
        _wait(request, conversation_id)
    with tenant_transaction(request.tenant):
        found = _conversation_for(request, conversation_id)
        form = _question_form(request)
        run = _asked(request, form, found.base, found) if request.method == "POST" else None
        if run is not None and not request.htmx:
            return redirect("conversation", request.tenant.slug, found.pk)
        context = {"form": form, "conversation": found}
        if request.htmx:
            response = _follow_up(request, run, context)
        else:
            context |= _chat_context(request, found.base, found.preset)
            context["turns"] = turns_of(found, request.tenant)
            status = 422 if form.errors else 200
            response = render(request, "retrieval/conversation.html", context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view
def conversation_remove(request: TenantRequest, conversation_id: int) -> HttpResponse:
    """Ask whether to delete a conversation for good, and do it."""
    with tenant_transaction(request.tenant):
        found = _conversation_for(request, conversation_id)
        if request.method == "POST":
            found.delete()
            messages.success(request, "The conversation was deleted.")
            return redirect("conversations", request.tenant.slug)
        return render(request, "retrieval/conversation_delete.html", {"conversation": found})


def _conversation_for(request: TenantRequest, conversation_id: int) -> Conversation:
    rows = Conversation.objects.of(request.membership).select_related("base")
    return get_object_or_404(rows, pk=conversation_id)


def _question_form(request: TenantRequest) -> QuestionForm:
    """Return the box as it was sent, even if empty, else with the question of the link."""
    if request.method == "POST":
        return QuestionForm(request.POST)
    return QuestionForm(initial={"question": request.GET.get("q", "")})


def _asked(
    request: TenantRequest,
    form: QuestionForm,
    base: KnowledgeBase,
    conversation: Conversation | None = None,
) -> Run | None:
    """Return the new run, or None after adding the refusal to the form."""
    question = form.cleaned_data["question"] if form.is_valid() else ""
    try:
        return run_ask(
            tenant=request.tenant,
            base=base,
            membership=request.membership,
            question=question,
            conversation=conversation,
            preset=request.POST.get("preset"),
        )
    except QuestionRefused as refusal:
        form.add_error("question", str(refusal))
        return None


def _follow_up(request: TenantRequest, run: Run | None, context: dict[str, Any]) -> HttpResponse:
    """Return the new turn, or the refusal in place of it."""
    if run is None:
        return render(request, "retrieval/_refusal.html", context)
    context["turn"] = turn_of(run.pk, request.tenant)
    return render(request, "retrieval/_turn.html", context)


def _wait(request: TenantRequest, conversation_id: int) -> None:
    """Wait for the unfinished runs: what a browser without scripts does instead of streaming."""
    with tenant_transaction(request.tenant):
        found = _conversation_for(request, conversation_id)
        waiting = unfinished_runs(found)
    PAGES.give_back()
    for run in waiting:
        for _ in run_stream(tenant_id=request.tenant.pk, run_id=run.pk):
            pass


def _chat_context(request: TenantRequest, base: KnowledgeBase, preset: str = "") -> dict[str, Any]:
    rows = Conversation.objects.of(request.membership).select_related("base")
    recent = rows.only("title", "base__name")[:RECENT]
    chosen = request.POST.get("preset", preset)
    choice = choice_for_question(request.tenant, base, chosen)
    return {"base": base, "recent": list(recent), "choice": choice}
