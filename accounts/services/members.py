"""The members of a tenant: add, change and remove.

Errors: MemberRefused, with a sentence for the person who tried it; NotAllowed for what their role
does not let them do, which no form offers.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from accounts.models import Group, GroupMember, Membership, Role, Tenant, User
from accounts.policies import may_manage_member, roles_to_give
from accounts.tenancy import tenant_transaction

PASSWORD_BYTES = 12
"""16 characters with 96 bits: nobody guesses it before it is changed."""

ELSEWHERE = (
    "This address cannot be added here: it has an account already. Whoever runs this server can "
    "make it a member."
)


class MemberRefused(ValueError):
    """It cannot be done; the message says why."""


class NotAllowed(PermissionError):
    """The role of whoever tries it does not allow it."""


@dataclass(frozen=True, slots=True)
class Added:
    """A new member, and the first password of their new account, which is kept nowhere."""

    membership: Membership
    password: str


def member_add(*, tenant: Tenant, by: Membership, email: str, role: str) -> Added:
    """Make an account for an address and its person a member.

    Raises MemberRefused, NotAllowed.
    """
    with tenant_transaction(tenant):
        # Their role may have been taken from them meanwhile; the lock keeps it until this is done.
        actor = Membership.objects.select_for_update(of=("self",)).filter(pk=by.pk).first()
        if actor is None or role not in roles_to_give(actor):
            raise NotAllowed
        known = User.objects.filter(email=email.lower()).first()
        if known and Membership.objects.filter(user=known).exists():
            raise MemberRefused(f"{known.email} is a member already.")
        user, password = _new_account(email)
        membership = Membership.objects.create(tenant=tenant, user=user, role=role)
        return Added(membership, password)


def member_change(
    *, tenant: Tenant, by: Membership, member: Membership, role: str, groups: Iterable[Group]
) -> None:
    """Give a member a role and put them in exactly these groups.

    Raises MemberRefused, NotAllowed.
    """
    with tenant_transaction(tenant):
        locked = _locked(by, member)
        if role not in roles_to_give(by):
            raise NotAllowed
        if role != Role.OWNER:
            _keep_an_owner(locked)
        locked.role = role
        locked.save(update_fields=["role"])
        wanted = {group.pk for group in groups}
        places = GroupMember.objects.filter(membership=locked)
        places.exclude(group__in=wanted).delete()
        there = set(places.values_list("group_id", flat=True))
        for group_id in wanted - there:
            GroupMember.objects.create(tenant=tenant, membership=locked, group_id=group_id)


def member_remove(*, tenant: Tenant, by: Membership, member: Membership) -> None:
    """End a membership; the account and its other companies stay.

    Raises MemberRefused, NotAllowed.
    """
    with tenant_transaction(tenant):
        locked = _locked(by, member)
        _keep_an_owner(locked)
        locked.delete()


def _new_account(email: str) -> tuple[User, str]:
    """Return a new user and their first password. Raises MemberRefused for a known address.

    Only the operator puts one account into several companies: whoever made an account has seen its
    first password, and would come along into every company that adds it later.
    """
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    try:
        with transaction.atomic():
            return User.objects.create_user(email, password), password
    except IntegrityError as error:
        raise MemberRefused(ELSEWHERE) from error


def _locked(by: Membership, member: Membership) -> Membership:
    """Return the member's row, locked together with the owners': they are counted next.

    The role of whoever acts is read again: it may have been taken from them meanwhile.
    """
    rows = Membership.objects.select_for_update(of=("self",)).order_by("pk")
    found = {row.pk: row for row in rows.filter(pk__in=_involved(by, member))}
    if member.pk not in found:
        raise MemberRefused("They are no member any more.")
    if by.pk not in found or not may_manage_member(found[by.pk], found[member.pk]):
        raise NotAllowed
    by.role = found[by.pk].role
    return found[member.pk]


def _involved(by: Membership, member: Membership) -> set[int]:
    owners = Membership.objects.filter(role=Role.OWNER).values_list("pk", flat=True)
    return {by.pk, member.pk, *owners}


def _keep_an_owner(member: Membership) -> None:
    others = Membership.objects.filter(role=Role.OWNER).exclude(pk=member.pk)
    if member.role == Role.OWNER and not others.exists():
        raise MemberRefused("The last owner stays: make somebody else an owner first.")
