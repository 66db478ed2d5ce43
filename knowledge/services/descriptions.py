"""Describing figures in the background, after their version is published, and finding them by it.

A figure is claimed by moving its `due_at` ahead, so that a worker that dies leaves it for later.
No transaction is open while a model or an embedder works.
"""

import logging
from datetime import timedelta

from django.db.models import F
from django.utils import timezone
from django_q.tasks import async_task

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.embedding import EmbeddingError
from knowledge.figure_describers import FigureDescriber, FigureView, NotDescribed, describer_for
from knowledge.models import Figure, KnowledgeBase, Node
from knowledge.queue import queue_length
from knowledge.services.claims import LostClaim
from knowledge.services.figure_index import figure_index, headings_of
from knowledge.services.serving import ModelChanged

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
AGAIN_AFTER = timedelta(minutes=10)
"""Longer than one call of a model may take with its repetitions."""

BATCH = 20
"""Figures a task: what is left goes into another one, behind the documents that wait."""

LONGEST = 4_000
"""Characters of a description that are kept."""


def figures_describe(*, tenant_id: int, version_id: int) -> None:
    """Describe and index the version's figures that are due; nothing if it is not current.

    Raises nothing for a model or an embedder that fails: the figures come again, at most
    `MAX_ATTEMPTS` times to the model.
    """
    with tenant_transaction(tenant_id):
        waiting = Figure.objects.filter(version_id=version_id).unfinished(timezone.now())
        ids = list(waiting.order_by("number").values_list("pk", flat=True)[: BATCH + 1])
        base = KnowledgeBase.objects.filter(documents__versions=version_id).first()
    if base is None:
        return
    describer = describer_for(base)
    for figure_id in ids[:BATCH]:
        _describe(tenant_id, figure_id, describer)
        try:
            figure_index(tenant_id, figure_id)
        except (EmbeddingError, ModelChanged, LostClaim) as failure:
            logger.warning("Figure %s is not indexed yet: %r", figure_id, failure)
            return  # the sweeper comes back to it
    if len(ids) > BATCH:
        _enqueue(tenant_id, version_id)


def figures_queue(*, tenant_id: int, version_id: int) -> bool:
    """Queue the description of a version's figures; return whether there is anything to do."""
    with tenant_transaction(tenant_id):
        waiting = Figure.objects.filter(version_id=version_id).unfinished(timezone.now())
        if not waiting.exists():
            return False
    _enqueue(tenant_id, version_id)
    return True


def figures_sweep(*, tenant: Tenant) -> int:
    """Queue what dead workers and failing models left in a tenant; return how many versions."""
    with tenant_transaction(tenant):
        waiting = Figure.objects.unfinished(timezone.now())
        versions = list(waiting.order_by("version").values_list("version", flat=True).distinct())
        if not versions or queue_length():
            return 0
    for version_id in versions:
        _enqueue(tenant.pk, version_id)
    return len(versions)


def _enqueue(tenant_id: int, version_id: int) -> None:
    """Send the message; one that is lost is sent again by the sweeper."""
    async_task("knowledge.tasks.describe_figures", tenant_id, version_id)


def _describe(tenant_id: int, figure_id: int, describer: FigureDescriber | None) -> None:
    """Ask the model about one figure, if it is due and nobody else does."""
    now = timezone.now()
    with tenant_transaction(tenant_id):
        rows = Figure.objects.filter(pk=figure_id)
        if describer is None:
            rows.due(now).update(due_at=None)
            return
        if not rows.due(now).update(attempts=F("attempts") + 1, due_at=now + AGAIN_AFTER):
            return
        figure = rows.select_related("node", "version").get()
        view = _view(figure)
    try:
        description = describer.describe(view)[:LONGEST]
    except NotDescribed as failure:
        logger.warning("Figure %s was not described: %s", figure_id, failure)
        description = ""
        if not failure.is_final and figure.attempts < MAX_ATTEMPTS:
            return
    with tenant_transaction(tenant_id):
        by = describer.name[:100] if description else ""
        Figure.objects.filter(pk=figure_id).update(
            description=description, described_by=by, due_at=None
        )


def _view(figure: Figure) -> FigureView:
    node: Node = figure.node
    return FigureView(
        data=bytes(figure.content),
        media_type=figure.media_type,
        caption=node.text,
        headings=headings_of(node),
        language=figure.version.language,
    )
