"""One row of every owned model in two tenants, and SQL as a forgotten filter would run it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from accounts.models import Tenant
from accounts.tenancy import TenantForeignKey, TenantOwned
from tests.factories import make_tenant
from tests.owned import OWNED

OWNED_MODELS = sorted(
    (model for model in apps.get_models() if issubclass(model, TenantOwned)),
    key=lambda model: model._meta.label,
)
TENANT_KEYS = [
    (model, field.name)
    for model in OWNED_MODELS
    for field in model._meta.concrete_fields
    if isinstance(field, TenantForeignKey)
]


def rows(query: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
    """Return what raw SQL gives in the present transaction."""
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


@dataclass(frozen=True, slots=True)
class Pair:
    """A model with a row of each of two tenants."""

    model: type[TenantOwned]
    a: Tenant
    b: Tenant
    row_a: TenantOwned
    row_b: TenantOwned

    @property
    def table(self) -> str:
        return self.model._meta.db_table


def pair_of(model: type[TenantOwned]) -> Pair:
    assert model in OWNED, f"Add a factory for {model._meta.label} to tests/owned.py."
    a, b = make_tenant(), make_tenant()
    return Pair(model, a, b, OWNED[model](a), OWNED[model](b))


@pytest.fixture(params=OWNED_MODELS, ids=lambda model: model.__name__)
def pair(request: pytest.FixtureRequest, db: None) -> Pair:
    """Run the test for every owned model."""
    return pair_of(request.param)
