"""What a module must hold to be a subcommand of `manage.py experience`."""

from typing import Any, Protocol

from django.core.management.base import CommandParser

from accounts.models import Tenant
from accounts.operator import TenantCommand
from knowledge.models import KnowledgeBase


class Subcommand(Protocol):
    """A module; the options --tenant, --kb and --json are there already."""

    HELP: str

    def add_arguments(self, parser: CommandParser) -> None:
        """Add its own options."""
        ...

    def run(
        self, command: TenantCommand, tenant: Tenant, base: KnowledgeBase, options: dict[str, Any]
    ) -> None:
        """Do it. Raises CommandError, and SystemExit for another exit code."""
        ...
