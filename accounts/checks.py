"""System check: the application must not connect as a role that row-level security ignores."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections


@register(Tags.database)
def check_database_role(
    app_configs: Any = None, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Return an error for each database whose role is a superuser or bypasses the policies.

    Such a role passes every isolation test and isolates nothing (measured).
    """
    return [
        Error(
            f"The database role of {alias!r} is a superuser or has BYPASSRLS: "
            "it sees the rows of every tenant.",
            hint="Connect as a role made with NOSUPERUSER NOBYPASSRLS (see deploy/).",
            id="accounts.E001",
        )
        for alias in databases or []
        if _bypasses_policies(alias)
    ]


def _bypasses_policies(alias: str) -> bool:
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user")
        (bypasses,) = cursor.fetchone()
    return bool(bypasses)
