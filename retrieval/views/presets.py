"""The preset of a base, on its page of settings."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.http import TenantRequest, tenant_view
from accounts.policies import may_manage_bases
from accounts.tenancy import tenant_transaction
from knowledge.views.lookup import base_for, only_for
from retrieval.preset_choice import PresetRefused
from retrieval.services.presets import base_preset_set


@require_POST
@tenant_view
@only_for(may_manage_bases)
def base_preset(request: TenantRequest, base_slug: str) -> HttpResponse:
    """Choose how the base's questions are answered."""
    with tenant_transaction(request.tenant):
        base = base_for(request.membership, base_slug)
        try:
            base_preset_set(tenant=request.tenant, base=base, name=request.POST.get("preset", ""))
            messages.success(request, "The settings were saved.")
        except PresetRefused as refused:
            messages.error(request, str(refused))
        return redirect("base_settings", request.tenant.slug, base.slug)
