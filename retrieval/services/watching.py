"""What happens in the runs that are followed, read once for all who follow in this process.

Each follower used to ask the database by itself: 64 of them took more than a processor for asking
(tests/benchmark_streams.py). One thread asks for all now, a transaction a tenant.
"""

import threading
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from django.db.models import Q

from accounts.connections import release_connection
from accounts.tenancy import tenant_transaction
from retrieval.models import Run, RunEvent
from retrieval.services.sweeping import runs_interrupt_if_silent

POLL_S = 0.15
SWEEP_S = 5.0
"""How often it is looked whether the processes that answer are still alive."""


@dataclass(slots=True)
class Watched:
    """A run that somebody follows: its state and all its events as last read, in order.

    ``error`` is what made reading them impossible.
    """

    tenant_id: int
    run_id: int
    state: str = Run.State.QUEUED
    events: list[RunEvent] = field(default_factory=list)
    followers: int = 0
    error: Exception | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing further will happen in it."""
        return self.state not in (Run.State.QUEUED, Run.State.RUNNING)

    def after(self, number: int) -> Sequence[RunEvent]:
        """Return the events behind the one with this number, which need not be there any more."""
        return self.events[bisect_right(self.events, number, key=_number) :]

    @property
    def last(self) -> int:
        """The number of the last event, 0 without any."""
        return self.events[-1].number if self.events else 0


def _number(event: RunEvent) -> int:
    return event.number


class Watcher:
    """Reads the followed runs in a thread of its own, which ends when nobody follows any more."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._runs: dict[int, Watched] = {}
        self._thread: threading.Thread | None = None

    @contextmanager
    def following(self, tenant_id: int, run_id: int) -> Iterator[Watched]:
        """Yield the run as it is kept up to date until the block ends."""
        with self._changed:
            watched = self._runs.setdefault(run_id, Watched(tenant_id, run_id))
            watched.followers += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="watcher", daemon=True)
                self._thread.start()
        try:
            yield watched
        finally:
            with self._changed:
                watched.followers -= 1
                if not watched.followers and self._runs.get(run_id) is watched:
                    del self._runs[run_id]

    def wait(self, watched: Watched, seen: int, timeout_s: float) -> bool:
        """Wait for an event after number ``seen``, or the end; return whether there is any news.

        Raises what kept the run from being read.
        """

        def news() -> bool:
            return bool(watched.error or watched.is_over or watched.last > seen)

        with self._changed:
            found = self._changed.wait_for(news, timeout_s)
        if watched.error:
            raise watched.error
        return found

    def _watch(self) -> None:
        swept = time.monotonic()
        while (runs := self._followed()) is not None:
            sweeps = time.monotonic() - swept > SWEEP_S
            swept = time.monotonic() if sweeps else swept
            try:
                for tenant_id, group in runs.items():
                    self._read(tenant_id, group, sweeps)
            except Exception as error:  # whoever follows tells it; a new follower tries again
                self._give_up(error)
            finally:
                release_connection()
            time.sleep(POLL_S)

    def _followed(self) -> dict[int, list[Watched]] | None:
        """Return the runs that go on, by tenant; None, and the thread's end, if nobody follows."""
        groups: dict[int, list[Watched]] = defaultdict(list)
        with self._changed:
            if not self._runs:
                self._thread = None
                return None
            for watched in self._runs.values():
                if not watched.is_over:
                    groups[watched.tenant_id].append(watched)
        return groups

    def _read(self, tenant_id: int, group: Sequence[Watched], sweeps: bool) -> None:
        ids = [watched.run_id for watched in group]
        by_last: dict[int, list[int]] = defaultdict(list)
        for watched in group:
            by_last[watched.last].append(watched.run_id)
        newer = [Q(run_id__in=those, number__gt=last) for last, those in by_last.items()]
        with tenant_transaction(tenant_id):
            if sweeps:
                runs_interrupt_if_silent(tenant_id=tenant_id, run_ids=ids)
            # The states before the events: the last events of a run that is over are seen.
            states = dict(Run.objects.filter(pk__in=ids).values_list("pk", "state"))
            events = list(RunEvent.objects.filter(reduce(or_, newer)).order_by("number"))
        runs = {watched.run_id: watched for watched in group}
        with self._changed:
            for event in events:
                runs[event.run_id].events.append(event)
            for watched in group:
                watched.state = states.get(watched.run_id, Run.State.INTERRUPTED)
            self._changed.notify_all()

    def _give_up(self, error: Exception) -> None:
        with self._changed:
            for watched in self._runs.values():
                watched.error = error
            self._runs.clear()
            self._changed.notify_all()
