"""Pictures of a version: a page as it looks with a quote marked on it, and its figures."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from accounts.http import TenantRequest, tenant_view
from accounts.tenancy import tenant_transaction
from knowledge.ingest.preflight import Refused
from knowledge.ingest.sandbox import ReaderUnavailable
from knowledge.models import Figure, VersionSource
from knowledge.reading.page_views import has_pages, page_marks
from knowledge.services.drawing_slots import Busy
from knowledge.services.page_images import page_draw, page_refusal
from knowledge.views.lookup import document_for, span_asked_for, version_of

UNAVAILABLE = "The page cannot be drawn at the moment. Its text can be read all the same."

KEPT_S = 3_600
"""A browser keeps a picture so long: versions never change, but a member may be removed."""


@require_safe
@tenant_view
def page_picture(
    request: TenantRequest, base_slug: str, document_id: int, number: int, page: int
) -> HttpResponse:
    """A page of a PDF as PNG; `?start=` and `?end=` are the characters that are marked on it."""
    with tenant_transaction(request.tenant):
        found = document_for(request.membership, base_slug, document_id)
        version = version_of(found, number)
        if version is None or not has_pages(version) or not 1 <= page <= (version.pages or 0):
            raise Http404
        marks = page_marks(version, page, span_asked_for(request))
        if refused := page_refusal(version, page):
            return _refusal(refused)
        source = get_object_or_404(VersionSource.objects, version=version)
        content = bytes(source.content)
    try:
        drawn = page_draw(version, content, page, marks)
    except Refused as error:
        return _refusal(error)
    except (Busy, ReaderUnavailable) as error:
        sentence = str(error) if isinstance(error, Busy) else UNAVAILABLE
        response = HttpResponse(sentence, status=503, content_type="text/plain")
        response["Retry-After"] = "10"
        return response
    return picture_response(drawn.png, "image/png")


@require_safe
@tenant_view
def figure_picture(
    request: TenantRequest, base_slug: str, document_id: int, number: int, figure: int
) -> HttpResponse:
    """The picture of a figure, counted from 1 in its version."""
    with tenant_transaction(request.tenant):
        found = document_for(request.membership, base_slug, document_id)
        version = version_of(found, number)
        picture = get_object_or_404(Figure.objects, version=version, number=figure)
    return picture_response(bytes(picture.content), picture.media_type)


def picture_response(data: bytes, media_type: str) -> HttpResponse:
    """Return a picture as a reply that only the reader's own browser keeps."""
    response = HttpResponse(data, content_type=media_type)
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = f"private, max-age={KEPT_S}"
    # Whatever a browser makes of the bytes, nothing in them runs or loads anything.
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response


def _refusal(refused: Refused) -> HttpResponse:
    return HttpResponse(refused.sentence, status=422, content_type="text/plain")
