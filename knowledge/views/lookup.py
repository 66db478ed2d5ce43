"""What a view may touch: rows of bases that the member sees; absent and foreign are one 404."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404

from accounts.http import TenantRequest
from accounts.models import Membership
from knowledge.ingest.slugs import is_slug
from knowledge.models import Document, DocumentVersion, KnowledgeBase

P = ParamSpec("P")
R = TypeVar("R", bound=HttpResponseBase)


def only_for(
    may: Callable[[Membership], bool],
) -> Callable[
    [Callable[Concatenate[TenantRequest, P], R]], Callable[Concatenate[TenantRequest, P], R]
]:
    """Decorate a tenant view that only some roles may use; others get a 403 before any look-up."""

    def decorate(
        view: Callable[Concatenate[TenantRequest, P], R],
    ) -> Callable[Concatenate[TenantRequest, P], R]:
        @wraps(view)
        def wrapper(request: TenantRequest, /, *args: P.args, **kwargs: P.kwargs) -> R:
            if not may(request.membership):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return wrapper

    return decorate


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
