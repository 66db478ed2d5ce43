"""What a superuser does once: the application's role, its extensions, its database.

The role is NOSUPERUSER NOBYPASSRLS, because row-level security is void for any other. Extensions go
into template1 first: that role may not create `vector`, and Django's test database is a copy.
deploy/initdb/10-cairn.sh does the same for a server of its own; a test compares the two.
"""

from __future__ import annotations

import psycopg
from psycopg import sql

from config.embedded_database.places import (
    APP_DATABASE,
    APP_ROLE,
    PORT,
    SUPERUSER,
    Places,
)

EXTENSIONS = ("vector", "pg_trgm", "ltree", "unaccent")
ROLE_FLAGS = "LOGIN CREATEDB NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOREPLICATION"
# Raised when the steps change, so that older clusters run them again.
VERSION = "1"


def bootstrap(places: Places) -> None:
    """Make role, extensions and database where they are missing; the server must answer.

    Every step can be repeated, and the mark is written last: a kill in the middle is made good
    by the next call.
    """
    mark = places.bootstrap_mark
    if mark.exists() and mark.read_text(encoding="ascii").strip() == VERSION:
        return
    with _connect(places, "postgres") as connection:
        _ensure_role(connection)
    # CREATE DATABASE copies template1 and wants no other session in it: closed before.
    with _connect(places, "template1") as connection:
        _ensure_extensions(connection)
    with _connect(places, "postgres") as connection:
        _ensure_database(connection)
    with _connect(places, APP_DATABASE) as connection:
        _ensure_extensions(connection)
    mark.write_text(VERSION + "\n", encoding="ascii")


def _connect(places: Places, database: str) -> psycopg.Connection:
    return psycopg.connect(
        host=str(places.socket_directory),
        port=PORT,
        user=SUPERUSER,
        dbname=database,
        autocommit=True,
        connect_timeout=30,
    )


def _ensure_role(connection: psycopg.Connection) -> None:
    found = connection.execute("SELECT FROM pg_roles WHERE rolname = %s", [APP_ROLE]).fetchone()
    verb = sql.SQL("CREATE ROLE {} " if found is None else "ALTER ROLE {} ")
    connection.execute(verb.format(sql.Identifier(APP_ROLE)) + sql.SQL(ROLE_FLAGS))


def _ensure_extensions(connection: psycopg.Connection) -> None:
    for extension in EXTENSIONS:
        connection.execute(
            sql.SQL("CREATE EXTENSION IF NOT EXISTS {}").format(sql.Identifier(extension))
        )


def _ensure_database(connection: psycopg.Connection) -> None:
    query = "SELECT FROM pg_database WHERE datname = %s"
    if connection.execute(query, [APP_DATABASE]).fetchone() is None:
        connection.execute(
            sql.SQL("CREATE DATABASE {} OWNER {}").format(
                sql.Identifier(APP_DATABASE), sql.Identifier(APP_ROLE)
            )
        )
