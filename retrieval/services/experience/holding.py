"""Questions held while their edges are written, so that nobody's change is overwritten.

Whoever reads edges in order to write them holds their questions first: all at once and in one
order, so that no two wait for each other, and what is read afterwards is what stands.
"""

from collections.abc import Iterable

from django.db.models import QuerySet

from retrieval.models import ExperienceEdge, ExperienceQuestion


def questions_hold(questions: QuerySet[ExperienceQuestion]) -> None:
    """Wait for questions and hold them until the open transaction ends."""
    held = questions.select_for_update(no_key=True).order_by("pk")
    list(held.values_list("pk", flat=True))


def edges_hold(edges: Iterable[ExperienceEdge]) -> list[ExperienceEdge]:
    """Hold the questions of edges; return the edges as they are then, with their documents."""
    rows = list(edges)
    questions = {edge.question_id for edge in rows}
    questions_hold(ExperienceQuestion.objects.filter(pk__in=questions))
    now = ExperienceEdge.objects.filter(pk__in=[edge.pk for edge in rows])
    return list(now.select_related("document").order_by("pk"))
