"""What Cairn's management commands share: the tenant they are for, and one JSON object on stdout.

Exit codes: 0 done, 1 failed, 2 bad usage. Progress and notes go to stderr.
"""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import Tenant


class BadUsage(CommandError):
    """An argument names something that does not exist or makes no sense."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, returncode=2)


class TenantCommand(BaseCommand):
    """A command for one tenant, run by the operator of the installation."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tenant", required=True, metavar="T", help="slug of the tenant")
        parser.add_argument("--kb", required=True, metavar="K", help="slug of the knowledge base")
        parser.add_argument(
            "--json", action="store_true", help="print one JSON object and nothing else"
        )

    def tenant(self, options: dict[str, Any]) -> Tenant:
        """Return the tenant named by --tenant. Raises BadUsage."""
        slug = options["tenant"]
        tenant = Tenant.objects.filter(slug=slug).first()
        if tenant is None:
            raise BadUsage(f"There is no tenant {slug}.")
        return tenant

    def print_json(self, value: dict[str, Any]) -> None:
        self.stdout.write(json.dumps(value, ensure_ascii=False, indent=2))
