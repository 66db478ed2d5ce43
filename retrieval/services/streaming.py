"""Following a run: what is stored so far, then what comes, until it is over.

The run executes in a bounded pool of threads of this process; whoever follows it only reads rows,
so a reload or a second tab shows the same and calls nothing twice. Frames carry whole snapshots:
a follower that comes late or reconnects misses nothing.
"""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from django.conf import settings

from accounts.connections import release_connection
from accounts.tenancy import tenant_transaction
from retrieval.models import Run, RunEvent
from retrieval.services.runs import run_execute

POLL_S = 0.15
SILENCE_S = 15.0
"""A frame at least this often, so that proxies do not close the stream and a closed one is seen."""


@dataclass(frozen=True, slots=True)
class StreamFrame:
    """A step in words, the whole answer so far, or the end ("done" whatever the outcome was).

    `alive` says nothing new; it keeps the connection.
    """

    kind: Literal["step", "answer", "done", "failed", "alive"]
    text: str = ""
    answer: str = ""
    citations: tuple[int, ...] = field(default=())


def run_start(*, tenant_id: int, run_id: int) -> None:
    """Have a queued run executed in this process soon; a second call changes nothing."""
    _pool().submit(_execute, tenant_id, run_id)


def run_stream(*, tenant_id: int, run_id: int) -> Iterator[StreamFrame]:
    """Yield frames until the run is over, from its first event on; starts it if nobody has.

    Holds no connection between frames. Closing the iterator leaves the run alone.
    """
    seen, answer = 0, ""
    citations: tuple[int, ...] = ()
    state = _state(tenant_id, run_id)
    if state == Run.State.QUEUED:
        run_start(tenant_id=tenant_id, run_id=run_id)
    last_frame = time.monotonic()
    while True:
        # The state is read before the events, so the last events of a run that is over are seen.
        state = _state(tenant_id, run_id)
        for event in _events(tenant_id, run_id, seen):
            seen = event.number
            if event.kind == "answer":
                answer = event.payload["text"]
            elif event.kind == "citation":
                citations = (*citations, event.payload["number"])
            yield _frame(event, answer, citations)
            last_frame = time.monotonic()
        if state not in (Run.State.QUEUED, Run.State.RUNNING):
            yield StreamFrame("failed" if state == Run.State.FAILED else "done")
            return
        if time.monotonic() - last_frame > SILENCE_S:
            yield StreamFrame("alive")
            last_frame = time.monotonic()
        time.sleep(POLL_S)


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
        case "finished":
            return f"Answered with {_count(payload['citations'], 'verified quote')}"
        case "abstained":
            return "No answer found in the documents"
        case "failed":
            return str(payload["sentence"])
    return "Working"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _execute(tenant_id: int, run_id: int) -> None:
    try:
        run_execute(tenant_id=tenant_id, run_id=run_id)
    finally:
        release_connection()


def _state(tenant_id: int, run_id: int) -> str:
    with tenant_transaction(tenant_id):
        state = Run.objects.filter(pk=run_id).values_list("state", flat=True).first()
    release_connection()
    return state or Run.State.INTERRUPTED


def _events(tenant_id: int, run_id: int, after: int) -> list[RunEvent]:
    with tenant_transaction(tenant_id):
        events = list(RunEvent.objects.filter(run_id=run_id, number__gt=after).order_by("number"))
    release_connection()
    return events


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(settings.ANSWER_THREADS, thread_name_prefix="answer")
