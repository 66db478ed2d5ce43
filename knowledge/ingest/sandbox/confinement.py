"""What a process may use of the machine, and the end of all it has started. Linux."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MEGABYTE = 1024 * 1024
MAX_FILE_MB = 512
MAX_OPEN_FILES = 256

# linux/prctl.h and linux/sched.h
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_CLONE_NEWNET = 0x40000000
_CLONE_NEWUSER = 0x10000000

# Mapped but unused memory (arenas, thread stacks, mapped files) beside what may be used.
_ADDRESS_SPACE_MB = 4096


def adopt_orphans() -> None:
    """Become the parent of whatever a killed child leaves behind, so that it can be ended too."""
    _libc().prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def leave_network() -> bool:
    """Move this process, which must have one thread, where there is no network.

    Returns False where the system does not allow that: then the children can reach it.
    """
    libc = _libc()
    return any(libc.unshare(kind) == 0 for kind in (_CLONE_NEWUSER | _CLONE_NEWNET, _CLONE_NEWNET))


def confine(*, timeout_s: float, memory_mb: int) -> None:
    """Bound this process for good: memory, processor time, files, no core, no new rights.

    It ends with its parent. Memory is private writable memory (RLIMIT_DATA counts it since
    Linux 4.7); processor time has twice `timeout_s`, since whoever waits holds the clock.
    """
    libc = _libc()
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    seconds = max(1, round(2 * timeout_s))
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_DATA: memory_mb * MEGABYTE,
        resource.RLIMIT_AS: (memory_mb + _ADDRESS_SPACE_MB) * MEGABYTE,
        resource.RLIMIT_FSIZE: MAX_FILE_MB * MEGABYTE,
        resource.RLIMIT_NOFILE: MAX_OPEN_FILES,
    }
    for kind, most in limits.items():
        _, hard = resource.getrlimit(kind)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (bound, bound))
    with suppress(OSError):  # so that the kernel, short of memory, ends this one first
        Path("/proc/self/oom_score_adj").write_text("1000")


def end_descendants() -> None:
    """Kill and reap every process below this one, orphans included; at once where there is none."""
    while _has_children():
        for pid in _children(os.getpid()):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(-1, 0)


def _has_children() -> bool:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _children(parent: int) -> Iterator[int]:
    """Yield the processes whose parent is `parent`; few kernels have a list of them."""
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        with suppress(OSError, ValueError, IndexError):
            # The name in parentheses may hold anything; the parent is the second field behind it.
            if int((folder / "stat").read_bytes().rpartition(b")")[2].split()[1]) == parent:
                yield int(folder.name)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
