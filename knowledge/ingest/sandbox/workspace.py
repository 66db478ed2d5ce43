"""The temporary folder of a reader, and the sweeping of those that killed readers left."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

PREFIX = "cairn-reader-"


class Workspace:
    """A locked folder, gone at the end; `path` is its path."""

    def __init__(self) -> None:
        sweep()
        # Locked before it has the name that others sweep by.
        made = Path(tempfile.mkdtemp(prefix=f".{PREFIX}"))
        self._lock = os.open(made, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        self.path = str(made.rename(made.with_name(made.name.removeprefix("."))))

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)

    @contextmanager
    def for_one_file(self) -> Iterator[str]:
        """Yield the path of a folder that is empty before and gone after."""
        folder = tempfile.TemporaryDirectory(dir=self.path, ignore_cleanup_errors=True)
        try:
            yield folder.name
        finally:
            with suppress(RecursionError):  # thousands of folders, one in another
                folder.cleanup()


def sweep() -> None:
    """Remove the folders of readers that are no more."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if folder.lstat().st_uid != os.geteuid():
                continue
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)
