"""Sections of a base's settings: how documents are read, their abstracts, reading them again."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.http import TenantRequest, tenant_view
from accounts.policies import may_edit_documents, may_manage_bases
from accounts.tenancy import tenant_transaction
from knowledge.ingest.plurals import counted
from knowledge.reading_form import AbstractsForm, ReadingForm
from knowledge.services.bases import base_abstracts_as, base_read_as
from knowledge.services.rereading import base_reread, document_reread
from knowledge.views.bases import settings_page
from knowledge.views.lookup import base_for, document_for, only_for

SAVED = "Saved. It holds for documents that are uploaded or read again from now on."


@require_POST
@tenant_view
@only_for(may_manage_bases)
def base_reading(request: TenantRequest, base_slug: str) -> HttpResponse:
    """Store how the documents of the base are read from now on."""
    with tenant_transaction(request.tenant):
        base = base_for(request.membership, base_slug)
        form = ReadingForm(base, request.POST)
        if not form.is_valid():
            return settings_page(request, base, reading_form=form)
        base_read_as(tenant=request.tenant, base=base, options=form.options())
    messages.success(request, SAVED)
    return redirect("base_settings", request.tenant.slug, base_slug)


@require_POST
@tenant_view
@only_for(may_manage_bases)
def base_abstracts(request: TenantRequest, base_slug: str) -> HttpResponse:
    """Store when documents of the base get their abstracts."""
    with tenant_transaction(request.tenant):
        base = base_for(request.membership, base_slug)
        form = AbstractsForm(base, request.POST)
        if not form.is_valid():
            return settings_page(request, base, abstracts_form=form)
        abstracts = form.cleaned_data["abstracts"]
        base_abstracts_as(tenant=request.tenant, base=base, abstracts=abstracts)
    messages.success(request, SAVED)
    return redirect("base_settings", request.tenant.slug, base_slug)


@require_POST
@tenant_view
@only_for(may_manage_bases)
def base_read_again(request: TenantRequest, base_slug: str) -> HttpResponse:
    """Queue every version in use of the base for reading; a second click finds nothing to do."""
    with tenant_transaction(request.tenant):
        base = base_for(request.membership, base_slug)
    queued = base_reread(tenant=request.tenant, base=base)
    if queued:
        told = f"{counted(queued, 'document')} will be read again; they stay in use meanwhile."
        messages.success(request, told)
    else:
        messages.info(request, "There is no document that is not being read already.")
    return redirect("base_settings", request.tenant.slug, base_slug)


@require_POST
@tenant_view
@only_for(may_edit_documents)
def document_read_again(request: TenantRequest, base_slug: str, document_id: int) -> HttpResponse:
    """Queue the document's version in use for reading by the base's options of now."""
    with tenant_transaction(request.tenant):
        found = document_for(request.membership, base_slug, document_id)
    if document_reread(tenant=request.tenant, document=found):
        messages.success(request, f"“{found}” will be read again; it stays in use meanwhile.")
    else:
        messages.info(request, f"“{found}” is being read already.")
    return redirect("document_versions", request.tenant.slug, base_slug, document_id)
