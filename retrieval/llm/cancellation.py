"""Stopping a call from another thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Cancellation:
    """A wish to stop, shared by whoever may stop a run and the calls the run makes."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], None]] = []

    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Stop every call that is under way, and each that begins later."""
        with self._lock:
            self._cancelled.set()
            callbacks = list(self._callbacks)
        for callback in callbacks:
            callback()

    def wait(self, seconds: float) -> bool:
        """Sleep; return early, and True, once cancelled."""
        return self._cancelled.wait(seconds)

    @contextmanager
    def calling(self, callback: Callable[[], None]) -> Iterator[None]:
        """Let ``cancel`` call ``callback`` meanwhile; at once if it was cancelled before."""
        with self._lock:
            self._callbacks.append(callback)
            cancelled = self.is_cancelled
        try:
            if cancelled:
                callback()
            yield
        finally:
            with self._lock:
                self._callbacks.remove(callback)
