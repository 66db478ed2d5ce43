"""Tenancy, first layer: code that forgets its tenant fails instead of seeing everything.

`tenant_transaction(tenant)` opens a transaction and sets `app.tenant_id` for it alone, which the
row-level security policies read (accounts/row_level_security.py). Outside of one, `Model.objects`
of an owned model raises `TenantNotSet`. The unscoped manager is called `all_tenants` so that every
use of it can be found; without the setting the database shows it no rows anyway.

The setting is transaction-local: one made for the session was measured to reach the next request
through a pool or CONN_MAX_AGE.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import connection, models, transaction

if TYPE_CHECKING:
    from accounts.models import Tenant, User

_active_tenant_id: ContextVar[int | None] = ContextVar("active_tenant_id", default=None)


class TenancyError(RuntimeError):
    """Base of the errors of this module; each is a fault in the calling code."""


class TenantNotSet(TenancyError):
    """An owned model was queried outside of `tenant_transaction`."""


class TenantMismatch(TenancyError):
    """A transaction of one tenant was opened inside that of another."""


class OpenTransaction(TenancyError):
    """A model or an embedder was about to be called while a transaction is open."""


def active_tenant_id() -> int:
    """Return the id of the tenant whose transaction is open; raise TenantNotSet if none is."""
    tenant_id = _active_tenant_id.get()
    if tenant_id is None:
        raise TenantNotSet("Open tenant_transaction(tenant) before touching a tenant's rows.")
    return tenant_id


def require_no_transaction(what: str) -> None:
    """Raise OpenTransaction if a tenant transaction is open here.

    Called before anything that waits for a model or an embedder: a connection held meanwhile is
    one the pool lacks (with a pool of 6, 24 waiting answers were measured to fail).
    """
    if _active_tenant_id.get() is not None:
        raise OpenTransaction(f"{what} may not be called inside tenant_transaction().")


@contextmanager
def tenant_transaction(tenant: "Tenant | int") -> Iterator[None]:
    """Run the block in a transaction that sees and writes one tenant's rows only.

    Nested in a transaction of the same tenant it joins it (a savepoint); nested in another
    tenant's it raises TenantMismatch. The outermost one is durable: when it ends, it is committed.
    """
    tenant_id = tenant if isinstance(tenant, int) else tenant.pk
    outer = _active_tenant_id.get()
    if outer == tenant_id:
        with transaction.atomic():
            yield
        return
    if outer is not None:
        raise TenantMismatch(f"Tenant {tenant_id} inside a transaction of tenant {outer}.")
    with local_setting("app.tenant_id", str(tenant_id)):
        token = _active_tenant_id.set(tenant_id)
        try:
            yield
        finally:
            _active_tenant_id.reset(token)  # before what waits for the commit runs


@contextmanager
def own_memberships_transaction(user: "User") -> Iterator[None]:
    """Run the block in a transaction that may read the memberships of `user` in every tenant.

    It is how a sign-in finds its tenants; no other table has a policy that reads this setting.
    """
    with local_setting("app.user_id", str(user.pk)):
        yield


@contextmanager
def local_setting(name: str, value: str) -> Iterator[None]:
    """Open a durable transaction with a PostgreSQL setting that ends with it."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config(%s, %s, true)", [name, value])
        yield
    if connection.in_atomic_block:
        # Only under TestCase, whose own transaction outlives ours and would keep the setting.
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config(%s, '', true)", [name])


_M = TypeVar("_M", bound=models.Model)


class TenantManager(models.Manager[_M]):
    """Manager of an owned model: rows of the active tenant, or TenantNotSet."""

    def get_queryset(self) -> models.QuerySet[_M]:
        return super().get_queryset().filter(tenant_id=active_tenant_id())


class TenantForeignKey(models.ForeignKey[Any, Any]):
    """Foreign key between two owned models.

    Django's own constraint is off: it would accept another tenant's row, since constraint checks
    do not pass through row-level security (measured). The composite one, `(tenant_id, x_id)`, and
    its index are made by `row_level_security.ComposeForeignKey`.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["db_constraint"] = False
        kwargs["db_index"] = False
        super().__init__(*args, **kwargs)


class TenantOwned(models.Model):
    """Abstract base of every row that belongs to a tenant."""

    tenant = models.ForeignKey(
        "accounts.Tenant",
        on_delete=models.CASCADE,
        related_name="+",
        editable=False,
        db_index=False,
    )

    all_tenants = models.Manager[Any]()

    class Meta:
        abstract = True
        # Admin, prefetches and cascades use these two; the policies still hide foreign rows.
        default_manager_name = "all_tenants"
        base_manager_name = "all_tenants"
