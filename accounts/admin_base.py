"""Base of the admin pages of owned models."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.forms import ModelForm
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from accounts.tenancy import active_tenant_id


class TenantModelForm(ModelForm):  # type: ignore[type-arg]  # no subscript at run time
    """Knows the tenant before it validates, so that a taken name is an error on the form."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.tenant_id = active_tenant_id()

    def _get_validation_exclusions(self) -> set[str]:
        # Constraints that name an excluded field are not checked, and all of ours name the tenant.
        excluded: set[str] = super()._get_validation_exclusions()  # type: ignore[misc]
        return excluded - {"tenant"}


class TenantModelAdmin(ModelAdmin):  # type: ignore[misc]  # unfold has no types
    """Shows and saves rows of the tenant whose transaction the admin site has opened."""

    form = TenantModelForm


class ReadOnlyTenantAdmin(TenantModelAdmin):
    """For rows that only services write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False
