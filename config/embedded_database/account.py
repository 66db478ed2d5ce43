"""Whom the server runs as: PostgreSQL refuses root, so root gets a system user for it."""

from __future__ import annotations

import os
import pwd
import stat
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from config.embedded_database.errors import EmbeddedDatabaseError

SYSTEM_USER = "embedded_postgres"
# A clean environment: PGPORT, PGOPTIONS and LC_MESSAGES would change what the server does.
CLEAN_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


@dataclass(frozen=True, slots=True)
class Account:
    """The user and group the server runs as; None for both: as this process."""

    uid: int | None = None
    gid: int | None = None

    def run(self, command: Sequence[str | Path], *, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run a program of the wheel as this account; return its exit code and its output."""
        # S603: the programs and all arguments are ours.
        return subprocess.run(  # noqa: S603
            [str(part) for part in command],
            cwd=cwd,
            env=CLEAN_ENVIRONMENT,
            user=self.uid,
            group=self.gid,
            extra_groups=None if self.uid is None else [],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )

    def own(self, path: Path) -> None:
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)

    def owner(self) -> int:
        """Return the uid that owns the server's files."""
        return os.geteuid() if self.uid is None else self.uid

    def open_way(self, path: Path) -> None:
        """Let this account reach `path`: add o+x to the folders above it that lack it, no more."""
        if self.uid is None:
            return
        for folder in reversed(path.parents):
            mode = folder.stat().st_mode
            if folder.stat().st_uid != self.uid and not mode & stat.S_IXOTH:
                folder.chmod(stat.S_IMODE(mode) | stat.S_IXOTH)
                print(  # noqa: T201 (the person running the command must learn of it)
                    f"Cairn runs as root, so its database server runs as the user {SYSTEM_USER}; "
                    f"{folder} was opened for passing through (chmod o+x).",
                    file=sys.stderr,
                )

    def open_files(self, folders: Sequence[Path], *, probe: Path) -> None:
        """Let this account read the wheel's files when a strict umask hid them (probe lacks o+rx).

        They are a public package's; nothing of the operator's lies in these folders.
        """
        wanted = stat.S_IROTH | stat.S_IXOTH
        if self.uid is None or probe.stat().st_mode & wanted == wanted:
            return
        for folder in folders:
            for path in [folder, *folder.rglob("*")]:
                if path.is_symlink():
                    continue
                mode = stat.S_IMODE(path.stat().st_mode)
                passing = stat.S_IXOTH if mode & stat.S_IXUSR else 0
                path.chmod(mode | stat.S_IROTH | passing)


def server_account() -> Account:
    """Return this process's account, or for root the system user, made on the first call."""
    if os.geteuid() != 0:
        return Account()
    try:
        entry = pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        _add_system_user()
        entry = pwd.getpwnam(SYSTEM_USER)
    return Account(uid=entry.pw_uid, gid=entry.pw_gid)


def _add_system_user() -> None:
    command = ["useradd", "--system", "--user-group", "--no-create-home"]
    command += ["--shell", "/usr/sbin/nologin", SYSTEM_USER]
    try:
        # S603: fixed arguments; useradd lies in /usr/sbin or /sbin, by distribution.
        done = subprocess.run(  # noqa: S603
            command,
            env={"PATH": "/usr/sbin:/sbin:/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        reason = done.stderr.strip()
        # 9: the name exists, made by a process that came first.
        failed = done.returncode not in (0, 9)
    except FileNotFoundError:
        reason, failed = "useradd is not installed", True
    if failed:
        raise EmbeddedDatabaseError(
            f"PostgreSQL does not run as root, and the user {SYSTEM_USER} cannot be added "
            f"({reason}).",
            "Run Cairn as an ordinary user, or set DATABASE_URL.",
        )
