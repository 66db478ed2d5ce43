"""manage.py experience SUBCOMMAND --tenant T --kb B ..."""

from typing import Any, ClassVar

from django.core.management.base import CommandParser

from accounts.operator import BadUsage, TenantCommand
from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from retrieval.management.experience import calibrate, exporting, generate, importing
from retrieval.management.experience.subcommand import Subcommand
from retrieval.services.scopes import Reader, UnknownBase, base_scope


class Command(TenantCommand):
    help = "Experience of a base: what it learnt from the questions put to it."

    subcommands: ClassVar[dict[str, Subcommand]] = {
        "calibrate": calibrate,
        "export": exporting,
        "generate": generate,
        "import": importing,
    }

    def add_arguments(self, parser: CommandParser) -> None:
        parsers = parser.add_subparsers(dest="subcommand", required=True, metavar="SUBCOMMAND")
        for name, module in self.subcommands.items():
            one = parsers.add_parser(name, help=module.HELP)
            super().add_arguments(one)
            module.add_arguments(one)

    def handle(self, *args: Any, **options: Any) -> None:
        tenant = self.tenant(options)
        base = self._base(tenant.pk, options["kb"])
        self.subcommands[options["subcommand"]].run(self, tenant, base, options)

    def _base(self, tenant_id: int, slug: str) -> KnowledgeBase:
        try:
            with tenant_transaction(tenant_id):
                return base_scope(Reader(tenant_id), slug).base
        except UnknownBase as error:
            raise BadUsage(str(error)) from error
