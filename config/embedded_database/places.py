"""Where the embedded database keeps its files, and the address that follows from it."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from config.database_address import DatabaseAddress

APP_ROLE = "cairn"
APP_DATABASE = "cairn"
SUPERUSER = "postgres"
# No other server can want it: the port is only part of the socket's name.
PORT = 5432
# sun_path has 108 bytes on Linux, the closing NUL among them (unix(7)).
SOCKET_PATH_MAX_BYTES = 107
# Fixed, not tempfile.gettempdir(): processes with different TMPDIR must find the same socket.
SHORT_DIRECTORY = Path("/tmp")  # noqa: S108 (a 0700 directory of our own is made inside)


@dataclass(frozen=True, slots=True)
class Places:
    """The files of one data directory; computing them touches nothing."""

    data_dir: Path

    @property
    def cluster(self) -> Path:
        return self.data_dir / "postgres"

    @property
    def log(self) -> Path:
        return self.cluster / "server.log"

    @property
    def bootstrap_mark(self) -> Path:
        return self.cluster / "cairn-bootstrap"

    @property
    def start_lock(self) -> Path:
        """Held while the server is started, stopped, joined or left."""
        return self.data_dir / "postgres.start.lock"

    @property
    def users_lock(self) -> Path:
        """Held shared by every process that uses the server."""
        return self.data_dir / "postgres.users.lock"

    @property
    def socket_directory(self) -> Path:
        """The cluster itself (0700), or a short directory of ours where that path does not do.

        It does not when it is too long, or has a comma: libpq takes that for a list of hosts.
        """
        socket = self.cluster / f".s.PGSQL.{PORT}"
        if len(os.fsencode(socket)) <= SOCKET_PATH_MAX_BYTES and "," not in str(socket):
            return self.cluster
        digest = hashlib.sha256(os.fsencode(self.cluster)).hexdigest()[:16]
        return SHORT_DIRECTORY / f"cairn-{digest}"


def address(data_dir: Path) -> DatabaseAddress:
    """Return where the embedded database of `data_dir` answers, running or not. Touches nothing."""
    return DatabaseAddress(
        name=APP_DATABASE,
        user=APP_ROLE,
        password="",
        host=str(Places(data_dir.resolve()).socket_directory),
        port=PORT,
        embedded=True,
    )
