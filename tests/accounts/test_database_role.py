"""The role that the tests and the product connect as: policies are void for a mightier one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.core.checks import run_checks
from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper
from psycopg import sql

from config.embedded_database.places import SUPERUSER
from tests.accounts.conftest import rows

pytestmark = pytest.mark.django_db


@contextmanager
def connected_as(role: str) -> Iterator[None]:
    """Let the default alias connect as another role; the embedded server asks for no password."""
    ours = connections["default"]
    theirs = DatabaseWrapper(ours.settings_dict | {"USER": role}, alias="default")
    connections["default"] = theirs
    try:
        yield
    finally:
        theirs.close()
        connections["default"] = ours


@pytest.fixture
def bypassing_role() -> Iterator[str]:
    """Yield a role with BYPASSRLS, made by the superuser."""
    name = f"bypassing_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"
    where = connections["default"].settings_dict
    with psycopg.connect(
        host=where["HOST"], port=where["PORT"], user=SUPERUSER, dbname="postgres", autocommit=True
    ) as connection:
        identifier = sql.Identifier(name)
        connection.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(identifier))
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN BYPASSRLS").format(identifier))
        yield name
        connection.execute(sql.SQL("DROP ROLE {}").format(identifier))


def test_the_test_role_is_neither_superuser_nor_bypasses_row_level_security() -> None:
    query = "SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user"
    assert rows(query) == [(False, False)]


def test_the_check_is_content_with_the_test_role() -> None:
    assert run_checks(tags=["database"], databases=["default"]) == []


def test_the_check_reports_a_superuser() -> None:
    with connected_as(SUPERUSER):
        (error,) = run_checks(tags=["database"], databases=["default"])
    assert error.id == "accounts.E001"
    assert "sees the rows of every tenant" in error.msg


def test_the_check_reports_a_role_that_bypasses_the_policies(bypassing_role: str) -> None:
    with connected_as(bypassing_role):
        (error,) = run_checks(tags=["database"], databases=["default"])
    assert error.id == "accounts.E001"


def test_a_superuser_would_see_every_tenants_rows() -> None:
    """Why the check is there: this is what a mighty role makes of all the isolation tests."""
    with connected_as(SUPERUSER):
        assert rows("SELECT row_security_active('knowledge_document')") == [(False,)]
    assert rows("SELECT row_security_active('knowledge_document')") == [(True,)]
