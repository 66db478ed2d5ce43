"""Who may do what, by role. Which knowledge bases a member sees is `KnowledgeBase.visible_to`."""

from accounts.models import Membership, Role

_EDITORS = frozenset({Role.OWNER, Role.ADMIN, Role.EDITOR})
_ADMINS = frozenset({Role.OWNER, Role.ADMIN})


def may_edit_documents(membership: Membership) -> bool:
    """Owners, admins and editors upload, replace and delete documents."""
    return membership.role in _EDITORS


def may_manage_bases(membership: Membership) -> bool:
    """Owners and admins create, rename, restrict and delete knowledge bases."""
    return membership.role in _ADMINS


def sees_every_base(membership: Membership) -> bool:
    """Owners and admins see restricted bases without being in their groups."""
    return membership.role in _ADMINS


def may_manage_people(membership: Membership) -> bool:
    """Owners and admins add and remove colleagues and make groups."""
    return membership.role in _ADMINS


def may_manage_member(membership: Membership, member: Membership) -> bool:
    """Only owners change or remove an owner; admins may do it to everybody else."""
    return membership.role == Role.OWNER or (
        membership.role == Role.ADMIN and member.role != Role.OWNER
    )


def roles_to_give(membership: Membership) -> tuple[Role, ...]:
    """Return the roles that the member may give to others: an admin makes no owners."""
    if membership.role == Role.OWNER:
        return tuple(Role)
    if membership.role == Role.ADMIN:
        return (Role.ADMIN, Role.EDITOR, Role.MEMBER)
    return ()
