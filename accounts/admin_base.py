"""Base of the admin pages of owned models."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.forms import BaseFormSet, ModelForm
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from accounts.tenancy import active_tenant_id


class TenantModelAdmin(ModelAdmin):  # type: ignore[misc]  # unfold has no types
    """Shows and saves rows of the tenant whose transaction the admin site has opened."""

    def save_model(
        self, request: HttpRequest, obj: Any, form: ModelForm[Any], change: bool
    ) -> None:
        obj.tenant_id = active_tenant_id()
        super().save_model(request, obj, form, change)

    def save_formset(
        self, request: HttpRequest, form: Any, formset: BaseFormSet[Any], change: bool
    ) -> None:
        for row in formset.forms:
            row.instance.tenant_id = active_tenant_id()
        super().save_formset(request, form, formset, change)


class ReadOnlyTenantAdmin(TenantModelAdmin):
    """For rows that only services write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False
