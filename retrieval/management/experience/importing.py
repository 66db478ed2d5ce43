"""manage.py experience import --tenant T --kb B [FILE] [--json]"""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from accounts.models import Tenant
from accounts.operator import BadUsage, TenantCommand
from knowledge.embedding import EmbeddingError
from knowledge.ingest.plurals import counted
from knowledge.models import KnowledgeBase
from retrieval.services.experience.exchange import Imported, experience_import

HELP = "take questions and edges from lines of JSON, bound to the documents that are here"


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="stdin without it")


def run(
    command: TenantCommand, tenant: Tenant, base: KnowledgeBase, options: dict[str, Any]
) -> None:
    file: Path | None = options["file"]
    try:
        if file is None:
            done = experience_import(tenant=tenant, base=base, lines=sys.stdin.buffer)
        else:
            with file.open("rb") as lines:
                done = experience_import(tenant=tenant, base=base, lines=lines)
    except OSError as error:
        raise BadUsage(f"{file or 'stdin'} cannot be read: {error.strerror}.") from error
    except EmbeddingError as error:
        raise CommandError(
            f"The model of the base does not answer: {error}. What was imported before stays; "
            "the same command goes on."
        ) from error
    _report(command, done, as_json=options["json"])
    if done.malformed:
        raise SystemExit(1)


def _report(command: TenantCommand, done: Imported, *, as_json: bool) -> None:
    for sentence in (*done.malformed, *done.unbound):
        command.note(sentence)
    if as_json:
        command.print_json(asdict(done))
        return
    command.stdout.write(
        f"{counted(done.questions, 'question')} and {counted(done.edges, 'edge')} imported, "
        f"{counted(done.known, 'edge')} known, {len(done.unbound):,} not bound, "
        f"{counted(len(done.malformed), 'line')} malformed."
    )
