"""File locks that the kernel drops when a process dies, however it dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the only lock on `path`, waiting for it as long as it takes. Raises OSError."""
    descriptor = _open(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def hold_shared(path: Path) -> int:
    """Return a descriptor that shares the lock on `path` until it is closed everywhere.

    Forked children inherit it, so they count as users too. Close it, never LOCK_UN it: unlocking
    would take the lock from those children as well (flock(2): it belongs to the open file).
    """
    descriptor = _open(path)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


def is_held(path: Path) -> bool:
    """Return whether any process, this one included, holds the lock on `path`."""
    descriptor = _open(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        return False
    finally:
        os.close(descriptor)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
