"""manage.py sweep [--json]"""

from typing import Any

from django.core.management.base import CommandParser

from accounts.models import Tenant
from accounts.operator import OperatorCommand
from knowledge.ingest.plurals import counted
from knowledge.services.sweeping import runs_sweep


class Command(OperatorCommand):
    help = (
        "Queue again, or end, the ingestion that dead workers left, in every tenant. "
        "The task queue does the same every minute; this does it now, without a worker."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--json", action="store_true", help="print one JSON object and nothing else"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        runs = sum(runs_sweep(tenant=tenant) for tenant in Tenant.objects.all())
        if options["json"]:
            self.print_json({"runs": runs})
        else:
            self.stdout.write(
                f"{counted(runs, 'run')} left by dead workers; queued again or ended."
            )
