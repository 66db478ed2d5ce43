"""Who may look into a base, asked for one base that a caller holds already."""

from __future__ import annotations

import pytest

from accounts.models import GroupMember
from accounts.tenancy import tenant_transaction
from knowledge.models import BaseAccess, KnowledgeBase
from retrieval.services.experience.recalling import Asked, memory_of
from retrieval.services.scopes import Reader, Scope, UnknownBase, base_of
from retrieval.services.search import QueryVector
from tests.factories import Company, make_base, make_group, make_group_member

PEOPLE = ("owner", "admin", "editor", "member", "insider")


def is_found(scope: Scope) -> bool:
    with tenant_transaction(scope.reader.tenant_id):
        try:
            return base_of(scope) == scope.base
        except UnknownBase:
            return False


@pytest.mark.parametrize("person", PEOPLE)
def test_a_base_is_found_by_those_who_see_it_in_the_list_and_by_no_other(
    person: str, a: Company
) -> None:
    make_group_member(a.tenant, make_group(a.tenant, "Without a base"), a.member)
    ungranted = make_base(a.tenant, visibility=KnowledgeBase.Visibility.RESTRICTED)
    bases = (a.base, a.restricted, ungranted)
    reader = Reader(a.tenant.pk, getattr(a, person))
    with tenant_transaction(a.tenant):
        listed = set(reader.bases())
    assert {base for base in bases if is_found(Scope(reader, base))} == listed


@pytest.mark.parametrize("person", [*PEOPLE, None])
def test_a_base_of_another_company_is_not_found(person: str | None, a: Company, b: Company) -> None:
    reader = Reader(a.tenant.pk, getattr(a, person) if person else None)
    assert not is_found(Scope(reader, b.base))
    assert not is_found(Scope(reader, b.restricted))


@pytest.mark.parametrize("taken", [BaseAccess, GroupMember])
def test_who_lost_access_is_refused_at_the_next_look_up(
    taken: type[BaseAccess | GroupMember], a: Company
) -> None:
    scope = Scope(Reader(a.tenant.pk, a.insider), a.restricted)
    assert is_found(scope)
    with tenant_transaction(a.tenant):
        taken.objects.all().delete()
    refused(scope)


def test_a_base_that_was_restricted_meanwhile_is_refused_at_the_next_look_up(a: Company) -> None:
    scope = Scope(Reader(a.tenant.pk, a.member), a.base)
    assert is_found(scope)
    with tenant_transaction(a.tenant):
        KnowledgeBase.objects.filter(pk=a.base.pk).update(
            visibility=KnowledgeBase.Visibility.RESTRICTED
        )
    refused(scope)


def refused(scope: Scope) -> None:
    """Expect that experience tells nothing, though the caller's copy of the base is older."""
    asked = Asked("When does the office open?", QueryVector("", None))
    with tenant_transaction(scope.reader.tenant_id), pytest.raises(UnknownBase):
        memory_of(scope, asked, entry="direct", hops=1, tokens=1_000)
