"""manage.py demo: everything, with the sample company in it."""

import socket
import time
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from accounts.models import Tenant
from config import embedded_database
from config.demonstration import EMAIL, demonstration_load, demonstration_progress, password
from config.processes import START_TIMEOUT_S, ProcessDied, Processes, answers

INGEST_TIMEOUT_S = 1_800


class Command(BaseCommand):
    help = "Set up the database, load the sample company, start web server and worker."

    _shown = ""

    def handle(self, *args: Any, **options: Any) -> None:
        address = f"http://{settings.ENV.bind}:{settings.ENV.port}/"
        children = Processes(settings.DATA_DIR / "log")
        children.end_leftovers()
        self._require_free_port()
        call_command("migrate", verbosity=0)
        tenant = demonstration_load()
        try:
            with children as processes:
                if not processes.wait_until(lambda: answers(f"{address}healthz"), START_TIMEOUT_S):
                    raise CommandError(f"Nothing answers at {address}; see var/log/web.log.")
                processes.wait_until(lambda: self._read(tenant), INGEST_TIMEOUT_S)
                self.stdout.write(f"Cairn is ready: {address} user {EMAIL} password {password()}")
                self.stdout.flush()
                while True:
                    processes.require_alive()
                    if settings.ENV.database.embedded:
                        embedded_database.ensure_running(settings.DATA_DIR)
                    time.sleep(1)
        except ProcessDied as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            self.stderr.write("Stopped. The data stay; make demo goes on with them.")

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
        """Show how far the worker is; return whether it has read everything."""
        progress = demonstration_progress(tenant)
        line = f"Reading the sample documents: {progress.over} of {progress.total}"
        if line != self._shown and progress.total:
            terminal = self.stderr.isatty()
            over = progress.over == progress.total
            self.stderr.write(
                f"\r\033[K{line}" if terminal else line,
                ending="" if terminal and not over else "\n",
            )
            self._shown = line
        return progress.over == progress.total
