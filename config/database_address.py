"""Where PostgreSQL is: the value behind `DATABASE_URL`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self
from urllib.parse import parse_qs, unquote, urlsplit

FORM = "postgres://user:password@host:5432/name"
DEFAULT_PORT = 5432


class InvalidDatabaseURL(ValueError):
    """The text is not a database URL; the message says which part is wrong, never the password."""


@dataclass(frozen=True, slots=True)
class DatabaseAddress:
    """A PostgreSQL database and the role to use it with; `host` may be a socket's directory."""

    name: str
    user: str
    password: str
    host: str
    port: int
    embedded: bool = False

    def with_password(self, password: str) -> Self:
        return replace(self, password=password)

    def __repr__(self) -> str:
        """Say where, never the password: addresses reach logs and error pages."""
        return f"<DatabaseAddress {self.user}@{self.host}:{self.port}/{self.name}>"


def parse_database_url(url: str) -> DatabaseAddress:
    """Return the address in a URL such as `postgres://user:password@host:5432/name`.

    User, password and name are percent-decoded. For a socket leave the host out and name its
    directory: `postgres://user@/name?host=/var/run/postgresql`. Raises InvalidDatabaseURL for
    anything else, unknown query parameters included: a misspelt one would be dropped silently.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise InvalidDatabaseURL(f"must look like {FORM}; its host or port is wrong") from error
    if parts.scheme not in ("postgres", "postgresql"):
        raise InvalidDatabaseURL(f"must look like {FORM}; it does not start with postgres://")
    if not parts.username:
        raise InvalidDatabaseURL(f"must look like {FORM}; the user is missing")
    name = unquote(parts.path.removeprefix("/"))
    if not name or "/" in name:
        raise InvalidDatabaseURL(f"must look like {FORM}; the database name is missing or has a /")
    if parts.fragment:
        raise InvalidDatabaseURL("has a #; write %23 if it belongs to the password")
    return DatabaseAddress(
        name=name,
        user=unquote(parts.username),
        password=unquote(parts.password or ""),
        host=_host(parts.hostname, parts.query),
        port=DEFAULT_PORT if port is None else port,
    )


def _host(hostname: str | None, query: str) -> str:
    """Return the host, or the socket's directory given as `?host=/directory`."""
    parameters = parse_qs(query, keep_blank_values=True)
    directories = parameters.pop("host", [])
    if parameters:
        raise InvalidDatabaseURL(f"has the unknown parameter {sorted(parameters)[0]!r}")
    if hostname and directories:
        raise InvalidDatabaseURL("names both a host and a socket directory (?host=)")
    if hostname:
        return hostname
    if len(directories) != 1 or not directories[0].startswith("/"):
        raise InvalidDatabaseURL(f"must look like {FORM}; the host is missing")
    return directories[0]
