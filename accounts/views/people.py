"""The members of a tenant: list, add, change, remove. For owners and admins."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count, Prefetch, QuerySet
from django.db.models.functions import Lower
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.forms import ColleagueForm, MemberForm
from accounts.http import TenantRequest, only_for, tenant_view
from accounts.models import Group, GroupMember, Membership
from accounts.policies import may_manage_member, may_manage_people
from accounts.services.members import (
    Added,
    MemberRefused,
    NotAllowed,
    member_add,
    member_change,
    member_remove,
)
from accounts.tenancy import tenant_transaction

PAGE_SIZE = 100


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache  # the answer to a POST may show a password
@tenant_view
@only_for(may_manage_people)
def people(request: TenantRequest) -> HttpResponse:
    """Members and groups, and the form for a colleague; their password is shown here once."""
    with tenant_transaction(request.tenant):
        posted = request.POST if request.method == "POST" else None
        form = ColleagueForm(posted, by=request.membership)
        added = _added(request, form) if form.is_valid() else None
        if added is not None:
            form = ColleagueForm(by=request.membership)
        context = {
            "page": Paginator(_members(), PAGE_SIZE).get_page(request.GET.get("page")),
            "groups": _groups(),
            "form": form,
            "added": added,
        }
        status = 422 if form.errors else 200
        return render(request, "accounts/people.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view
@only_for(may_manage_people)
def member(request: TenantRequest, membership_id: int) -> HttpResponse:
    """The role and the groups of a member."""
    with tenant_transaction(request.tenant):
        found = _member_for(request, membership_id)
        groups = [place.group_id for place in found.groups.all()]
        posted = request.POST if request.method == "POST" else None
        form = MemberForm(
            posted, by=request.membership, initial={"role": found.role, "groups": groups}
        )
        if form.is_valid() and _changed(request, found, form):
            messages.success(request, f"{found.user} was changed.")
            return redirect("people", request.tenant.slug)
        context = {"member": found, "form": form}
        status = 422 if form.errors else 200
        return render(request, "accounts/member.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view
@only_for(may_manage_people)
def member_leave(request: TenantRequest, membership_id: int) -> HttpResponse:
    """Ask whether to remove a member, and do it."""
    with tenant_transaction(request.tenant):
        found = _member_for(request, membership_id)
        refusal = ""
        if request.method == "POST":
            try:
                member_remove(tenant=request.tenant, by=request.membership, member=found)
            except NotAllowed as error:
                raise PermissionDenied from error
            except MemberRefused as error:
                refusal = str(error)
            else:
                messages.success(request, f"{found.user} was removed from {request.tenant}.")
                is_self = found.user_id == request.user.pk
                return redirect("home") if is_self else redirect("people", request.tenant.slug)
        context = {"member": found, "refusal": refusal}
        status = 422 if refusal else 200
        return render(request, "accounts/member_remove.html", context, status=status)


def _members() -> QuerySet[Membership]:
    places = GroupMember.objects.select_related("group").order_by(Lower("group__name"))
    rows = Membership.objects.select_related("user").order_by(Lower("user__email"))
    return rows.prefetch_related(Prefetch("groups", places))


def _groups() -> list[tuple[Group, int]]:
    """Return the groups with how many members each has.

    Not annotated on the groups: Django groups by the model's key alone, which is not the table's.
    """
    counted = GroupMember.objects.order_by().values_list("group_id").annotate(Count("pk"))
    sizes = dict(counted)
    return [(group, sizes.get(group.pk, 0)) for group in Group.objects.order_by(Lower("name"))]


def _member_for(request: TenantRequest, membership_id: int) -> Membership:
    """Return a member of the tenant; Http404 for others, PermissionDenied for owners to admins."""
    found: Membership = get_object_or_404(_members(), pk=membership_id)
    if not may_manage_member(request.membership, found):
        raise PermissionDenied
    return found


def _added(request: TenantRequest, form: ColleagueForm) -> Added | None:
    """Return who was added, or None after adding the refusal to the form."""
    try:
        return member_add(tenant=request.tenant, by=request.membership, **form.cleaned_data)
    except MemberRefused as refusal:
        form.add_error("email", str(refusal))
        return None


def _changed(request: TenantRequest, found: Membership, form: MemberForm) -> bool:
    groups = form.cleaned_data.get("groups", ())
    try:
        member_change(
            tenant=request.tenant,
            by=request.membership,
            member=found,
            role=form.cleaned_data["role"],
            groups=groups,
        )
    except NotAllowed as error:
        raise PermissionDenied from error
    except MemberRefused as refusal:
        form.add_error("role", str(refusal))
        return False
    return True
