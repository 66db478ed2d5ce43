"""The hand-over to django-q2: ids only, in the transaction that creates the run."""

from django.conf import settings
from django.db import transaction
from django_q.brokers import get_broker
from django_q.tasks import async_task

from knowledge.models import IngestionRun, Reembedding


def enqueue_ingestion(run: IngestionRun) -> None:
    """Queue a run; with the ORM broker the message commits or vanishes together with it.

    A broker outside of the database gets it after the commit instead; should the process die in
    between, the sweeper finds the run by its `enqueued_at`.
    """
    _enqueue("knowledge.tasks.ingest", run.tenant_id, run.pk)


def enqueue_reembedding(change: Reembedding) -> None:
    """Queue the change of a base's embedding model, in the same way."""
    _enqueue("knowledge.tasks.reembed", change.tenant_id, change.pk)


def _enqueue(task: str, tenant_id: int, row_id: int) -> None:
    def send() -> None:
        async_task(task, tenant_id, row_id)

    if "orm" in settings.Q_CLUSTER:
        send()
    else:
        transaction.on_commit(send)


def queue_length() -> int:
    """Return how many messages wait for a worker."""
    return int(get_broker().queue_size())
