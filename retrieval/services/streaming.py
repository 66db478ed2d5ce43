"""Following a run: what is stored so far, then what comes, until it is over.

The run executes elsewhere (services/starting.py); whoever follows it only reads rows, so a reload
or a second tab shows the same and calls nothing twice. Frames carry whole snapshots: a follower
that comes late or reconnects misses nothing.

A stream holds a thread of the web process. So three quarters of the threads at most
stream, each for `LONGEST_S` at most; the browser then comes again by itself.
"""

import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from django.conf import settings

from accounts.connections import release_connection
from accounts.tenancy import tenant_transaction
from retrieval.models import Run, RunEvent
from retrieval.services.starting import run_start
from retrieval.services.sweeping import is_silent, runs_interrupt_if_silent
from retrieval.services.watching import Watcher

SILENCE_S = 15.0
"""A frame at least this often, so that proxies do not close the stream and a closed one is seen."""

LONGEST_S = 90.0
"""Then the follower makes room for one that waits; coming again, it misses nothing."""

WAITING = "Waiting to begin"


@dataclass(frozen=True, slots=True)
class StreamFrame:
    """A step in words, the whole answer so far, or the end ("done" whatever the outcome was).

    `waiting` says that no step was taken yet; `alive` says nothing new and keeps the connection;
    `later` ends a stream whose run goes on.
    """

    kind: Literal["waiting", "step", "answer", "done", "failed", "alive", "later"]
    text: str = ""
    answer: str = ""
    citations: tuple[int, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Seen:
    """What is stored of a run when somebody begins to follow it."""

    state: str
    events: tuple[RunEvent, ...] = ()


def run_look(run: Run) -> Seen:
    """Return what is stored of a run that was just read, in its open transaction.

    One whose process is dead is marked so. The state is read before the events, so the last events
    of a run that is over are seen.
    """
    if run.state == Run.State.QUEUED:
        return Seen(run.state)
    state = run.state
    if is_silent(run) and runs_interrupt_if_silent(tenant_id=run.tenant_id, run_ids=[run.pk]):
        state = Run.State.INTERRUPTED
    return Seen(state, tuple(RunEvent.objects.filter(run=run).order_by("number")))


def run_stream(*, tenant_id: int, run_id: int, seen: Seen | None = None) -> Iterator[StreamFrame]:
    """Yield frames until the run is over, from its first event on; starts it if nobody has.

    The first comes from what the caller has ``seen``, without asking the database. Ends with
    `later` after `LONGEST_S`, or at once where too many streams are open; a run that is over is
    always replayed. Holds no connection between frames. Closing the iterator leaves the run alone.
    """
    seen = seen or _seen(tenant_id, run_id)
    release_connection()
    if seen.state == Run.State.QUEUED:
        run_start(tenant_id=tenant_id, run_id=run_id)
    frames = _Frames()
    if seen.state not in _UNFINISHED:
        yield from frames.of(seen.events)
        yield _end(seen.state)
    elif _room().acquire(blocking=False):
        try:
            if not seen.events:
                yield StreamFrame("waiting", WAITING)
            yield from frames.of(seen.events)
            yield from _follow(tenant_id, run_id, frames)
        finally:
            _room().release()
    else:
        yield StreamFrame("later")


@dataclass(slots=True)
class _Frames:
    """Frames of events, with what the ones before said; ``seen`` is the last one's number."""

    seen: int = 0
    answer: str = ""
    citations: tuple[int, ...] = ()

    def of(self, events: Iterable[RunEvent]) -> Iterator[StreamFrame]:
        for event in events:
            self.seen = event.number
            if event.kind == "answer":
                self.answer = event.payload["text"]
            elif event.kind == "citation":
                self.citations = (*self.citations, event.payload["number"])
            yield _frame(event, self.answer, self.citations)


def _follow(tenant_id: int, run_id: int, frames: _Frames) -> Iterator[StreamFrame]:
    until = time.monotonic() + LONGEST_S
    with _watcher().following(tenant_id, run_id) as watched:
        while time.monotonic() < until:
            if not _watcher().wait(watched, frames.seen, SILENCE_S):
                yield StreamFrame("alive")
            yield from frames.of(watched.after(frames.seen))
            if watched.is_over:
                yield from frames.of(watched.after(frames.seen))
                yield _end(watched.state)
                return
    yield StreamFrame("later")


_UNFINISHED = (Run.State.QUEUED, Run.State.RUNNING)


def _seen(tenant_id: int, run_id: int) -> Seen:
    with tenant_transaction(tenant_id):
        run = Run.objects.filter(pk=run_id).first()
        return run_look(run) if run else Seen(Run.State.INTERRUPTED)


@cache
def _watcher() -> Watcher:
    return Watcher()


@cache
def _room() -> threading.BoundedSemaphore:
    return threading.BoundedSemaphore(max(1, settings.ENV.web_threads * 3 // 4))


def _end(state: str) -> StreamFrame:
    return StreamFrame("failed" if state == Run.State.FAILED else "done")


def _frame(event: RunEvent, answer: str, citations: tuple[int, ...]) -> StreamFrame:
    if event.kind in ("answer", "citation"):
        return StreamFrame("answer", answer=answer, citations=citations)
    return StreamFrame("step", text=step_text(event))


def step_text(event: RunEvent) -> str:
    """Return an event in words, for the line above the answer."""
    payload = event.payload
    match event.kind:
        case "started":
            return "Searching"
        case "searched":
            return f"Found {_count(payload['hits'], 'passage')} in " + _count(
                len(payload["documents"]), "document"
            )
        case "assembled":
            return f"Reading {_count(payload['blocks'], 'passage')}"
        case "rewritten":
            return f"Understood as: {payload['question']}"
        case "remembered":
            return f"Remembered {_count(len(payload['paths']), 'place')} of a similar question"
        case "little_history":
            return (
                f"Exploring: {payload['learned']} of {payload['needed']} questions are learnt "
                "that one search would rely on"
            )
        case "planned":
            return f"Looking in {_count(len(payload['queries']), 'way')}"
        case "drafted":
            return "Checking the quotes"
        case "escalated":
            return "Looking further"
        case "tool":
            return f"Used {payload['name']}: {_count(payload['items'], 'result')}"
        case "voted":
            return f"Drew {_count(payload['ballots'], 'answer')}; {payload['winners']} agree"
        case "finished":
            return f"Answered with {_count(payload['citations'], 'verified quote')}"
        case "abstained":
            return "Ended without an answer"
        case "failed":
            return str(payload["sentence"])
    return "Working"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
