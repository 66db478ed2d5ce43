"""The versions of a document: history, adding one, comparing two, going back to one."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.http import TenantRequest, tenant_view
from accounts.policies import may_edit_documents
from accounts.tenancy import tenant_transaction
from knowledge.models import Document, DocumentVersion, IngestionRun
from knowledge.reading.comparison import versions_compare
from knowledge.reading.report import reuse_of
from knowledge.services.uploads import Outcome, UploadRefused, document_upload
from knowledge.services.versions import RestoreRefused, version_restore
from knowledge.version_form import VersionForm
from knowledge.views.lookup import document_for, only_for

PAGE_SIZE = 50

_SENTENCES = {
    Outcome.NEW: "The file was received.",
    Outcome.NEW_VERSION: "Version {number} was received and is being read.",
    Outcome.UNCHANGED: "Nothing changed: the file is the same as version {number}.",
    Outcome.RETRIED: "Version {number} had failed and is tried again.",
    Outcome.RESTORED: "The file is version {number}, which will be used again.",
}


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view
def document_versions(request: TenantRequest, base_slug: str, document_id: int) -> HttpResponse:
    """The history of a document, with live progress; a file that is sent becomes a version."""
    if request.method == "POST":
        return _add(request, base_slug, document_id)
    with tenant_transaction(request.tenant):
        found = document_for(request.membership, base_slug, document_id)
        response = _history(request, found, VersionForm(found))
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
@tenant_view
def document_compare(request: TenantRequest, base_slug: str, document_id: int) -> HttpResponse:
    """What changed from version `?old=` to `?new=`; without them, since the one before."""
    with tenant_transaction(request.tenant):
        found = document_for(request.membership, base_slug, document_id)
        ready = DocumentVersion.objects.filter(document=found, state=DocumentVersion.State.READY)
        versions = {version.number: version for version in ready.order_by("number")}
        in_use = found.current_version.number if found.current_version else 0
        new: int = _number(request, "new", found) or in_use
        old = _number(request, "old", found) or max((n for n in versions if n < new), default=new)
        context = {
            "document": found,
            "base": found.base,
            "numbers": list(versions),
            "old": old,
            "new": new,
        }
        if old != new and old in versions and new in versions:
            context["comparison"] = versions_compare(versions[old], versions[new])
        return render(request, "knowledge/document_compare.html", context)


@require_POST
@tenant_view
@only_for(may_edit_documents)
def document_restore(
    request: TenantRequest, base_slug: str, document_id: int, number: int
) -> HttpResponse:
    """Use an earlier version again, as soon as its passages are indexed."""
    with tenant_transaction(request.tenant):
        found = document_for(request.membership, base_slug, document_id)
        version = get_object_or_404(DocumentVersion.objects, document=found, number=number)
    try:
        version_restore(tenant=request.tenant, version=version)
        messages.success(request, f"Version {number} is used again as soon as it is indexed.")
    except RestoreRefused as refused:
        messages.error(request, str(refused))
    return redirect("document_versions", request.tenant.slug, base_slug, document_id)


@only_for(may_edit_documents)
def _add(request: TenantRequest, base_slug: str, document_id: int) -> HttpResponse:
    with tenant_transaction(request.tenant):
        found = document_for(request.membership, base_slug, document_id)
    form = VersionForm(found, request.POST, request.FILES)
    if form.is_valid():
        try:
            upload = document_upload(
                tenant=request.tenant,
                base=found.base,
                filename=found.filename,
                content=form.content(),
                by=request.user,
            )
            messages.success(
                request, _SENTENCES[upload.outcome].format(number=upload.version.number)
            )
            return redirect("document_versions", request.tenant.slug, base_slug, document_id)
        except UploadRefused as refused:
            form.add_error("document", str(refused))
    with tenant_transaction(request.tenant):
        found = document_for(request.membership, base_slug, document_id)
        return _history(request, found, form, status=422)


def _history(
    request: TenantRequest, found: Document, form: VersionForm, status: int = 200
) -> HttpResponse:
    versions = DocumentVersion.objects.filter(document=found).order_by("-number")
    rows = versions.select_related("created_by").prefetch_related("runs")
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "document": found,
        "base": found.base,
        "page": page,
        "rows": [(version, version.run, reuse_of(version)) for version in page],
        "is_unfinished": IngestionRun.objects.unfinished().filter(version__document=found).exists(),
        "form": form,
        "may_edit": may_edit_documents(request.membership),
    }
    template = "_versions" if request.htmx else "document_versions"
    return render(request, f"knowledge/{template}.html", context, status=status)


def _number(request: TenantRequest, name: str, document: Document) -> int | None:
    """Return a version's number from the query, None without one.

    Raises Http404 for one that the document does not have, and for nonsense.
    """
    text = request.GET.get(name, "")
    if not text:
        return None
    # Versions are numbered without gaps: they go with their document only.
    latest = document.latest_version.number if document.latest_version else 0
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= latest):
        raise Http404
    return int(text)
