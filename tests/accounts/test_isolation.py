"""Row-level security, for every model that belongs to a tenant: generated, so a new one is held
to it without anyone remembering."""

# ruff: noqa: S608  (the names of tables come from our own models)

from __future__ import annotations

import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction

from accounts.models import Membership
from accounts.tenancy import TenantNotSet, TenantOwned, tenant_transaction
from tests.accounts.conftest import OWNED_MODELS, TENANT_KEYS, Pair, pair_of, rows
from tests.factories import Company, make_membership, make_tenant, make_user
from tests.owned import OWNED


def test_every_owned_model_has_a_factory_and_none_is_stale() -> None:
    assert {model._meta.label for model in OWNED} == {model._meta.label for model in OWNED_MODELS}


def test_every_foreign_key_between_owned_models_is_a_tenant_foreign_key() -> None:
    plain = [
        f"{model._meta.label}.{field.name}"
        for model in OWNED_MODELS
        for field in model._meta.concrete_fields
        if field.is_relation
        and issubclass(field.related_model, TenantOwned)  # type: ignore[arg-type]
        and (model, field.name) not in TENANT_KEYS
    ]
    many = [
        f"{model._meta.label}.{field.name}"
        for model in OWNED_MODELS
        for field in model._meta.many_to_many
    ]
    assert plain == []
    assert many == []  # the table in between would belong to nobody


def test_raw_sql_without_a_tenant_sees_no_row(pair: Pair) -> None:
    assert rows(f"SELECT count(*) FROM {pair.table}") == [(0,)]


def test_the_model_cannot_be_queried_without_a_tenant(pair: Pair) -> None:
    with pytest.raises(TenantNotSet):
        pair.model.objects.count()  # type: ignore[attr-defined]


def test_the_unscoped_manager_sees_no_row_without_a_tenant(pair: Pair) -> None:
    assert pair.model.all_tenants.count() == 0


def test_each_tenant_sees_its_own_rows_and_no_others(pair: Pair) -> None:
    for tenant, own in [(pair.a, pair.row_a), (pair.b, pair.row_b)]:
        with tenant_transaction(tenant):
            assert own in pair.model.objects.all()  # type: ignore[attr-defined]
            tenants = {row.tenant_id for row in pair.model.all_tenants.all()}
            assert tenants == {tenant.pk}
            assert rows(f"SELECT DISTINCT tenant_id FROM {pair.table}") == [(tenant.pk,)]


def test_joins_reach_no_row_of_another_tenant(pair: Pair) -> None:
    with tenant_transaction(pair.a):
        seen = rows(
            "SELECT t.id, count(owned.id) FROM accounts_tenant t"
            f" LEFT JOIN {pair.table} owned ON owned.tenant_id = t.id GROUP BY t.id"
        )
    assert {tenant for tenant, count in seen if count} == {pair.a.pk}


def test_another_tenants_row_cannot_be_changed_or_deleted(pair: Pair) -> None:
    with tenant_transaction(pair.a):
        one = pair.model.all_tenants.filter(pk=pair.row_b.pk)
        assert one.update(tenant_id=pair.a.pk) == 0
        assert one._raw_delete(one.db) == 0
    with tenant_transaction(pair.b):
        assert pair.model.all_tenants.filter(pk=pair.row_b.pk).exists()


def test_a_row_for_another_tenant_cannot_be_inserted(pair: Pair) -> None:
    columns = [
        f'"{field.column}"'
        for field in pair.model._meta.concrete_fields
        if field.name not in ("id", "tenant")
    ]
    others = "".join(f", {column}" for column in columns)
    with (
        pytest.raises(ProgrammingError, match="row-level security"),
        tenant_transaction(pair.a),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            f"INSERT INTO {pair.table} (tenant_id{others})"
            f" SELECT %s{others} FROM {pair.table} WHERE id = %s",
            [pair.b.pk, pair.row_a.pk],
        )


def test_a_row_cannot_be_given_to_another_tenant(pair: Pair) -> None:
    with (
        pytest.raises(ProgrammingError, match="row-level security"),
        tenant_transaction(pair.a),
    ):
        pair.model.all_tenants.filter(pk=pair.row_a.pk).update(tenant_id=pair.b.pk)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("model", "name"), TENANT_KEYS, ids=[f"{model.__name__}.{name}" for model, name in TENANT_KEYS]
)
def test_a_foreign_key_to_a_row_of_another_tenant_is_refused(
    model: type[TenantOwned], name: str
) -> None:
    pair = pair_of(model)
    target = model._meta.get_field(name).related_model
    own, foreign = OWNED[target](pair.a), OWNED[target](pair.b)  # type: ignore[index]
    with tenant_transaction(pair.a):
        pair.model.all_tenants.filter(pk=pair.row_a.pk).update(**{f"{name}_id": own.pk})
        connection.check_constraints()
    with tenant_transaction(pair.a):
        pair.model.all_tenants.filter(pk=pair.row_a.pk).update(**{f"{name}_id": foreign.pk})
        with pytest.raises(IntegrityError, match="_tenant_fk"), transaction.atomic():
            connection.check_constraints()
        pair.model.all_tenants.filter(pk=pair.row_a.pk).update(**{f"{name}_id": own.pk})


def test_relations_of_a_user_reach_only_the_present_tenant(a: Company, b: Company) -> None:
    person = make_user()
    make_membership(a.tenant, person)
    make_membership(b.tenant, person)
    with tenant_transaction(a.tenant):
        assert {membership.tenant_id for membership in person.memberships.all()} == {a.tenant.pk}
        found = Membership.objects.filter(user__memberships__tenant=b.tenant)
        assert list(found) == []


@pytest.mark.django_db
def test_a_tenant_without_rows_sees_none() -> None:
    empty = make_tenant()
    with tenant_transaction(empty):
        for model in OWNED_MODELS:
            assert model.all_tenants.count() == 0
