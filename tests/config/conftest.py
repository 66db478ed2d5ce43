"""A data directory with an embedded database of its own, and processes that use it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from config import embedded_database

ROOT = Path(__file__).resolve().parent.parent.parent


class DatabaseUser:
    """A running tests/config/database_user.py."""

    def __init__(self, data_dir: Path, *mode: str) -> None:
        command = [sys.executable, "-m", "tests.config.database_user", str(data_dir), *mode]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def wait_until_ready(self) -> int:
        """Return the process id of whoever stays."""
        assert self.process.stdout is not None
        word, process_id = self.process.stdout.readline().split()
        assert word == "ready"
        return int(process_id)

    def end(self) -> int:
        """Let it end in the ordinary way; return its exit code."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        code = self.process.wait(timeout=60)
        self.process.stdout.close()
        return code

    def kill(self) -> None:
        self.process.kill()
        self.end()


@contextmanager
def temporary_data_dir() -> Iterator[Path]:
    """Yield a folder outside pytest's own: that one is made 0700 again by every other session.

    In memory where there is room: a process that is killed loses the same there, and a dozen
    clusters are made in seconds however busy the disk is.
    """
    memory = Path("/dev/shm")  # noqa: S108
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > 1_000_000_000
    folder = Path(tempfile.mkdtemp(prefix="cairn-test-", dir=memory if roomy else None))
    try:
        yield folder
    finally:
        embedded_database.leave(folder)
        embedded_database.stop(folder)
        shutil.rmtree(folder)


@pytest.fixture
def data_dir() -> Iterator[Path]:
    with temporary_data_dir() as folder:
        yield folder


@pytest.fixture
def database_user(data_dir: Path) -> Iterator[Callable[..., DatabaseUser]]:
    """Return a starter of processes that use the database of `data_dir`."""
    users: list[DatabaseUser] = []

    def start(*mode: str) -> DatabaseUser:
        users.append(DatabaseUser(data_dir, *mode))
        return users[-1]

    yield start
    for user in users:
        if user.process.poll() is None:
            user.kill()
