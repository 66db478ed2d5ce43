"""The knowledge bases of a tenant: list, make, change, delete."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models.functions import Lower
from django.forms import BaseForm as Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http import TenantRequest, tenant_view
from accounts.names import NameRefused
from accounts.policies import may_edit_documents, may_manage_bases
from accounts.tenancy import tenant_transaction
from knowledge.forms import BaseForm
from knowledge.listings import base_cards, base_progress
from knowledge.models import KnowledgeBase
from knowledge.reading_form import AbstractsForm, ReadingForm
from knowledge.services.bases import base_change, base_create, base_delete
from knowledge.services.rereading import base_rereading
from knowledge.views.lookup import base_for, only_for

PAGE_SIZE = 48


@require_safe
@tenant_view
def bases(request: TenantRequest) -> HttpResponse:
    """The bases that the member sees."""
    with tenant_transaction(request.tenant):
        rows = KnowledgeBase.objects.visible_to(request.membership).order_by(Lower("name"), "pk")
        page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
        context = {
            "page": page,
            "cards": base_cards(page),
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
def base_settings(request: TenantRequest, base_slug: str) -> HttpResponse:
    """Name, description and who may read a base; its address stays."""
    with tenant_transaction(request.tenant):
        base = base_for(request.membership, base_slug)
        form = BaseForm(request.POST if request.method == "POST" else None, initial=_as_it_is(base))
        if form.is_valid() and _changed(request, base, form):
            messages.success(request, "The settings were saved.")
            return redirect("base_settings", request.tenant.slug, base.slug)
        return settings_page(request, base, form=form)


def settings_page(request: TenantRequest, base: KnowledgeBase, **forms: Form) -> HttpResponse:
    """Return the page of all settings, those forms in place that were just sent.

    In an open transaction.
    """
    context = {
        "base": base,
        "form": BaseForm(initial=_as_it_is(base)),
        "reading_form": ReadingForm(base),
        "abstracts_form": AbstractsForm(base),
        "rereading": base_rereading(base),
        "progress": base_progress(base),
        "may_manage_base": True,
    }
    status = 422 if any(form.errors for form in forms.values()) else 200
    return render(request, "knowledge/base_settings.html", context | forms, status=status)


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
    except NameRefused as refusal:
        form.add_error("name", str(refusal))
        return None


def _as_it_is(base: KnowledgeBase) -> dict[str, Any]:
    return {
        "name": base.name,
        "description": base.description,
        "visibility": base.visibility,
        "groups": [access.group_id for access in base.access.all()],
    }


def _changed(request: TenantRequest, base: KnowledgeBase, form: BaseForm) -> bool:
    """Return whether the base was changed, after adding the refusal to the form if not."""
    unchanged = {"visibility": base.visibility, "groups": ()}  # without any group, not asked for
    try:
        base_change(tenant=request.tenant, base=base, **(unchanged | form.cleaned_data))
    except NameRefused as refusal:
        form.add_error("name", str(refusal))
        return False
    return True
