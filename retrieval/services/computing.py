"""Taking turns at the processors: of the threads of a process that compute, few do so at once.

With as many at it as there are people, each of their steps waits for all others, and nothing is
ready sooner. What is quick, such as the beginning of a stream, goes past (docs/scaling.md).
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from accounts.connections import release_connection


class Turns:
    """At most ``at_once`` threads compute; the others wait, in the order in which they came.

    Whoever waited ``patience_s`` seconds goes on without a turn: what hangs, say at a lock of the
    database, must not stop what has nothing to do with it. All waits within a block, for turns
    that were given back or never had, are that long together.
    """

    def __init__(self, at_once: int, patience_s: float) -> None:
        self._free = threading.Semaphore(at_once)
        self._patience_s = patience_s
        self._thread = _Thread()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Run the block, or the decorated function, when it is this thread's turn.

        It may have it already. No connection is held while it waits for it.
        """
        if self._is_mine():
            yield
            return
        release_connection()
        outer_s = self._thread.left_s
        self._wait(self._patience_s if outer_s is None else outer_s)
        try:
            yield
        finally:
            self.give_back()
            if outer_s is None:
                self._thread.left_s = None

    def give_back(self) -> None:
        """Let another thread compute, if it was this one's turn: what comes next is a wait."""
        if self._is_mine():
            self._thread.has_turn = False
            self._free.release()

    def _wait(self, at_most_s: float) -> None:
        began = time.monotonic()
        self._thread.has_turn = self._free.acquire(timeout=at_most_s)
        self._thread.left_s = max(0.0, at_most_s - (time.monotonic() - began))

    def _is_mine(self) -> bool:
        return self._thread.has_turn


class _Thread(threading.local):
    """What a thread has: a turn, and within a block the seconds that it may still wait."""

    has_turn: bool = False
    left_s: float | None = None


AT_ONCE = 3
"""One thread has the interpreter, the others wait for the database: with two a process was idle at
times, with four and more the beginning of a stream took longer (tests/benchmark_streams.py)."""

PAGES = Turns(AT_ONCE, patience_s=3.0)
"""Showing conversations."""

ANSWERS = Turns(AT_ONCE, patience_s=30.0)
"""Searching and reading; not while a model answers."""
