"""Databases beside the test database, for tests that need one to themselves."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, LiteralString
from urllib.parse import quote

import psycopg
from django.db import connections
from psycopg import sql

_numbers = count(1)


@contextmanager
def copied_database() -> Iterator[dict[str, Any]]:
    """Yield the settings of a migrated, empty database: a copy of the test database.

    Not to be used while a test has rows in the test database.
    """
    ours = connections["default"]
    where = ours.settings_dict
    ours.close()  # a template may have no other session
    name = f"copy_{os.getpid()}_{next(_numbers)}"
    _run(where, "CREATE DATABASE {name} TEMPLATE {template}", name)
    try:
        yield where | {"NAME": name}
    finally:
        _run(where, "DROP DATABASE {name} WITH (FORCE)", name)


def url_of(where: dict[str, Any]) -> str:
    """Return the DATABASE_URL of settings, whose host is a socket's directory or a name."""
    password = f":{quote(where['PASSWORD'], safe='')}" if where["PASSWORD"] else ""
    user, host, name = quote(where["USER"], safe=""), str(where["HOST"]), where["NAME"]
    if host.startswith("/"):
        return f"postgres://{user}{password}@/{name}?host={quote(host, safe='/')}"
    return f"postgres://{user}{password}@{host}:{where['PORT']}/{name}"


def _run(where: dict[str, Any], statement: LiteralString, name: str) -> None:
    with psycopg.connect(
        host=where["HOST"],
        port=where["PORT"],
        user=where["USER"],
        password=where["PASSWORD"] or None,
        dbname="postgres",
        autocommit=True,
    ) as link:
        names = {"name": sql.Identifier(name), "template": sql.Identifier(where["NAME"])}
        link.execute(sql.SQL(statement).format(**names))
