"""What Cairn's management commands share: the tenant they are for, and one JSON object on stdout.

Exit codes: 0 done, 1 failed, 2 bad usage. Progress and notes go to stderr.
"""

import errno
import json
import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from accounts.models import Tenant

_OUTPUT_FAILED = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class BadUsage(CommandError):
    """An argument names something that does not exist or makes no sense."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, returncode=2)


class OperatorCommand(BaseCommand):
    """A command with notes for whoever runs it and, where asked for, a result for programs.

    It refuses a database that lacks migrations, unless it sets `requires_migrations_checks` off.
    """

    requires_migrations_checks = True

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run; where whoever listens has gone, or the person has had enough, end without a trace.

        A reader that has gone is how `| head` ends, so that is silent. Exit code 1, or 130 for
        the interrupt, as shells have it.
        """
        try:
            result = super().execute(*args, **options)
            self.stdout.flush()
        except BrokenPipeError:
            _leave(1)
        except KeyboardInterrupt:
            self.stderr.write("Stopped.", style_func=str)
            _leave(130)
        except OSError as error:
            if error.errno not in _OUTPUT_FAILED:
                raise
            self.stderr.write(f"The output could not be written: {error.strerror}.")
            _leave(1)
        return result

    def check_migrations(self) -> None:
        """Raise CommandError where Django only gives a note, before the first missing column."""
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            raise CommandError(
                "The database is not that of this version of Cairn. "
                "Run make demo, or .venv/bin/python manage.py migrate."
            )

    def note(self, text: str, ending: str = "\n") -> None:
        """Write progress to stderr, in plain: Django shows all that goes there as an error."""
        self.stderr.write(text, style_func=str, ending=ending)

    def print_json(self, value: dict[str, Any]) -> None:
        """Print one JSON object, escaped where stdout's encoding lacks a character."""
        text = json.dumps(value, ensure_ascii=False, indent=2)
        try:
            text.encode(getattr(self.stdout, "encoding", None) or "utf-8")
        except UnicodeEncodeError:
            text = json.dumps(value, indent=2)
        self.stdout.write(text)


def _leave(code: int) -> NoReturn:
    """End the process; what is left for stdout would fail once more while the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(code)


class TenantCommand(OperatorCommand):
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


def whole_number(minimum: int, maximum: int) -> Callable[[str], int]:
    """Return a `type` for an option: a number in this range, or exit code 2 with a sentence."""

    def number(text: str) -> int:
        # Only ASCII digits: int() also takes "1_0", " 5 " and digits of other scripts.
        if text.isascii() and text.isdigit() and minimum <= int(text[:12]) <= maximum:
            return int(text)
        raise ArgumentTypeError(f"must be a whole number from {minimum} to {maximum}, not {text!r}")

    return number
