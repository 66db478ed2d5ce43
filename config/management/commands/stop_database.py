"""manage.py stop_database: stop the embedded database, whoever uses it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config import embedded_database


class Command(BaseCommand):
    help = "Stop the embedded database, even while others use it. It starts again on demand."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.ENV.database.embedded:
            self.stdout.write("DATABASE_URL is set: that server is not Cairn's to stop.")
        elif embedded_database.stop(settings.DATA_DIR):
            self.stdout.write("The embedded database has stopped.")
        else:
            self.stdout.write("The embedded database was not running.")
