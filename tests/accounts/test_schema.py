"""What the tables of owned models must have: forced policies, composite keys, and with them all
that Citus asks of a table distributed by tenant."""

from __future__ import annotations

import pytest

from accounts.row_level_security import TENANT_CONDITION
from accounts.tenancy import TenantOwned
from tests.accounts.conftest import OWNED_MODELS, TENANT_KEYS, rows

pytestmark = pytest.mark.django_db

TABLES = [model._meta.db_table for model in OWNED_MODELS]
# Not owned: rows of the installation. On Citus they are reference tables, on every node.
SHARED = {"accounts_tenant", "accounts_user"}

each_model = pytest.mark.parametrize("model", OWNED_MODELS, ids=lambda model: model.__name__)


@each_model
def test_row_level_security_is_on_and_forced(model: type[TenantOwned]) -> None:
    found = rows(
        "SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE oid = %s::regclass",
        [model._meta.db_table],
    )
    assert found == [(True, True)]


@each_model
def test_the_policy_reads_and_writes_rows_of_the_present_tenant_only(
    model: type[TenantOwned],
) -> None:
    found = rows(
        "SELECT polname, polcmd, pg_get_expr(polqual, polrelid),"
        " pg_get_expr(polwithcheck, polrelid) FROM pg_policy WHERE polrelid = %s::regclass",
        [model._meta.db_table],
    )
    policies = {name: (command, using, check) for name, command, using, check in found}
    command, using, check = policies.pop("tenant_isolation")
    assert command == "*"
    assert _plain(using) == _plain(check) == _plain(TENANT_CONDITION)
    # Signing in finds a person's tenants by the second policy; nothing else has one.
    assert set(policies) == ({"own_rows"} if model.__name__ == "Membership" else set())
    assert all(command == "r" and check is None for command, _, check in policies.values())


@each_model
def test_the_primary_key_is_tenant_and_id(model: type[TenantOwned]) -> None:
    (key,) = [columns for name, columns, primary in _unique(model) if primary]
    assert key == ["tenant_id", "id"]


@each_model
def test_every_unique_index_starts_with_the_tenant(model: type[TenantOwned]) -> None:
    assert all(columns[0] == "tenant_id" for name, columns, primary in _unique(model))


@pytest.mark.parametrize(
    ("model", "name"), TENANT_KEYS, ids=[f"{model.__name__}.{name}" for model, name in TENANT_KEYS]
)
def test_a_tenant_foreign_key_has_its_composite_constraint_and_index(
    model: type[TenantOwned], name: str
) -> None:
    field = model._meta.get_field(name)
    target = field.related_model._meta.db_table  # type: ignore[union-attr]
    columns = ["tenant_id", field.column]  # type: ignore[union-attr]
    keys = [key for key in _foreign_keys() if key[0] == model._meta.db_table and key[1] == columns]
    assert keys == [(model._meta.db_table, columns, target, ["tenant_id", "id"])]
    assert any(index[:2] == columns for index in _indexes(model))


def test_every_table_could_be_distributed_by_tenant_on_citus() -> None:
    for table, columns, target, target_columns in _foreign_keys():
        if table in TABLES and target in TABLES:
            pairs = list(zip(columns, target_columns, strict=True))
            assert ("tenant_id", "tenant_id") in pairs, f"{table} {columns} -> {target}"
        elif table in TABLES:
            # A distributed table may point at a reference table, by the whole of its key.
            assert target in SHARED, f"{table} {columns} -> {target}"
            assert target_columns == ["id"]
        else:
            assert target not in TABLES, f"{table}, which is nobody's, points at {target}"


def test_owned_tables_have_no_triggers_rules_or_exclusion_constraints_of_their_own() -> None:
    triggers = rows(
        "SELECT tgname FROM pg_trigger"
        " WHERE NOT tgisinternal AND tgrelid::regclass::text = ANY(%s)",
        [TABLES],
    )
    exclusions = rows(
        "SELECT conname FROM pg_constraint"
        " WHERE contype = 'x' AND conrelid::regclass::text = ANY(%s)",
        [TABLES],
    )
    ruled = rows("SELECT relname FROM pg_class WHERE relhasrules AND relname = ANY(%s)", [TABLES])
    assert (triggers, exclusions, ruled) == ([], [], [])


def test_every_other_table_is_known_to_be_nobodys() -> None:
    others = {
        name
        for (name,) in rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        if name not in TABLES
    }
    with_tenant = {
        name
        for (name,) in rows(
            "SELECT table_name::text FROM information_schema.columns"
            " WHERE column_name = 'tenant_id'"
        )
    }
    assert with_tenant == set(TABLES)
    # A new table of ours that belongs to no tenant: say here why it is shared.
    ours = {name for name in others if name.startswith(("accounts_", "knowledge_", "retrieval_"))}
    assert ours == SHARED | {"accounts_user_groups", "accounts_user_user_permissions"}


def _plain(expression: str) -> str:
    """Return a condition without the casts and brackets that PostgreSQL adds to it."""
    for addition in ("(", ")", "::text", " "):
        expression = expression.replace(addition, "")
    return expression.casefold()


def _unique(model: type[TenantOwned]) -> list[tuple[str, list[str], bool]]:
    return [
        (name, columns, primary)
        for name, columns, primary in rows(
            "SELECT i.indexrelid::regclass::text, array_agg(a.attname::text ORDER BY k.n),"
            " i.indisprimary FROM pg_index i"
            " CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(attnum, n)"
            " LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum"
            " WHERE i.indisunique AND i.indrelid = %s::regclass GROUP BY 1, 3",
            [model._meta.db_table],
        )
    ]


def _indexes(model: type[TenantOwned]) -> list[list[str]]:
    return [
        columns
        for (columns,) in rows(
            "SELECT array_agg(a.attname::text ORDER BY k.n) FROM pg_index i"
            " CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(attnum, n)"
            " JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum"
            " WHERE i.indrelid = %s::regclass GROUP BY i.indexrelid",
            [model._meta.db_table],
        )
    ]


def _foreign_keys() -> list[tuple[str, list[str], str, list[str]]]:
    return [
        (table, columns, target, target_columns)
        for table, columns, target, target_columns in rows(
            "SELECT c.conrelid::regclass::text,"
            " (SELECT array_agg(attname::text ORDER BY n) FROM unnest(c.conkey)"
            "  WITH ORDINALITY k(num, n) JOIN pg_attribute ON attrelid = c.conrelid"
            "  AND attnum = k.num),"
            " c.confrelid::regclass::text,"
            " (SELECT array_agg(attname::text ORDER BY n) FROM unnest(c.confkey)"
            "  WITH ORDINALITY k(num, n) JOIN pg_attribute ON attrelid = c.confrelid"
            "  AND attnum = k.num)"
            " FROM pg_constraint c WHERE c.contype = 'f'"
        )
    ]
