"""The admin: for operators of the installation, one tenant at a time.

Every admin page runs, rendering included, inside the transaction of the tenant chosen in the
heading, so the admin sees through row-level security like everything else and shows no tenant's
rows beside another's.

The choice is one for all tabs of a browser, so every form names the tenant it was shown for; one
for another than the chosen tenant saves nothing.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.template.response import SimpleTemplateResponse, TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_POST
from unfold.sites import UnfoldAdminSite

from accounts.http import memberships_of
from accounts.models import Tenant, User
from accounts.tenancy import tenant_transaction

SESSION_KEY = "admin_tenant_id"
FORM_FIELD = "_tenant"
"""In every form of the admin (templates/admin/tenant_field.html); '' while there is no tenant."""

View = Callable[..., HttpResponseBase]


class CairnAdminSite(UnfoldAdminSite):  # type: ignore[misc]  # unfold has no types
    def has_permission(self, request: HttpRequest) -> bool:
        """Operators only: whoever chooses the tenant must be trusted with all of them."""
        return bool(request.user.is_active and request.user.is_superuser)

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Send to the one sign-in page, which limits guessing."""
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated:
            # The sign-in page would send them straight back here.
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        # These touch no tenant's rows, and their forms are on every page.
        if view not in (self.choose_tenant, self.logout, self.password_change):
            view = self._in_chosen_tenant(view)
        inner: View = super().admin_view(view, cacheable)
        return inner

    def get_urls(self) -> list[URLPattern | URLResolver]:
        choose = path(
            "tenant/<int:tenant_id>/", self.admin_view(self.choose_tenant), name="choose_tenant"
        )
        return [choose, *super().get_urls()]

    @method_decorator(require_POST)
    def choose_tenant(self, request: HttpRequest, tenant_id: int) -> HttpResponse:
        """Show this tenant from now on. By POST alone: a link in a document could lead here."""
        request.session[SESSION_KEY] = get_object_or_404(Tenant, pk=tenant_id).pk
        return redirect("admin:index")

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        context: dict[str, Any] = super().each_context(request)
        chosen = chosen_tenant(request) if self.has_permission(request) else None
        context["shown_tenant"] = chosen
        if chosen is not None:
            context["site_subheader"] = chosen.name
            context["site_dropdown"] = [
                {
                    "icon": "apartment",
                    "title": tenant.name,
                    "link": reverse("admin:choose_tenant", args=[tenant.pk]),
                }
                for tenant in Tenant.objects.all()
            ]
        return context

    def _in_chosen_tenant(self, view: View) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            tenant = chosen_tenant(request)
            if tenant is not None:  # it stays when another is made that comes before it
                request.session.setdefault(SESSION_KEY, tenant.pk)
            shown = "" if tenant is None else str(tenant.pk)
            if request.method == "POST" and request.POST.get(FORM_FIELD) != shown:
                return self._switched(request)
            if tenant is None:
                return _rendered(view(request, *args, **kwargs))
            with tenant_transaction(tenant):
                return _rendered(view(request, *args, **kwargs))

        return wrapper

    def _switched(self, request: HttpRequest) -> HttpResponse:
        """Say that nothing was saved, and offer the tenant that the form was for."""
        named = request.POST.get(FORM_FIELD, "")
        meant = Tenant.objects.filter(pk=named).first() if _is_id(named) else None
        context = self.each_context(request) | {"title": "Nothing was saved", "meant": meant}
        return TemplateResponse(request, "admin/tenant_switched.html", context, status=409).render()


def chosen_tenant(request: HttpRequest) -> Tenant | None:
    """Return the tenant the operator looks at; None where there is none.

    The chosen one; else the first that the operator is a member of; else the first.
    """
    tenants = Tenant.objects.all()
    chosen = tenants.filter(pk=request.session.get(SESSION_KEY, 0)).first()
    if chosen is not None:
        return chosen
    assert isinstance(request.user, User)  # noqa: S101  operators alone come here
    own = memberships_of(request.user)
    return own[0].tenant if own else tenants.first()


def _rendered(response: HttpResponseBase) -> HttpResponseBase:
    """Render now: outside of the transaction the template would find no rows."""
    if isinstance(response, SimpleTemplateResponse):
        response.render()
    return response


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19
