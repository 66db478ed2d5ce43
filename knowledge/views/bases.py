"""The knowledge bases of a tenant: list, make, delete."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http import TenantRequest, tenant_view
from accounts.policies import may_edit_documents, may_manage_bases
from accounts.tenancy import tenant_transaction
from knowledge.forms import BaseForm
from knowledge.listings import base_cards, base_progress
from knowledge.models import KnowledgeBase
from knowledge.services.bases import NameTaken, base_create, base_delete
from knowledge.views.lookup import base_for, only_for


@require_safe
@tenant_view
def bases(request: TenantRequest) -> HttpResponse:
    """The bases that the member sees."""
    with tenant_transaction(request.tenant):
        context = {
            "cards": base_cards(request.membership),
            "may_create": may_manage_bases(request.membership),
            "may_upload": may_edit_documents(request.membership),
        }
        return render(request, "knowledge/bases.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view
@only_for(may_manage_bases)
def base_new(request: TenantRequest) -> HttpResponse:
    """The form for a new base; a valid one leads to its documents, the next thing to do."""
    with tenant_transaction(request.tenant):
        form = BaseForm(request.POST if request.method == "POST" else None)
        if form.is_valid() and (base := _created(request, form)):
            return redirect("documents", request.tenant.slug, base.slug)
        status = 422 if form.errors else 200
        return render(request, "knowledge/base_new.html", {"form": form}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view
@only_for(may_manage_bases)
def base_remove(request: TenantRequest, base_slug: str) -> HttpResponse:
    """Ask whether to delete a base with everything in it, and do it."""
    with tenant_transaction(request.tenant):
        base = base_for(request.membership, base_slug)
        if request.method == "POST":
            base_delete(tenant=request.tenant, base=base)
            messages.success(request, f"The knowledge base “{base}” was deleted.")
            return redirect("bases", request.tenant.slug)
        context = {"base": base, "progress": base_progress(base)}
        return render(request, "knowledge/base_delete.html", context)


def _created(request: TenantRequest, form: BaseForm) -> KnowledgeBase | None:
    """Return the new base, or None after adding the refusal to the form."""
    try:
        return base_create(tenant=request.tenant, by=request.user, **form.cleaned_data)
    except NameTaken as refusal:
        form.add_error("name", str(refusal))
        return None
