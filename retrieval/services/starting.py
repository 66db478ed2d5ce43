"""Having runs executed: in a bounded pool of threads of this process, each run once.

A question starts its run as soon as it is committed, whether somebody follows it or not.
"""

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from django.conf import settings
from django.db import transaction

from accounts.connections import release_connection
from retrieval.models import Run
from retrieval.services.computing import ANSWERS
from retrieval.services.runs import run_create, run_execute

_WAITING: set[int] = set()
"""Runs that wait for their turn in this process."""

_LOCK = threading.Lock()


def run_ask(**fields: Any) -> Run:
    """Create a run as `run_create` does, and have it begin by itself when it is committed.

    Raises QuestionRefused.
    """
    run = run_create(**fields)
    transaction.on_commit(lambda: run_start(tenant_id=run.tenant_id, run_id=run.pk))
    return run


def run_start(*, tenant_id: int, run_id: int) -> None:
    """Have a queued run executed in this process soon; a second call changes nothing."""
    with _LOCK:
        if run_id in _WAITING:
            return
        _WAITING.add(run_id)
    _pool().submit(_execute, tenant_id, run_id)


def _execute(tenant_id: int, run_id: int) -> None:
    try:
        with ANSWERS.taken():
            with _LOCK:
                _WAITING.discard(run_id)
            run_execute(tenant_id=tenant_id, run_id=run_id)
    finally:
        release_connection()


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(settings.ANSWER_THREADS, thread_name_prefix="answer")
