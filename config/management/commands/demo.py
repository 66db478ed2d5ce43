"""manage.py demo: everything, with the sample company in it."""

import socket
import time
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.models import Tenant
from accounts.operator import OperatorCommand
from config import embedded_database
from config.demonstration import (
    EMAIL,
    demonstration_load,
    demonstration_password,
    demonstration_progress,
)
from config.processes import START_TIMEOUT_S, ProcessDied, Processes, answers

INGEST_TIMEOUT_S = 1_800
# Into a file or a pipe a line that tells the same number again comes this seldom.
REMINDER_S = 20


class Command(OperatorCommand):
    help = "Set up the database, load the sample company, start web server and worker."

    requires_migrations_checks = False  # it makes them

    _shown = ""
    _counted = -1
    _reminded_at = 0.0

    def handle(self, *args: Any, **options: Any) -> None:
        address = f"http://{settings.ENV.bind}:{settings.ENV.port}/"
        children = Processes(settings.DATA_DIR / "log")
        children.end_leftovers()
        is_running = children.are_in_use() and answers(f"{address}healthz")
        if not is_running:
            self._require_free_port()
        if settings.ENV.database.embedded:
            embedded_database.ensure_running(settings.DATA_DIR)
        if is_running:
            self.stdout.write(f"Cairn is running already: {address} {_sign_in()}")
            return
        call_command("migrate", verbosity=0)
        tenant = demonstration_load()
        try:
            with children as processes:
                if not processes.wait_until(lambda: answers(f"{address}healthz"), START_TIMEOUT_S):
                    raise CommandError(f"Nothing answers at {address}; see var/log/web.log.")
                processes.wait_until(lambda: self._read(tenant), INGEST_TIMEOUT_S)
                self.stdout.write(f"Cairn is ready: {address} {_sign_in()}")
                self.stdout.flush()
                while True:
                    processes.require_alive()
                    if settings.ENV.database.embedded:
                        embedded_database.ensure_running(settings.DATA_DIR)
                    time.sleep(1)
        except ProcessDied as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            self.note("Stopped. The data stay; make demo goes on with them.")

    def _require_free_port(self) -> None:
        with socket.socket(socket.AF_INET6 if ":" in settings.ENV.bind else socket.AF_INET) as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                s.bind((settings.ENV.bind, settings.ENV.port))
            except OSError as error:
                raise CommandError(
                    f"Port {settings.ENV.port} is taken. Is Cairn running already? "
                    "Otherwise choose another: CAIRN_PORT=8001 make demo"
                ) from error

    def _read(self, tenant: Tenant) -> bool:
        """Show how far the worker is; return whether it has read the whole sample."""
        progress = demonstration_progress(tenant)
        over = progress.over == progress.total
        line = f"Reading the sample documents: {progress.over} of {progress.total}"
        line += "" if over else f" ({progress.doing})"
        if not progress.total or line == self._shown:
            return over
        now = time.monotonic()
        if self.stderr.isatty():
            self.note(f"\r\033[K{line[:100]}", ending="\n" if over else "")
        elif progress.over != self._counted or now - self._reminded_at > REMINDER_S:
            self.note(line)
            self._counted, self._reminded_at = progress.over, now
        self._shown = line
        return over


def _sign_in() -> str:
    """Return what to sign in with: a password only if it is the user's still."""
    if password := demonstration_password():
        return f"user {EMAIL} password {password}"
    return (
        f"user {EMAIL}, whose password is not the one made here any more; "
        f"set a new one with: .venv/bin/python manage.py changepassword {EMAIL}"
    )
