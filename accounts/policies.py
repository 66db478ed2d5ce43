"""Who may do what, by role. Which knowledge bases a member sees is `KnowledgeBase.visible_to`."""

from accounts.models import Membership, Role

_EDITORS = frozenset({Role.OWNER, Role.ADMIN, Role.EDITOR})
_ADMINS = frozenset({Role.OWNER, Role.ADMIN})


def may_edit_documents(membership: Membership) -> bool:
    """Owners, admins and editors upload, replace and delete documents."""
    return membership.role in _EDITORS


def may_manage_bases(membership: Membership) -> bool:
    """Owners and admins create, restrict and delete knowledge bases."""
    return membership.role in _ADMINS


def sees_every_base(membership: Membership) -> bool:
    """Owners and admins see restricted bases without being in their groups."""
    return membership.role in _ADMINS
