"""Migrations go back to nothing and forward again; policies and keys are there as before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper

from tests.accounts.conftest import OWNED_MODELS, rows
from tests.databases import copied_database

OWN_APPS = ("retrieval", "knowledge", "accounts")
TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
SCHEMA = {
    "columns": "SELECT table_name, column_name, data_type, is_nullable, collation_name"
    " FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2",
    "constraints": "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)"
    " FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2",
    "indexes": "SELECT tablename, indexname, indexdef FROM pg_indexes"
    " WHERE schemaname = 'public' ORDER BY 1, 2",
    "policies": "SELECT tablename, policyname, cmd, qual, with_check"
    " FROM pg_policies ORDER BY 1, 2",
    "forced": "SELECT relname, relrowsecurity, relforcerowsecurity FROM pg_class"
    " WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1",
}


@pytest.fixture
def scratch_database(transactional_db: None) -> Iterator[None]:
    """Let the default alias lead to a copy of the migrated test database."""
    ours = connections["default"]
    with copied_database() as where:
        scratch = DatabaseWrapper(where, alias="default")
        connections["default"] = scratch
        try:
            yield
        finally:
            scratch.close()
            connections["default"] = ours


def schema() -> dict[str, list[tuple[Any, ...]]]:
    return {kind: rows(query) for kind, query in SCHEMA.items()}


def test_migrations_are_reversible_and_give_the_same_schema_again(
    scratch_database: None,
) -> None:
    first = schema()
    assert {table for table, security, forced in first["forced"] if forced} == {
        model._meta.db_table for model in OWNED_MODELS
    }
    # Takes back what depends on it, too: knowledge, retrieval, the admin's log.
    call_command("migrate", "accounts", "zero", verbosity=0)
    left = [name for (name,) in rows(TABLES) if name.partition("_")[0] in OWN_APPS]
    assert left == []
    assert rows("SELECT policyname FROM pg_policies") == []
    call_command("migrate", verbosity=0)
    assert schema() == first


def test_the_models_and_the_migrations_agree(db: None) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
    assert not connection.needs_rollback
