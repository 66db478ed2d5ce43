"""manage.py experience generate --tenant T --kb B [--budget TOKENS] [--per-section N] [--json]"""

from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandError, CommandParser

from accounts.models import Tenant
from accounts.operator import TenantCommand, whole_number
from knowledge.ingest.plurals import counted
from knowledge.models import KnowledgeBase
from retrieval.services.experience.generating import (
    BUDGET,
    PER_SECTION,
    PRUNED_RANK,
    GenerationRefused,
    questions_generate,
)

HELP = "make up questions for each section, as experience before anybody has asked"
MOST_TOKENS, MOST_QUESTIONS = 1_000_000_000, 10


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "--budget",
        type=whole_number(0, MOST_TOKENS),
        default=BUDGET,
        metavar="TOKENS",
        help=f"most tokens of the model ({BUDGET}); the next call goes on from there",
    )
    parser.add_argument(
        "--per-section",
        type=whole_number(1, MOST_QUESTIONS),
        default=PER_SECTION,
        metavar="N",
        help=f"most questions a section, 1 to {MOST_QUESTIONS} ({PER_SECTION})",
    )


def run(
    command: TenantCommand, tenant: Tenant, base: KnowledgeBase, options: dict[str, Any]
) -> None:
    try:
        outcome = questions_generate(
            tenant=tenant,
            base=base,
            budget=options["budget"],
            per_section=options["per_section"],
        )
    except GenerationRefused as refused:
        raise CommandError(str(refused)) from refused
    if options["json"]:
        command.print_json(asdict(outcome))
    else:
        tokens = "unknown tokens" if outcome.tokens is None else counted(outcome.tokens, "token")
        command.stdout.write(
            f"{counted(outcome.made, 'question')} made for {counted(outcome.sections, 'section')} "
            f"by {outcome.by}, {outcome.pruned} pruned (a search has their place among its first "
            f"{PRUNED_RANK}), {counted(outcome.skipped, 'section')} skipped (worked on before), "
            f"{outcome.failed} failed, {tokens}."
        )
        if outcome.stopped:
            command.stdout.write(f"Stopped: {outcome.stopped}")
    if outcome.stopped:
        raise SystemExit(1)
