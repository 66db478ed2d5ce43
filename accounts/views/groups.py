"""The groups of a tenant: make, rename, fill, delete. For owners and admins."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from accounts.forms import GroupForm
from accounts.http import TenantRequest, only_for, tenant_view
from accounts.models import Group
from accounts.names import NameRefused
from accounts.policies import may_manage_people
from accounts.services.groups import group_delete, group_save
from accounts.tenancy import tenant_transaction


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view
@only_for(may_manage_people)
def group_new(request: TenantRequest) -> HttpResponse:
    """The form for a new group."""
    with tenant_transaction(request.tenant):
        return _group_page(request, None)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view
@only_for(may_manage_people)
def group(request: TenantRequest, group_id: int) -> HttpResponse:
    """The name and the members of a group."""
    with tenant_transaction(request.tenant):
        return _group_page(request, get_object_or_404(Group.objects, pk=group_id))


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view
@only_for(may_manage_people)
def group_remove(request: TenantRequest, group_id: int) -> HttpResponse:
    """Ask whether to delete a group, and do it."""
    with tenant_transaction(request.tenant):
        found = get_object_or_404(Group.objects, pk=group_id)
        if request.method == "POST":
            group_delete(tenant=request.tenant, group=found)
            messages.success(request, f"The group “{found}” was deleted.")
            return redirect("people", request.tenant.slug)
        return render(request, "accounts/group_delete.html", {"group": found})


def _group_page(request: TenantRequest, found: Group | None) -> HttpResponse:
    initial = {}
    if found is not None:
        members = [place.membership_id for place in found.members.all()]
        initial = {"name": found.name, "members": members}
    form = GroupForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid() and _saved(request, found, form):
        return redirect("people", request.tenant.slug)
    context = {"group": found, "form": form}
    status = 422 if form.errors else 200
    return render(request, "accounts/group.html", context, status=status)


def _saved(request: TenantRequest, found: Group | None, form: GroupForm) -> bool:
    try:
        saved = group_save(tenant=request.tenant, group=found, **form.cleaned_data)
    except NameRefused as refusal:
        form.add_error("name", str(refusal))
        return False
    done = "made" if found is None else "changed"
    messages.success(request, f"The group “{saved}” was {done}.")
    return True
