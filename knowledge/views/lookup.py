"""What a view may touch: rows of bases that the member sees; absent and foreign are one 404."""

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from accounts.http import only_for as only_for
from accounts.models import Membership
from knowledge.ingest.slugs import is_slug
from knowledge.ingest.tree import Span
from knowledge.models import Document, DocumentVersion, KnowledgeBase


def base_for(membership: Membership, base_slug: str) -> KnowledgeBase:
    """Return a base that the member sees; raise Http404, also for what is no slug at all."""
    if not is_slug(base_slug):  # PostgreSQL refuses to compare with a NUL
        raise Http404
    return get_object_or_404(KnowledgeBase.objects.visible_to(membership), slug=base_slug)


def document_for(membership: Membership, base_slug: str, document_id: int) -> Document:
    """Return a document of a base that the member sees, its base with it; raise Http404."""
    base = base_for(membership, base_slug)
    document = get_object_or_404(Document.objects.for_listing(), base=base, pk=document_id)
    document.base = base
    return document


def version_of(document: Document, number: int | None) -> DocumentVersion | None:
    """Return the version with that number; without one the current, else the latest, if any.

    Raises Http404 for a number that the document does not have.
    """
    if number is not None:
        return get_object_or_404(DocumentVersion.objects, document=document, number=number)
    shown: DocumentVersion | None = document.current_version or document.latest_version
    return shown


def span_asked_for(request: HttpRequest) -> Span | None:
    """Return the characters `?start=` to `?end=` that are to be marked, None without any."""
    ends = [request.GET.get(name, "") for name in ("start", "end")]
    if not all(end.isascii() and end.isdigit() and len(end) < 10 for end in ends):
        return None
    start, end = map(int, ends)
    return Span(start, end) if start < end else None
