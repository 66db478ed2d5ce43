"""The groups of a tenant. Errors: NameRefused."""

from collections.abc import Iterable

from django.db import IntegrityError

from accounts.models import Group, GroupMember, Membership, Tenant
from accounts.names import NameRefused, clean_name
from accounts.tenancy import tenant_transaction


def group_save(
    *, tenant: Tenant, group: Group | None, name: str, members: Iterable[Membership]
) -> Group:
    """Make a group, or rename it, with exactly these members. Raises NameRefused."""
    cleaned = clean_name(name)
    try:
        with tenant_transaction(tenant):
            if group is None:
                group = Group.objects.create(tenant=tenant, name=cleaned)
            elif not Group.objects.filter(pk=group.pk).update(name=cleaned):
                raise NameRefused("The group was deleted.")
            group.name = cleaned
            _fill(group, {member.pk for member in members})
    except IntegrityError as error:
        raise NameRefused(f"There is a group called {cleaned} already.") from error
    return group


def group_delete(*, tenant: Tenant, group: Group) -> None:
    """Delete a group; bases restricted to it alone are then seen by owners and admins only."""
    with tenant_transaction(tenant):
        Group.objects.filter(pk=group.pk).delete()


def _fill(group: Group, wanted: set[int]) -> None:
    places = GroupMember.objects.filter(group=group)
    places.exclude(membership__in=wanted).delete()
    there = set(places.values_list("membership_id", flat=True))
    for membership_id in wanted - there:
        GroupMember.objects.create(
            tenant_id=group.tenant_id, group=group, membership_id=membership_id
        )
