"""A real `manage.py qcluster` with all its processes, on a database of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper

from config import embedded_database
from tests.config.conftest import ROOT, temporary_data_dir


class WorkerGroup:
    """The task queue's processes; `kill` ends all of them at once, as a lost machine would."""

    def __init__(self, data_dir: Path, silence_s: int) -> None:
        self.environment = {
            "PATH": os.environ["PATH"],
            "CAIRN_ENV_FILE": "off",
            "CAIRN_DATA_DIR": str(data_dir),
            "CAIRN_EMBEDDER": "hashing",
            "CAIRN_TASK_WORKERS": "2",
            "CAIRN_TASK_SILENCE_S": str(silence_s),
            # Queue messages are signed: this process writes them and the workers read them.
            "CAIRN_SECRET_KEY": settings.SECRET_KEY,
        }
        self.log = data_dir / "worker.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "qcluster"],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill(self) -> None:
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(timeout=30)
            self.process = None

    def command(self, *arguments: str) -> str:
        """Return what a manage.py command prints on the same database."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout


@contextmanager
def own_database() -> Iterator[Path]:
    """Yield a data directory whose migrated database the default alias leads to meanwhile."""
    with temporary_data_dir() as data_dir:
        embedded_database.ensure_running(data_dir, durable=False)
        where = embedded_database.address(data_dir)
        ours = connections["default"]
        place = {"NAME": where.name, "USER": where.user, "HOST": where.host, "PORT": where.port}
        theirs = DatabaseWrapper(ours.settings_dict | place, alias="default")
        connections["default"] = theirs
        try:
            call_command("migrate", verbosity=0)
            yield data_dir
        finally:
            theirs.close()
            connections["default"] = ours
