"""Edges after their documents have changed: bound again, suspect, or stale. No model is asked.

A target is found again by the hash of its text, wherever it stands now: its section was moved, or
a heading renamed. Where only its place is left (same path, or same stable key), the text there has
changed and the edge is suspect until a verified run cites it. Else the edge is stale.
"""

from collections.abc import Iterable, Sequence

from django.db.models import TextField, Value
from django.db.models.functions import Cast, Concat

from knowledge.models import KnowledgeBase
from retrieval.models import ExperienceEdge, ExperienceQuestion
from retrieval.models.experience import USABLE
from retrieval.services.experience.holding import questions_hold
from retrieval.services.experience.placing import NOWHERE, edges_place

BATCH = 500


def edges_rebind(base: KnowledgeBase, questions: Sequence[int] | None = None) -> int:
    """Bind outdated edges, of these questions or of the whole base, to the current versions.

    Return how many there were; in an open transaction.
    """
    outdated = ExperienceEdge.objects.outdated().filter(base=base)
    if questions is not None:
        outdated = outdated.filter(question__in=questions)
    rows = list(outdated.order_by("document_id", "pk")[:BATCH])
    held = {edge.question_id for edge in rows}
    questions_hold(ExperienceQuestion.objects.filter(pk__in=held))
    _rebind(rows)
    return len(rows)


def edges_bind(edges: Iterable[ExperienceEdge]) -> None:
    """Let edges, whose questions are held, be used again as far as their targets are still there.

    In an open transaction.
    """
    rows = list(edges)
    for edge in rows:
        edge.state = ExperienceEdge.State.ACTIVE
    ExperienceEdge.objects.bulk_update(rows, ["state"], batch_size=BATCH)
    _rebind(rows)


def _rebind(edges: Sequence[ExperienceEdge]) -> None:
    """Place edges, and with them those of their questions whose places they may take."""
    wanted = {edge.pk for edge in edges}
    documents = {edge.document_id for edge in edges}
    moving: list[ExperienceEdge] = []
    kept: list[ExperienceEdge] = []
    together = ExperienceEdge.objects.filter(question__in={edge.question_id for edge in edges})
    for edge in together.select_related("document").order_by("pk"):
        current = edge.document.current_version_id
        is_settled = edge.version_id == current and edge.state in USABLE
        is_meant = edge.pk in wanted or (edge.document_id in documents and not is_settled)
        (moving if is_meant and current else kept).append(edge)
    edges_place(moving, kept)
    _store(moving)


def _store(edges: Sequence[ExperienceEdge]) -> None:
    """Write in two steps: two edges that change places would meet at one in between."""
    aside = Concat("path", Value(NOWHERE), Cast("pk", TextField()), output_field=TextField())
    ExperienceEdge.objects.filter(pk__in=[edge.pk for edge in edges]).update(path=aside)
    fields = ["state", "version", "path", "stable_key"]
    ExperienceEdge.objects.bulk_update(edges, fields, batch_size=BATCH)
