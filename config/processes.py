"""Web server and task worker as children of one command, started and stopped together."""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.error import URLError
from urllib.request import urlopen

import psutil
from django.conf import settings

WEB = ("-m", "gunicorn", "--config", "python:config.gunicorn", "config.wsgi")
WORKER = ("manage.py", "qcluster")
START_TIMEOUT_S = 60
STOP_TIMEOUT_S = 20
END_TIMEOUT_S = 10
PR_SET_PDEATHSIG = 1  # <linux/prctl.h>
_LIBC = ctypes.CDLL(None)  # loaded here: between fork and exec only calls are safe


class ProcessDied(RuntimeError):
    """A child ended by itself; the message names it and its log."""


class Processes:
    """Context manager around the two children. Their output goes to files in the data folder."""

    def __init__(self, log_dir: Path) -> None:
        self._log_dir = log_dir
        self._record = log_dir / "processes.json"
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._files = ExitStack()

    def __enter__(self) -> Self:
        self._log_dir.mkdir(parents=True, exist_ok=True)
        try:
            self._start("web", WEB)
            self._start("worker", WORKER)
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()

    def require_alive(self) -> None:
        """Raise ProcessDied if a child has ended."""
        for name, child in self._children.items():
            if child.poll() is not None:
                log = self._log_dir / f"{name}.log"
                raise ProcessDied(f"The {name} process ended ({child.returncode}); see {log}.")

    def wait_until(self, done: Callable[[], bool], timeout_s: float) -> bool:
        """Return whether `done()` came true in time. Raises ProcessDied."""
        deadline = time.monotonic() + timeout_s
        while not done():
            self.require_alive()
            if time.monotonic() > deadline:
                return False
            time.sleep(0.5)
        return True

    def _start(self, name: str, arguments: tuple[str, ...]) -> None:
        log = self._files.enter_context((self._log_dir / f"{name}.log").open("ab"))
        self._children[name] = subprocess.Popen(  # noqa: S603  our own interpreter and arguments
            [sys.executable, *arguments],
            cwd=settings.BASE_DIR,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            # A group of its own: Ctrl-C is for us, who then stop the children in order, and
            # whatever a child has started can be ended with it.
            start_new_session=True,
            # A parent that is killed cannot stop them. The mark survives exec (prctl(2)).
            preexec_fn=_end_with_parent,
        )
        groups = [child.pid for child in self._children.values()]
        self._record.write_text(json.dumps({"parent": os.getpid(), "groups": groups}))

    def _stop(self) -> None:
        for child in self._children.values():
            if child.poll() is None:
                child.terminate()
        for child in self._children.values():
            with suppress(subprocess.TimeoutExpired):
                child.wait(STOP_TIMEOUT_S)
            _kill_group(child.pid)
            child.wait()
        self._record.unlink(missing_ok=True)
        self._files.close()

    def are_in_use(self) -> bool:
        """Return whether another process has started them from this folder and still runs."""
        left = self._recorded()
        return left is not None and _is_alive(left["parent"])

    def end_leftovers(self) -> None:
        """End children whose parent was killed before it could end them; spare a living one's."""
        left = self._recorded()
        if left is None or _is_alive(left["parent"]):
            return  # a living one's children are in use, and the record is its own to remove
        for group in left["groups"]:
            if _is_ours(group):
                _kill_group(group)
                _wait_for_end(group)
        self._record.unlink(missing_ok=True)

    def _recorded(self) -> dict[str, Any] | None:
        try:
            found: dict[str, Any] = json.loads(self._record.read_text())
        except (FileNotFoundError, ValueError):
            return None
        return found


def _end_with_parent() -> None:
    """In the child: have the kernel send SIGTERM when the parent dies, however it dies."""
    _LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def _kill_group(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _wait_for_end(group: int) -> None:
    """Wait until nothing of a killed group runs, and so holds the port, any more."""
    deadline = time.monotonic() + END_TIMEOUT_S
    while time.monotonic() < deadline and any(
        _group_of(pid) == group and _is_alive(pid) for pid in psutil.pids()
    ):
        time.sleep(0.05)


def _group_of(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None


def _is_alive(pid: int) -> bool:
    """Whether the process runs; one that is dead and not yet collected by its parent does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _is_ours(pid: int) -> bool:
    """Whether the process is still the one we started: a number can have been given away again."""
    try:
        command = psutil.Process(pid).cmdline()
    except psutil.Error:
        return False
    return tuple(command[1:]) in (WEB, WORKER)


def answers(url: str) -> bool:
    """Return whether something answers at the address with success."""
    try:
        with urlopen(url, timeout=2) as response:  # noqa: S310  our own loopback address
            return bool(response.status == 200)
    except (URLError, OSError):
        return False
