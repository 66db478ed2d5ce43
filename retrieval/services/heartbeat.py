"""Signs of life of a run while a model answers, and the ear for Stop meanwhile."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from django.conf import settings
from django.db import Error

from accounts.connections import release_connection
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

    def beat(self) -> None:
        """Give a sign of life."""
        ...

    def stop_requested(self) -> bool:
        """Return whether it should stop, or was taken from this process."""
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
def beating(journal: Work) -> Iterator[Cancellation]:
    """Beat every `BEAT_S` seconds until the block ends, by a thread that holds no connection.

    The cancellation is called when someone presses Stop, or the run was taken from this process.
    """
    over, cancellation = threading.Event(), Cancellation()
    parts = (journal, limit_s(journal.tenant_id), over, cancellation)
    thread = threading.Thread(target=_beat, args=parts, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield cancellation
    finally:
        over.set()
        thread.join()


def _beat(journal: Work, limit: float, over: threading.Event, cancellation: Cancellation) -> None:
    began = last_beat = time.monotonic()
    while not over.wait(LISTEN_S):
        now = time.monotonic()
        try:
            if now - began > limit:
                journal.fail(TOO_LONG)
                cancellation.cancel()
                return
            if now - last_beat > BEAT_S:
                journal.beat()
                last_beat = now
            if journal.stop_requested():
                cancellation.cancel()
                return
        except Error:  # the next beat tries again; after silence the run is given up anyway
            logger.warning("Run %s could not give a sign of life.", journal.run_id)
        finally:
            release_connection()
