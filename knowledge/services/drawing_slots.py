"""Who may have a page drawn now: few at a time, and no company more than one."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

MOST_WAITING = 6
"""Requests of one company that wait: each holds a thread of the web process meanwhile."""


class Busy(RuntimeError):
    """Too many pages are being drawn."""

    def __init__(self) -> None:
        super().__init__("Too many pages are being drawn at the moment.")


class DrawingSlots:
    """``at_once`` slots of one process, each for another company."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._drawing: set[int] = set()
        self._waiting: Counter[int] = Counter()
        self._changed = threading.Condition()

    @contextmanager
    def taken(self, tenant_id: int, *, wait_s: float) -> Iterator[None]:
        """Hold a slot for the company, waiting ``wait_s`` seconds at most. Raises Busy."""
        with self._changed:
            if self._waiting[tenant_id] >= MOST_WAITING:
                raise Busy
            self._waiting[tenant_id] += 1
            try:
                free = self._changed.wait_for(lambda: self._is_free(tenant_id), wait_s)
            finally:
                self._waiting -= Counter({tenant_id: 1})  # which forgets those at zero
            if not free:
                raise Busy
            self._drawing.add(tenant_id)
        try:
            yield
        finally:
            with self._changed:
                self._drawing.discard(tenant_id)
                self._changed.notify_all()

    def _is_free(self, tenant_id: int) -> bool:
        return len(self._drawing) < self._at_once and tenant_id not in self._drawing
