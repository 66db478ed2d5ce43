"""Signs of life of a run while its reasoner answers, which may take minutes of silence."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error

from accounts.connections import release_connection
from retrieval.services.journal import Journal

logger = logging.getLogger(__name__)

BEAT_S = 5.0
LIMIT_S = 600.0
"""A run that takes longer ends as failed, so that nobody follows a reasoner that never answers."""

TOO_LONG = "The answer took longer than ten minutes and was given up. Please ask again."


@contextmanager
def beating(journal: Journal) -> Iterator[None]:
    """Beat every `BEAT_S` seconds until the block ends, by a thread that holds no connection."""
    over = threading.Event()
    thread = threading.Thread(target=_beat, args=(journal, over), name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat(journal: Journal, over: threading.Event) -> None:
    began = time.monotonic()
    while not over.wait(BEAT_S):
        try:
            if time.monotonic() - began > LIMIT_S:
                journal.fail(TOO_LONG)
                return
            journal.beat()
        except Error:  # the next beat tries again; after silence the run is given up anyway
            logger.warning("Run %s could not give a sign of life.", journal.run_id)
        finally:
            release_connection()
