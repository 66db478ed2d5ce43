"""The setting that opens a tenant's rows: it ends with its transaction, whatever happens in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest
from django.db import connection, connections, transaction
from django.db.backends.postgresql.base import DatabaseWrapper

from accounts.http import memberships_of
from accounts.models import Membership, Tenant
from accounts.tenancy import (
    OpenTransaction,
    TenantMismatch,
    TenantNotSet,
    active_tenant_id,
    own_memberships_transaction,
    require_no_transaction,
    tenant_transaction,
)
from knowledge.embedder import current_embedder
from knowledge.models import KnowledgeBase
from tests.accounts.conftest import rows
from tests.factories import Company, make_base, make_membership, make_tenant, make_user

SETTINGS = "SELECT current_setting('app.tenant_id', true), current_setting('app.user_id', true)"


class Interruption(BaseException):
    """Stands for a kill: nothing but a `finally` sees it."""


@pytest.fixture(params=["persistent", "pooled"])
def shared_connection(request: pytest.FixtureRequest, transactional_db: None) -> Iterator[None]:
    """Give every request of the test the same server connection, as CONN_MAX_AGE or a pool do."""
    if request.param == "persistent":
        yield
        return
    plain = connections["default"]
    settings = plain.settings_dict
    options = settings["OPTIONS"] | {"pool": {"min_size": 1, "max_size": 1, "timeout": 5}}
    pooled = DatabaseWrapper(settings | {"OPTIONS": options}, alias="default")
    connections["default"] = pooled
    try:
        yield
    finally:
        pooled.close()
        pooled.close_pool()
        connections["default"] = plain


def end_of_request() -> None:
    """Give the connection back to the pool, if there is one."""
    if "pool" in connection.settings_dict["OPTIONS"]:
        connection.close()


def backend() -> int:
    return int(rows("SELECT pg_backend_pid()")[0][0])


def assert_nothing_is_left() -> None:
    """Look at the connection as the next request gets it."""
    assert [value or "" for value in rows(SETTINGS)[0]] == ["", ""]
    assert rows("SELECT count(*) FROM knowledge_knowledgebase") == [(0,)]
    assert rows("SELECT count(*) FROM accounts_membership") == [(0,)]
    with pytest.raises(TenantNotSet):
        active_tenant_id()


def test_the_next_request_on_the_connection_sees_nothing(shared_connection: None) -> None:
    tenant = make_tenant()
    make_base(tenant)
    end_of_request()
    with tenant_transaction(tenant):
        first = backend()
        assert KnowledgeBase.objects.count() == 1
    end_of_request()
    assert backend() == first  # or this test would prove nothing
    assert_nothing_is_left()


@pytest.mark.parametrize("error", [ValueError, Interruption])
def test_nothing_is_left_after_an_exception(
    shared_connection: None, error: type[BaseException]
) -> None:
    tenant = make_tenant()
    make_base(tenant)
    with suppress(error), tenant_transaction(tenant):
        raise error
    end_of_request()
    assert_nothing_is_left()


def test_nothing_is_left_after_a_nested_transaction(shared_connection: None) -> None:
    tenant = make_tenant()
    make_base(tenant)
    with tenant_transaction(tenant):
        with tenant_transaction(tenant):
            pass
        with suppress(ValueError), tenant_transaction(tenant):
            raise ValueError
        # The inner ones took nothing from the outer.
        assert KnowledgeBase.objects.count() == 1
    end_of_request()
    assert_nothing_is_left()


def test_nothing_is_left_after_a_refused_nested_transaction(shared_connection: None) -> None:
    tenant, other = make_tenant(), make_tenant()
    make_base(tenant)
    with suppress(TenantMismatch), tenant_transaction(tenant), tenant_transaction(other):
        pass
    end_of_request()
    assert_nothing_is_left()


def test_nothing_is_left_after_looking_up_a_persons_tenants(shared_connection: None) -> None:
    tenant, person = make_tenant(), make_user()
    make_membership(tenant, person)
    assert len(memberships_of(person)) == 1
    end_of_request()
    assert_nothing_is_left()


def test_a_transaction_of_the_same_tenant_joins(a: Company) -> None:
    with tenant_transaction(a.tenant), tenant_transaction(a.tenant.pk):
        assert active_tenant_id() == a.tenant.pk
        assert KnowledgeBase.objects.count() == 2


def test_a_transaction_of_another_tenant_inside_is_refused(a: Company, b: Company) -> None:
    with tenant_transaction(a.tenant):
        with pytest.raises(TenantMismatch), tenant_transaction(b.tenant):
            pass
        assert active_tenant_id() == a.tenant.pk
        assert {base.tenant_id for base in KnowledgeBase.objects.all()} == {a.tenant.pk}


@pytest.mark.django_db(transaction=True)
def test_a_failed_joined_transaction_takes_back_only_its_own_writes() -> None:
    tenant = make_tenant()
    with tenant_transaction(tenant):
        make_base(tenant, "kept")
        with suppress(ValueError), tenant_transaction(tenant):
            make_base(tenant, "dropped")
            raise ValueError
    with tenant_transaction(tenant):
        assert [base.slug for base in KnowledgeBase.objects.all()] == ["kept"]


@pytest.mark.parametrize("call", ["passages", "query"])
def test_the_embedder_may_not_be_called_inside_a_transaction(a: Company, call: str) -> None:
    embedder = current_embedder()
    argument = ["text"] if call == "passages" else "text"
    with pytest.raises(OpenTransaction), tenant_transaction(a.tenant):
        getattr(embedder, call)(argument)
    getattr(embedder, call)(argument)


def test_whatever_waits_may_not_wait_inside_a_transaction(a: Company) -> None:
    require_no_transaction("A model")
    with pytest.raises(OpenTransaction, match="A model"), tenant_transaction(a.tenant):
        require_no_transaction("A model")


def test_a_person_may_read_their_own_memberships_in_every_tenant_and_change_none(
    a: Company, b: Company
) -> None:
    person = make_user()
    for company in (a, b):
        make_membership(company.tenant, person)
    with own_memberships_transaction(person):
        own = Membership.all_tenants.all()
        assert {row.tenant_id for row in own} == {a.tenant.pk, b.tenant.pk}
        assert {row.user_id for row in own} == {person.pk}
        assert Membership.all_tenants.update(role="owner") == 0
        assert rows("SELECT count(*) FROM knowledge_knowledgebase") == [(0,)]
        assert Tenant.objects.count() == 2


def test_memberships_come_by_the_name_of_the_tenant(a: Company, b: Company) -> None:
    person = make_user()
    for company in (b, a):
        make_membership(company.tenant, person)
    assert [row.tenant.slug for row in memberships_of(person)] == ["aurora", "borealis"]


@pytest.mark.usefixtures("transactional_db")
def test_what_waits_for_the_commit_runs_in_no_tenants_transaction() -> None:
    seen = []
    tenant = make_tenant()
    with tenant_transaction(tenant):
        transaction.on_commit(lambda: require_no_transaction("What comes after the commit"))
        transaction.on_commit(lambda: seen.append(connection.in_atomic_block))
    assert seen == [False]
