"""Edges switched off and on: by readers, whose runs are noted, and by operators.

An edge that an operator has disabled stays so whatever readers say, and one that is enabled while
a reader's verdict stands is blocked. All in an open transaction, which holds the edges' questions.
"""

from collections.abc import Iterable

from retrieval.models import ExperienceEdge
from retrieval.services.experience.holding import edges_hold
from retrieval.services.experience.rebinding import BATCH, edges_bind

State = ExperienceEdge.State


def edges_block(edges: Iterable[ExperienceEdge], run_number: int) -> None:
    """Let edges be used no more, by the verdict on a run."""
    rows = edges_hold(edges)
    for edge in rows:
        edge.blocked_by = sorted({*edge.blocked_by, run_number})
        if edge.state != State.DISABLED:
            edge.state = State.BLOCKED
    ExperienceEdge.objects.bulk_update(rows, ["state", "blocked_by"], batch_size=BATCH)


def edges_unblock(run_number: int) -> None:
    """Take back what the verdict on a run has blocked, where no other verdict blocks it too."""
    rows = edges_hold(ExperienceEdge.objects.filter(blocked_by__contains=[run_number]))
    for edge in rows:
        edge.blocked_by = [number for number in edge.blocked_by if number != run_number]
    ExperienceEdge.objects.bulk_update(rows, ["blocked_by"], batch_size=BATCH)
    edges_bind(edge for edge in rows if edge.state == State.BLOCKED and not edge.blocked_by)


def edges_disable(edges: Iterable[ExperienceEdge]) -> int:
    """Let edges be used no more, by an operator; return how many were not disabled before."""
    rows = [edge for edge in edges_hold(edges) if edge.state != State.DISABLED]
    for edge in rows:
        edge.state = State.DISABLED
    ExperienceEdge.objects.bulk_update(rows, ["state"], batch_size=BATCH)
    return len(rows)


def edges_enable(edges: Iterable[ExperienceEdge]) -> int:
    """Let disabled edges be used again, bound to their documents as they are now.

    Return how many of them were disabled; the others stay as they are.
    """
    rows = [edge for edge in edges_hold(edges) if edge.state == State.DISABLED]
    blocked = [edge for edge in rows if edge.blocked_by]
    for edge in blocked:
        edge.state = State.BLOCKED
    ExperienceEdge.objects.bulk_update(blocked, ["state"], batch_size=BATCH)
    edges_bind(edge for edge in rows if not edge.blocked_by)
    return len(rows)
