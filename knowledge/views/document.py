"""One document: its facts, outline and text, older versions, the original, retry and deletion."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.http import TenantRequest, tenant_view
from accounts.policies import may_edit_documents, may_manage_bases
from accounts.tenancy import tenant_transaction
from knowledge.ingest.tree import Span
from knowledge.models import Document, DocumentVersion, IngestionRun, VersionSource
from knowledge.reading.parts import OUTLINE_SECTIONS, nested, outline, text_part
from knowledge.reading.report import version_report
from knowledge.services.approvals import run_approve
from knowledge.services.deletion import document_delete
from knowledge.services.lazy_abstracts import document_abstracts
from knowledge.services.uploads import version_retry
from knowledge.views.lookup import document_for, only_for, span_asked_for, version_of

State = DocumentVersion.State
LISTED_VERSIONS = 5
"""On the document's own page; the others are on the page of its versions."""


@require_safe
@tenant_view
def document(request: TenantRequest, base_slug: str, document_id: int) -> HttpResponse:
    """The document as it is searched now."""
    return _document_page(request, base_slug, document_id)


@require_safe
@tenant_view
def document_version(
    request: TenantRequest, base_slug: str, document_id: int, number: int
) -> HttpResponse:
    """An older version, or the current one by its number.

    `?start=` and `?end=` are the characters that are marked: of this version, so not of another.
    """
    span = span_asked_for(request)
    return _document_page(request, base_slug, document_id, number, cited=span)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view
@only_for(may_edit_documents)
def document_remove(request: TenantRequest, base_slug: str, document_id: int) -> HttpResponse:
    """Ask whether to delete a document for good, and do it."""
    with tenant_transaction(request.tenant):
        found = document_for(request.membership, base_slug, document_id)
        if request.method == "POST":
            document_delete(tenant=request.tenant, document=found)
            messages.success(request, f"“{found}” was deleted.")
            return redirect("documents", request.tenant.slug, base_slug)
        return render(request, "knowledge/document_delete.html", {"document": found})


@require_POST
@tenant_view
@only_for(may_edit_documents)
def document_retry(request: TenantRequest, base_slug: str, document_id: int) -> HttpResponse:
    """Try a failed latest version again; the list it leads to tells how far it is."""
    with tenant_transaction(request.tenant):
        found = document_for(request.membership, base_slug, document_id)
        latest = found.latest_version
        if latest is not None and version_retry(tenant=request.tenant, version=latest):
            messages.success(request, f"“{found}” is tried again; the list tells how far it is.")
        elif latest is not None and latest.state in (State.QUEUED, State.RUNNING):
            messages.info(request, f"“{found}” is being read already.")
        else:
            messages.info(request, f"“{found}” has not failed, so there is nothing to try again.")
    return redirect("documents", request.tenant.slug, base_slug)


@require_POST
@tenant_view
@only_for(may_manage_bases)
def document_approve(request: TenantRequest, base_slug: str, document_id: int) -> HttpResponse:
    """Let the version that waits go on: by the model, or with `choice=sentences` without it."""
    with tenant_transaction(request.tenant):
        found = document_for(request.membership, base_slug, document_id)
        waiting = IngestionRun.objects.awaiting_approval().filter(version__document=found).first()
        if waiting is not None:
            with_model = request.POST.get("choice") == "model"
            run_approve(tenant=request.tenant, run=waiting, with_model=with_model)
    return redirect("document", request.tenant.slug, base_slug, document_id)


@require_safe
@tenant_view
def document_download(request: TenantRequest, base_slug: str, document_id: int) -> HttpResponse:
    """The uploaded bytes, of the version `?version=` or the one that is shown."""
    number = request.GET.get("version", "")
    if number and not (number.isascii() and number.isdigit() and len(number) < 10):
        raise Http404
    with tenant_transaction(request.tenant):
        found = document_for(request.membership, base_slug, document_id)
        version = version_of(found, int(number) if number else None)
        source = get_object_or_404(VersionSource.objects, version=version)
    assert version is not None  # noqa: S101  a source has one
    # Never a type that a browser would run: what was uploaded is not ours.
    response = HttpResponse(bytes(source.content), content_type="application/octet-stream")
    response["Content-Disposition"] = content_disposition_header(True, version.filename) or ""
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "private, no-store"
    return response


def _document_page(
    request: TenantRequest,
    base_slug: str,
    document_id: int,
    number: int | None = None,
    cited: Span | None = None,
) -> HttpResponse:
    """Render the page, or for htmx only the part of the text that starts at `?from=`."""
    with tenant_transaction(request.tenant):
        found = document_for(request.membership, base_slug, document_id)
        version = version_of(found, number)
        context = _context(request, found, version, cited)
        template = "knowledge/_text_part.html" if request.htmx else "knowledge/document.html"
        response = render(request, template, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _context(
    request: TenantRequest,
    found: Document,
    version: DocumentVersion | None,
    cited: Span | None,
) -> dict[str, Any]:
    context: dict[str, Any] = {
        "document": found,
        "base": found.base,
        "version": version,
        "may_edit": may_edit_documents(request.membership),
        "may_approve": may_manage_bases(request.membership),
    }
    if version is not None:
        part = text_part(version, _ordinal(request.GET.get("from", "")), cited)
        context["part"] = part
        if not request.htmx:
            context |= {
                "outline": nested(outline(version, part)),
                "outline_is_cut": version.sections > OUTLINE_SECTIONS,
                "report": version_report(version),
                "about": _about(found, version),
                "versions": DocumentVersion.objects.filter(document=found)[:LISTED_VERSIONS],
                "pending": IngestionRun.objects.unfinished()
                .filter(version__document=found)
                .select_related("version")
                .first(),
            }
    return context


def _about(found: Document, version: DocumentVersion) -> str:
    """Return the document's abstract, '' while there is none."""
    if version.state != State.READY:
        return ""
    return document_abstracts(found.base, [version.pk]).get(version.pk, "")


def _ordinal(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
