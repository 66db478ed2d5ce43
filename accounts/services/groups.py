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
            _fill(group, _still_there(members))
    except IntegrityError as error:
        raise NameRefused(f"There is a group called {cleaned} already.") from error
    return group


def group_delete(*, tenant: Tenant, group: Group) -> None:
    """Delete a group; bases restricted to it alone are then seen by owners and admins only."""
    with tenant_transaction(tenant):
        Group.objects.filter(pk=group.pk).delete()


def _still_there(members: Iterable[Membership]) -> set[int]:
    """Return the members' keys, locked until the group has them. Raises NameRefused."""
    wanted = {member.pk for member in members}
    rows = Membership.objects.select_for_update(of=("self",)).filter(pk__in=wanted)
    if set(rows.order_by("pk").values_list("pk", flat=True)) != wanted:
        raise NameRefused("A member was removed meanwhile. Open the group again.")
    return wanted


def _fill(group: Group, wanted: set[int]) -> None:
    places = GroupMember.objects.filter(group=group)
    places.exclude(membership__in=wanted).delete()
    there = set(places.values_list("membership_id", flat=True))
    for membership_id in wanted - there:
        GroupMember.objects.create(
            tenant_id=group.tenant_id, group=group, membership_id=membership_id
        )
