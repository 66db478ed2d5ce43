"""Signs of life of what waits for a model, and the ear for Stop meanwhile.

One thread a process does it for all of them: with a thread each, 64 answers asked the database 160
times a second, half a processor for nothing (tests/benchmark_streams.py).
"""

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol, Self

from django.conf import settings

from accounts.connections import release_connection
from accounts.tenancy import tenant_transaction
from retrieval.llm.cancellation import Cancellation
from retrieval.model_resolver import longest_call_s

logger = logging.getLogger(__name__)

BEAT_S = 5.0
GRACE_S = 60
LISTEN_S = 0.4
"""Stop closes the model's socket within a second: this wait, a query and the closing."""

TOO_LONG = "The answer took longer than this site allows and was given up. Please ask again."


class Work(Protocol):
    """What is kept alive: a claimed run, or the audit of one."""

    tenant_id: int
    run_id: int

    @classmethod
    def beat(cls, works: Collection[Self]) -> None:
        """Give a sign of life of all, in an open transaction of their tenant."""
        ...

    @classmethod
    def going_on(cls, works: Collection[Self]) -> set[int]:
        """Return the ``run_id`` of those that nobody stopped or took from this process."""
        ...

    def fail(self, sentence: str) -> None:
        """End it as failed."""
        ...


def limit_s(tenant_id: int) -> float:
    """Return the seconds after which a run ends as failed: nobody follows one that never answers.

    The budget ends a run in time by itself, but for a last call of the model and what reasons
    without one.
    """
    return float(settings.RUN_MAX_SECONDS + longest_call_s(tenant_id) + GRACE_S)


@contextmanager
def beating(work: Work) -> Iterator[Cancellation]:
    """Beat every `BEAT_S` seconds until the block ends, by a thread that holds no connection.

    The cancellation is called when someone presses Stop, or the work was taken from this process.
    """
    kept = _Kept(work, time.monotonic() + limit_s(work.tenant_id))
    _HEART.keep(kept)
    try:
        yield kept.cancellation
    finally:
        _HEART.leave(kept)


@dataclass(slots=True, eq=False)
class _Kept:
    """A work with the time when it is given up, and when it last showed that it lives."""

    work: Work
    until: float
    began: float = field(default_factory=time.monotonic)
    last_beat: float = field(default_factory=time.monotonic)
    cancellation: Cancellation = field(default_factory=Cancellation)

    def give_up(self) -> None:
        """End the work as failed, and stop it whether that could be stored or not."""
        try:
            self.work.fail(TOO_LONG)
        finally:
            release_connection()
            self.cancellation.cancel()


class _Heart:
    """Beats and listens for all works of the process, until there are none."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: set[_Kept] = set()
        self._thread: threading.Thread | None = None

    def keep(self, kept: _Kept) -> None:
        with self._lock:
            self._kept.add(kept)
            if self._thread is None:
                self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)
                self._thread.start()

    def leave(self, kept: _Kept) -> None:
        with self._lock:
            self._kept.discard(kept)

    def _beat(self) -> None:
        while (groups := self._grouped()) is not None:
            for group in groups:
                try:
                    self._round(group)
                except Exception:  # the next round tries again; one that never works is given up
                    logger.warning("%s could not show signs of life.", len(group), exc_info=True)
            time.sleep(LISTEN_S)

    def _grouped(self) -> list[list[_Kept]] | None:
        """Return the works by kind and tenant; None, and the thread's end, if there are none.

        One that has just begun is left out: most are over before anybody could stop them.
        """
        now = time.monotonic()
        groups: dict[tuple[type[Work], int], list[_Kept]] = defaultdict(list)
        with self._lock:
            if not self._kept:
                self._thread = None
                return None
            for kept in self._kept:
                if now - kept.began > LISTEN_S and not kept.cancellation.is_cancelled:
                    groups[type(kept.work), kept.work.tenant_id].append(kept)
        return list(groups.values())

    def _round(self, group: Sequence[_Kept]) -> None:
        now = time.monotonic()
        due = [kept for kept in group if now - kept.last_beat > BEAT_S]
        kind, works = type(group[0].work), [kept.work for kept in group]
        try:
            with tenant_transaction(works[0].tenant_id):
                if due:
                    kind.beat([kept.work for kept in due])
                going_on = kind.going_on(works)
        finally:
            release_connection()
        for kept in due:
            kept.last_beat = now
        for kept in group:
            if kept.work.run_id not in going_on:
                kept.cancellation.cancel()
            elif now > kept.until:
                kept.give_up()


_HEART = _Heart()
