"""Where a user lands after signing in."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.http import memberships_of
from accounts.models import User


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Go on to the user's only company, or let them choose, or say whom to ask."""
    assert isinstance(request.user, User)  # noqa: S101  what login_required has made sure of
    memberships = memberships_of(request.user)
    if len(memberships) == 1:
        return redirect("bases", memberships[0].tenant.slug)
    return render(request, "accounts/home.html", {"memberships": memberships})
