"""Knowledge bases: make, change and delete.

Errors: NameTaken, NameRefused.
"""

from collections.abc import Iterable
from dataclasses import asdict

from django.db import IntegrityError

from accounts.models import Group, Tenant, User
from accounts.names import NameRefused, clean_name
from accounts.tenancy import tenant_transaction
from knowledge.ingest.reading_options import ReadingOptions
from knowledge.ingest.slugs import MAX_LENGTH, SiblingNames, slug
from knowledge.models import BaseAccess, Document, KnowledgeBase
from knowledge.services.deletion import documents_erase

ROOM_FOR_NUMBER = 6
"""Characters of a slug that a hyphen and a number may take."""


class NameTaken(NameRefused):
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

    Raises NameTaken, NameRefused.
    """
    name = clean_name(name)
    try:
        with tenant_transaction(tenant):
            _hold_names(tenant)
            _require_free(name)
            base = KnowledgeBase.objects.create(
                tenant=tenant,
                slug=_free_slug(name),
                name=name,
                description=description,
                visibility=visibility,
                created_by=by,
            )
            _open_to(base, groups)
    except IntegrityError as error:
        raise _taken(name) from error  # by one that was made at the same moment
    return base


def base_change(
    *,
    tenant: Tenant,
    base: KnowledgeBase,
    name: str,
    description: str,
    visibility: str,
    groups: Iterable[Group],
) -> None:
    """Rename, describe, open or restrict a base; its slug and so every address in it stay.

    Nothing happens if it has been deleted. Raises NameTaken, NameRefused.
    """
    name = clean_name(name)
    with tenant_transaction(tenant):
        _hold_names(tenant)
        locked = KnowledgeBase.objects.lock(base.pk)
        if locked is None:
            return
        if slug(name) != slug(locked.name):
            _require_free(name)
        locked.name, locked.description, locked.visibility = name, description, visibility
        locked.save(update_fields=["name", "description", "visibility"])
        _open_to(locked, groups)


def base_read_as(*, tenant: Tenant, base: KnowledgeBase, options: ReadingOptions) -> None:
    """Store how documents of the base are read from now on; what is read already stays."""
    with tenant_transaction(tenant):
        KnowledgeBase.objects.filter(pk=base.pk).update(**asdict(options))


def base_abstracts_as(*, tenant: Tenant, base: KnowledgeBase, abstracts: str) -> None:
    """Store when documents of the base get abstracts: one of `KnowledgeBase.Abstracts`."""
    with tenant_transaction(tenant):
        KnowledgeBase.objects.filter(pk=base.pk).update(abstracts=abstracts)


def base_delete(*, tenant: Tenant, base: KnowledgeBase) -> None:
    """Delete a base with its documents, vectors and conversations; a second call does nothing."""
    with tenant_transaction(tenant):
        if KnowledgeBase.objects.lock(base.pk) is None:
            return
        documents_erase(Document.objects.filter(base=base))
        # Whoever keeps it (`KnowledgeBaseQuerySet.keep`) ends first; what they made goes along.
        KnowledgeBase.objects.select_for_update(of=("self",)).get(pk=base.pk)
        base.delete()


def _hold_names(tenant: Tenant) -> None:
    """Let nobody else name a base of the tenant until the transaction ends.

    What makes two names one is more than a constraint can say, so it is looked up first.
    """
    Tenant.objects.select_for_update(no_key=True).get(pk=tenant.pk)


def _require_free(name: str) -> None:
    """Raise NameTaken if a base has this name, or one that differs in signs and capitals only."""
    for other in KnowledgeBase.objects.values_list("name", flat=True):
        if slug(other) == slug(name):
            raise _taken(other)


def _free_slug(name: str) -> str:
    """Return the name's slug, numbered if a base that is called otherwise by now has it."""
    siblings = SiblingNames()
    for other in KnowledgeBase.objects.values_list("slug", flat=True):
        siblings.claim(other)
    claimed = siblings.claim(name)
    if len(claimed) > MAX_LENGTH:
        claimed = siblings.claim(slug(name)[: MAX_LENGTH - ROOM_FOR_NUMBER].rstrip("-"))
    return claimed


def _taken(name: str) -> NameTaken:
    return NameTaken(f"There is a knowledge base called {name} already.")


def _open_to(base: KnowledgeBase, groups: Iterable[Group]) -> None:
    """Let exactly these groups read the base while it is restricted."""
    wanted = {group.pk for group in groups}
    access = BaseAccess.objects.filter(base=base)
    access.exclude(group__in=wanted).delete()
    for group_id in wanted - set(access.values_list("group_id", flat=True)):
        BaseAccess.objects.create(tenant_id=base.tenant_id, base=base, group_id=group_id)
