"""The documents of a base: the list with its live progress, and uploading."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods

from accounts.http import TenantRequest, tenant_view
from accounts.policies import may_edit_documents, may_manage_bases
from accounts.tenancy import tenant_transaction
from knowledge.forms import UploadForm
from knowledge.ingest.preflight import MEGABYTE
from knowledge.listings import base_progress, documents_of
from knowledge.models import KnowledgeBase
from knowledge.services.archives import Received, file_upload
from knowledge.services.uploads import Outcome
from knowledge.views.lookup import base_for, only_for

PAGE_SIZE = 100
TOLD_APART = 3
"""Files that went well and are named one by one; what did not go well always is."""

_SENTENCES = {
    Outcome.NEW: "was received; the list below tells how far it is.",
    Outcome.NEW_VERSION: "was received as a new version; the list below tells how far it is.",
    Outcome.UNCHANGED: "is here already, unchanged.",
    Outcome.RETRIED: "had failed and is tried again.",
    Outcome.RESTORED: "is here already and will be used again.",
}


@dataclass(frozen=True, slots=True)
class UploadResult:
    """What became of one uploaded file."""

    filename: str
    outcome: str
    sentence: str


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view
def documents(request: TenantRequest, base_slug: str) -> HttpResponse:
    """The documents of a base; htmx polls the same address for the list alone."""
    if request.method == "POST":
        return _upload(request, base_slug)
    with tenant_transaction(request.tenant):
        return _page(request, base_for(request.membership, base_slug))


@only_for(may_edit_documents)
def _upload(request: TenantRequest, base_slug: str) -> HttpResponse:
    with tenant_transaction(request.tenant):
        base = base_for(request.membership, base_slug)
    form = UploadForm(request.POST, request.FILES)
    # Each file is stored in a transaction of its own: one that is refused takes no other with it.
    results = list(_stored(request, base, form.named_files())) if form.is_valid() else []
    with tenant_transaction(request.tenant):
        return _page(request, base, form=form, results=_told_together(results))


def _stored(
    request: TenantRequest, base: KnowledgeBase, files: "Iterable[tuple[str, UploadedFile[bytes]]]"
) -> Iterator[UploadResult]:
    for name, file in files:
        received = file_upload(
            tenant=request.tenant,
            base=base,
            filename=name,
            # One byte more than allowed is enough for the service to refuse it.
            content=file.read(settings.UPLOAD_MAX_BYTES + 1),
            by=request.user,
        )
        yield from map(_result, received)


def _told_together(results: list[UploadResult]) -> list[UploadResult]:
    """Return the results, those of many files that went well as one."""
    well = [one for one in results if one.outcome in (Outcome.NEW, Outcome.NEW_VERSION)]
    if len(well) <= TOLD_APART:
        return results
    together = UploadResult(
        f"{len(well)} files", Outcome.NEW, "were received; the list below tells how far they are."
    )
    return [together, *(one for one in results if one not in well)]


def _result(received: Received) -> UploadResult:
    if received.upload is None:
        outcome = "left-out" if received.is_incidental else "refused"
        return UploadResult(received.entry or received.name, outcome, received.reason)
    outcome = received.upload.outcome
    return UploadResult(received.name, outcome, _SENTENCES[outcome])


def _page(
    request: TenantRequest,
    base: KnowledgeBase,
    form: UploadForm | None = None,
    results: Iterable[UploadResult] = (),
) -> HttpResponse:
    progress = base_progress(base)
    polled = request.htmx and request.htmx.trigger == "documents-poll"
    if polled and not progress.unfinished and request.GET.get("seen") == progress.signature:
        return HttpResponse(status=204)  # htmx leaves the list as it is
    context = {
        "base": base,
        "progress": progress,
        "page": Paginator(documents_of(base), PAGE_SIZE).get_page(request.GET.get("page")),
        "form": form,
        "results": results,
        "may_edit": may_edit_documents(request.membership),
        "may_manage_base": may_manage_bases(request.membership),
        "upload_max_mb": settings.UPLOAD_MAX_BYTES // MEGABYTE,
        "upload_max_files": settings.DATA_UPLOAD_MAX_NUMBER_FILES,
    }
    template = "knowledge/documents.html"
    if request.htmx:
        template = "knowledge/_documents.html"
    # htmx swaps no 422 in, and the sentence is to be seen.
    refused = form is not None and form.errors and not request.htmx
    response = render(request, template, context, status=422 if refused else 200)
    patch_vary_headers(response, ["HX-Request"])
    return response
