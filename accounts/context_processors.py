"""What every template is given of the company whose bar it shows."""

from dataclasses import dataclass
from typing import Any, cast

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.http import memberships_of
from accounts.models import Membership, Tenant, User
from accounts.policies import may_manage_people


@dataclass(frozen=True, slots=True)
class Company:
    """A company as the bar at the top leads into it; false where there is none."""

    tenant: Tenant | None = None
    may_manage_people: bool = False

    def __bool__(self) -> bool:
        return self.tenant is not None


def company(request: HttpRequest) -> dict[str, Any]:
    """Return `company`: that of the address, else the only one the user belongs to.

    It asks the database when a template first looks at it, and then once.
    """
    return {"company": SimpleLazyObject(lambda: _company(request))}


def _company(request: HttpRequest) -> Company:
    membership = getattr(request, "membership", None) or _only_membership(request)
    if membership is None:
        return Company()
    return Company(membership.tenant, may_manage_people(membership))


def _only_membership(request: HttpRequest) -> Membership | None:
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return None
    memberships = memberships_of(cast(User, user))
    return memberships[0] if len(memberships) == 1 else None
