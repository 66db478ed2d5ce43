"""manage.py ask QUESTION --tenant T --kb K [--scope URI] [--preset P] [--json]"""

from typing import Any

from django.core.management.base import CommandParser

from accounts.operator import BadUsage, TenantCommand
from accounts.tenancy import tenant_transaction
from retrieval.agent.presets import PRESETS
from retrieval.models import Run
from retrieval.services.reports import run_report
from retrieval.services.runs import QuestionRefused, run_create, run_execute
from retrieval.services.scopes import Reader, Scope, ScopeError, base_scope, scope_narrow


class Command(TenantCommand):
    help = "Ask a question of a knowledge base."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("question")
        super().add_arguments(parser)
        parser.add_argument("--scope", default="", metavar="URI", help="ask only what is below it")
        parser.add_argument("--preset", choices=PRESETS, help="how to look for the answer")

    def handle(self, *args: Any, **options: Any) -> None:
        tenant = self.tenant(options)
        scope = self._scope(tenant.pk, options)
        try:
            run = run_create(
                tenant=tenant,
                base=scope.base,
                membership=None,
                question=options["question"],
                scope_path=scope.path,
                preset=options["preset"],
            )
        except QuestionRefused as error:
            raise BadUsage(str(error)) from error
        run_execute(tenant_id=tenant.pk, run_id=run.pk)
        with tenant_transaction(tenant):
            report = run_report(Run.objects.select_related("base").get(pk=run.pk))
        if options["json"]:
            self.print_json(report)
        else:
            self._print(report)
        if report["state"] != Run.State.DONE:
            raise SystemExit(1)

    def _scope(self, tenant_id: int, options: dict[str, Any]) -> Scope:
        try:
            with tenant_transaction(tenant_id):
                scope = base_scope(Reader(tenant_id), options["kb"])
                return scope_narrow(scope, options["scope"])
        except ScopeError as error:
            raise BadUsage(str(error)) from error

    def _print(self, report: dict[str, Any]) -> None:
        self.stdout.write(report["answer"] or report["reason"])
        for citation in report["citations"]:
            self.stdout.write(f"[{citation['n']}] {citation['uri']}\n    {citation['quote']}")
