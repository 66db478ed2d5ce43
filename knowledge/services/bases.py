"""Knowledge bases: make and delete.

Errors: NameTaken (also for a name without a single letter or digit).
"""

from collections.abc import Iterable

from django.db import IntegrityError

from accounts.models import Group, Tenant, User
from accounts.tenancy import tenant_transaction
from knowledge.ingest.slugs import slug
from knowledge.models import BaseAccess, Document, KnowledgeBase
from knowledge.services.deletion import documents_erase


class NameTaken(ValueError):
    """Another base of the tenant has this name, or one that gives the same address."""


def base_create(
    *,
    tenant: Tenant,
    name: str,
    by: User | None,
    description: str = "",
    visibility: str = KnowledgeBase.Visibility.TENANT,
    groups: Iterable[Group] = (),
) -> KnowledgeBase:
    """Return a new base; its slug, and so its address kb://slug, comes from the name.

    Raises NameTaken.
    """
    try:
        with tenant_transaction(tenant):
            base = KnowledgeBase.objects.create(
                tenant=tenant,
                slug=slug(name),
                name=name,
                description=description,
                visibility=visibility,
                created_by=by,
            )
            for group in groups:
                BaseAccess.objects.create(tenant=tenant, base=base, group=group)
    except IntegrityError as error:
        raise NameTaken(f"There is a knowledge base called {name} already.") from error
    return base


def base_delete(*, tenant: Tenant, base: KnowledgeBase) -> None:
    """Delete a base with its documents, vectors and conversations; a second call does nothing."""
    with tenant_transaction(tenant):
        if KnowledgeBase.objects.lock(base.pk) is None:
            return
        documents_erase(Document.objects.filter(base=base))
        # Whoever keeps it (`KnowledgeBaseQuerySet.keep`) ends first; what they made goes along.
        KnowledgeBase.objects.select_for_update(of=("self",)).get(pk=base.pk)
        base.delete()
