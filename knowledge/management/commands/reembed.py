"""manage.py reembed --tenant T --kb K [--status | --pause] [--wait] [--json]"""

import sys
import time
from typing import Any

from django.core.management.base import CommandError, CommandParser

from accounts.models import Tenant
from accounts.operator import BadUsage, TenantCommand
from accounts.tenancy import tenant_transaction
from knowledge.embedder import current_embedder, serving_embedder
from knowledge.embedding import EmbeddingError
from knowledge.ingest.plurals import counted
from knowledge.models import KnowledgeBase, Reembedding
from knowledge.services.reembedding import (
    Estimate,
    reembedding_estimate,
    reembedding_pause,
    reembedding_start,
    reembeddings_sweep,
)
from knowledge.services.reembedding_run import run_reembed

POLL_S = 0.5
State = Reembedding.State


class Command(TenantCommand):
    help = (
        "Embed a knowledge base anew by the configured model, while the old index serves. A worker "
        "begins it by itself when the settings change; this begins it now, or again after a pause "
        "or a failure. The worker does the work, or with --wait this command."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        does = parser.add_mutually_exclusive_group()
        does.add_argument("--status", action="store_true", help="report and begin nothing")
        does.add_argument("--pause", action="store_true", help="stop it; what is done is kept")
        does.add_argument("--wait", action="store_true", help="work on it here until it is over")

    def handle(self, *args: Any, **options: Any) -> None:
        tenant = self.tenant(options)
        base = _base(tenant, options["kb"])
        try:
            estimate = reembedding_estimate(tenant=tenant, base=base)
            if not options["json"] and not options["pause"]:
                self.note(_estimate_sentence(estimate))
            self._do(tenant, base, options)
            report = _report(tenant, _base(tenant, options["kb"]), estimate)
        except EmbeddingError as error:
            raise CommandError(
                f"The configured embedding model cannot be used: {error}."
            ) from error
        if options["json"]:
            self.print_json({"tenant": options["tenant"], "kb": options["kb"]} | report)
        else:
            self.stdout.write(_sentence(report))
        if report["state"] == State.FAILED:
            sys.exit(1)

    def _do(self, tenant: Tenant, base: KnowledgeBase, options: dict[str, Any]) -> None:
        if options["status"]:
            return
        if options["pause"]:
            reembedding_pause(tenant=tenant, base=base)
            return
        change = reembedding_start(tenant=tenant, base=base)
        while options["wait"] and change and change.state in (State.QUEUED, State.RUNNING):
            run_reembed(tenant_id=tenant.pk, change_id=change.pk)
            with tenant_transaction(tenant):
                change = Reembedding.objects.filter(base=base).first()
            if change and change.state in (State.QUEUED, State.RUNNING):
                time.sleep(POLL_S)
                reembeddings_sweep(tenant=tenant)


def _base(tenant: Tenant, slug: str) -> KnowledgeBase:
    with tenant_transaction(tenant):
        base = KnowledgeBase.objects.filter(slug=slug).first()
    if base is None:
        raise BadUsage(f"There is no knowledge base {slug}.")
    return base


def _report(tenant: Tenant, base: KnowledgeBase, estimate: Estimate) -> dict[str, Any]:
    """Return how the base stands; `state` is "none" where no change was ever begun."""
    with tenant_transaction(tenant):
        change = Reembedding.objects.filter(base=base).first()
    return {
        "serving_model": base.serving_model,
        "serving_model_known": serving_embedder(base) is not None,
        "configured_model": current_embedder().name,
        "estimate": {
            "entries": estimate.entries,
            "tokens": estimate.tokens,
            "price": estimate.price,
        },
        "state": change.state if change else "none",
        "model": change.model if change else None,
        "entries_done": change.done if change else 0,
        "entries_total": change.total if change else 0,
        "tokens_done": change.tokens_done if change else 0,
        "tokens_total": change.tokens_total if change else 0,
        "attempts": change.attempts if change else 0,
        "message": change.message if change else "",
    }


def _estimate_sentence(estimate: Estimate) -> str:
    entries = counted(estimate.entries, "entry", "entries")
    about = f"{entries} to embed, about {estimate.tokens:,} tokens"
    return f"{about}." if estimate.price is None else f"{about}, price about {estimate.price:.4f}."


def _sentence(report: dict[str, Any]) -> str:
    served = f"Served by {report['serving_model'] or 'nothing yet'}"
    if not report["serving_model_known"]:
        served += " (not known here: searches go by words only)"
    if report["state"] == "none":
        return f"{served}; no change of model."
    done = f"{report['entries_done']} of {report['entries_total']} entries"
    sentence = f"{served}; change to {report['model']} {report['state']}, {done}."
    return f"{sentence} {report['message']}".rstrip()
