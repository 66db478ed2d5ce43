"""manage.py experience export --tenant T --kb B [FILE] [--json]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from accounts.models import Tenant
from accounts.operator import BadUsage, TenantCommand
from accounts.tenancy import tenant_transaction
from knowledge.ingest.plurals import counted
from knowledge.models import KnowledgeBase
from retrieval.experience.exchange import line_of
from retrieval.services.experience.exchange import experience_export

HELP = "write the questions and edges in use as lines of JSON, to stdout or a file"


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="stdout without it")


def run(
    command: TenantCommand, tenant: Tenant, base: KnowledgeBase, options: dict[str, Any]
) -> None:
    file: Path | None = options["file"]
    if file is None and options["json"]:
        raise BadUsage("Name a FILE: with --json the one object on stdout is the summary.")
    with tenant_transaction(tenant):
        rows = list(experience_export(base))
    edges = sum(len(row.edges) for row in rows)
    told = f"{counted(len(rows), 'question')} with {counted(edges, 'edge')}."
    if file is None:
        for row in rows:
            command.stdout.write(line_of(row, ascii_only=True))
        command.note(told)
        return
    try:
        file.write_text("".join(f"{line_of(row)}\n" for row in rows), encoding="utf-8")
    except OSError as error:
        raise BadUsage(f"{file} cannot be written: {error.strerror}.") from error
    if options["json"]:
        command.print_json({"questions": len(rows), "edges": edges, "file": str(file)})
    else:
        command.stdout.write(f"{file}: {told}")
