"""From a request to the tenant it is for.

The tenant stands in the URL; there is no fallback to "the user's current tenant". A tenant that
does not exist and one that the user is no member of give the same 404.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django_htmx.middleware import HtmxDetails

from accounts.models import Membership, Tenant, User
from accounts.policies import may_manage_people
from accounts.tenancy import own_memberships_transaction

P = ParamSpec("P")
R = TypeVar("R", bound=HttpResponseBase)


class TenantRequest(HttpRequest):
    """A request of a signed-in member, as `tenant_view` hands it to a view."""

    user: User
    htmx: HtmxDetails
    tenant: Tenant
    membership: Membership
    may_manage_people: bool


def memberships_of(user: User) -> list[Membership]:
    """Return the user's memberships with their tenants, by tenant name."""
    with own_memberships_transaction(user):
        rows = Membership.all_tenants.filter(user_id=user.pk).select_related("tenant")
        return sorted(rows, key=lambda membership: membership.tenant.name.casefold())


def membership_for(user: User, tenant_slug: str) -> Membership:
    """Return the user's membership in that tenant; raise Http404 if there is none."""
    for membership in memberships_of(user):
        if membership.tenant.slug == tenant_slug:
            return membership
    raise Http404


def tenant_view(
    view: Callable[Concatenate[TenantRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponseBase]:
    """Decorate a view whose URL starts with a tenant's slug: sign-in first, then membership."""

    @login_required
    @wraps(view)
    def wrapper(
        request: HttpRequest, tenant_slug: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        assert isinstance(request.user, User)  # noqa: S101  what login_required has made sure of
        membership = membership_for(request.user, tenant_slug)
        tenant_request: TenantRequest = request  # type: ignore[assignment]
        tenant_request.membership = membership
        tenant_request.tenant = membership.tenant
        tenant_request.may_manage_people = may_manage_people(membership)
        return view(tenant_request, *args, **kwargs)

    # login_required's stub loses the parameters of what it wraps.
    return cast(Callable[Concatenate[HttpRequest, str, P], HttpResponseBase], wrapper)


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
