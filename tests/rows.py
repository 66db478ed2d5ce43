"""Writing one row of a tenant, for the factories."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, TypeVar

from accounts.models import Tenant
from accounts.tenancy import TenantOwned, tenant_transaction

M = TypeVar("M", bound=TenantOwned)


def create(model: type[M], tenant: Tenant, /, **fields: Any) -> M:
    """Return the stored row, made in a transaction of its tenant."""
    with tenant_transaction(tenant):
        row: M = model.all_tenants.create(tenant=tenant, **fields)
        return row


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
