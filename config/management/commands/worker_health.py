"""manage.py worker_health: exit 0 while this machine's task worker lives (a container's check)."""

from __future__ import annotations

import socket
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django_q.status import Stat


class Command(BaseCommand):
    help = (
        "Exit with 0 while a task worker on this machine has given a sign of life lately, else 1."
    )
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        # A worker says so every second and is forgotten after three (django_q.status.Stat.save).
        try:
            hosts = {stat.host for stat in Stat.get_all()}
        except DatabaseError as error:
            raise CommandError(f"The database does not answer: {error}") from error
        if socket.gethostname() not in hosts:
            raise CommandError("No task worker on this machine has given a sign of life.")
        self.stdout.write("ok")
