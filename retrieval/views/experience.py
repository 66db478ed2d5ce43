"""What a base does with experience, on its page of settings."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.http import TenantRequest, tenant_view
from accounts.policies import may_manage_bases
from accounts.tenancy import tenant_transaction
from knowledge.views.bases import settings_page
from knowledge.views.lookup import base_for, only_for
from retrieval.experience_forms import ExperienceForm
from retrieval.services.experience.settings import experience_set


@require_POST
@tenant_view
@only_for(may_manage_bases)
def base_experience(request: TenantRequest, base_slug: str) -> HttpResponse:
    """Store whether the base learns from its answers, and how many of them are checked."""
    with tenant_transaction(request.tenant):
        base = base_for(request.membership, base_slug)
        form = ExperienceForm(base, request.POST)
        if not form.is_valid():
            return settings_page(request, base, experience_form=form)
        experience_set(
            tenant=request.tenant,
            base=base,
            policy=form.cleaned_data["policy"],
            audit_share=form.audit_share,
        )
    messages.success(request, "The settings were saved.")
    return redirect("base_settings", request.tenant.slug, base_slug)
