"""A run while it answers: the stream of its progress, and Stop."""

import logging
import uuid
from collections.abc import Iterator

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.utils.html import escape
from django.views.decorators.http import require_POST, require_safe

from accounts.http import TenantRequest, tenant_view
from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from retrieval.answers import answer_html
from retrieval.models import Run
from retrieval.services.runs import run_stop
from retrieval.services.streaming import Seen, StreamFrame, run_look, run_stream
from retrieval.turns import citation_url, turn_of

logger = logging.getLogger(__name__)

RETRY_MS = 3_000
"""When a browser opens a stream again that ended while its run goes on."""


@require_safe
@tenant_view
def run_events(request: TenantRequest, run_id: int) -> StreamingHttpResponse:
    """Server-sent events: `step`, `steps` and `answer` as whole fragments, then `done`.

    The body is iterated after the view has returned, outside of its transaction (style 2.6): the
    generator is given ids and opens its own.
    """
    with tenant_transaction(request.tenant):
        run = get_object_or_404(Run.objects.of(request.membership), pk=run_id)
        seen = run_look(run)
    response = StreamingHttpResponse(
        _frames(request.tenant, run.pk, seen), content_type="text/event-stream; charset=utf-8"
    )
    response["Cache-Control"] = "no-cache"
    response["X-Accel-Buffering"] = "no"
    return response


@require_POST
@tenant_view
def run_halt(request: TenantRequest, run_id: int) -> HttpResponse:
    """Stop a run; its stream then ends by itself. Without htmx, back to the conversation."""
    with tenant_transaction(request.tenant):
        run = get_object_or_404(Run.objects.of(request.membership), pk=run_id)
        run_stop(tenant=request.tenant, run=run)
    if request.htmx:
        return HttpResponse(status=204)
    if run.conversation_id is None:
        return redirect("conversations", request.tenant.slug)
    return redirect("conversation", request.tenant.slug, run.conversation_id)


def event(name: str, html: str) -> str:
    """Return one server-sent event; every line of the HTML is a data line of its own."""
    lines = "".join(f"data: {line}\n" for line in html.splitlines() or [""])
    return f"event: {name}\n{lines}\n"


def _frames(tenant: Tenant, run_id: int, seen: Seen) -> Iterator[str]:
    steps: list[str] = []
    try:
        for frame in run_stream(tenant_id=tenant.pk, run_id=run_id, seen=seen):
            yield _framed(tenant, run_id, frame, steps)
    except Exception:  # whatever it was, the page must learn of it
        reference = uuid.uuid4().hex[:8]
        logger.exception("The stream of run %s broke, reference %s.", run_id, reference)
        context = {"reference": reference}
        yield event("done", render_to_string("retrieval/_stream_failed.html", context))


def _framed(tenant: Tenant, run_id: int, frame: StreamFrame, steps: list[str]) -> str:
    match frame.kind:
        case "waiting":
            return event("step", escape(frame.text))
        case "step":
            steps.append(frame.text)
            listed = render_to_string("retrieval/_steps.html", {"steps": steps})
            return event("step", escape(frame.text)) + event("steps", listed)
        case "answer":
            html = answer_html(
                frame.answer, cited=frame.citations, citation_url=citation_url(tenant, run_id)
            )
            return event("answer", html)
        case "alive":
            return ": alive\n\n"
        case "later":
            return f"retry: {RETRY_MS}\n\n"
        case _:
            return event("done", _finished_turn(tenant, run_id))


def _finished_turn(tenant: Tenant, run_id: int) -> str:
    with tenant_transaction(tenant):
        return render_to_string("retrieval/_turn.html", {"turn": turn_of(run_id, tenant)})
