"""Credit of edges: each run that was given a place, and whether it has cited it."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.utils import timezone

from knowledge.models import Node
from retrieval.experience.credit import Credit
from retrieval.models import Citation, ExperienceEdge, Run, RunEvent
from retrieval.services.experience.holding import edges_hold
from retrieval.services.experience.rebinding import BATCH

WRITTEN = ["successes", "failures", "credited_at", "used_at", "uses"]
WRITTEN += ["content_hash", "version", "state"]


def credit_of(edge: ExperienceEdge, at: datetime) -> Credit:
    """Return what is left of an edge's credit at a moment."""
    credit = Credit(edge.successes, edge.failures)
    return credit.after((at - edge.credited_at) / timedelta(days=1))


def edges_given(run: Run) -> frozenset[int]:
    """Return the keys of the edges that a run was given, some of which may be gone."""
    given = RunEvent.objects.filter(run=run, kind="remembered")
    payloads = given.values_list("payload", flat=True)
    return frozenset(int(edge) for payload in payloads for edge in payload.get("edges", ()))


def edges_credit(edges: Iterable[ExperienceEdge], cited: Mapping[str, Node]) -> set[str]:
    """Count a use for each edge, verified or not; return the paths that were.

    Their questions are held. A suspect edge whose place was cited is active again, bound to the
    text as it is now.
    """
    reached, now, rows = set(), timezone.now(), list(edges)
    for edge in rows:
        node = cited.get(edge.path)
        credit = credit_of(edge, now).counting(cited=bool(node))
        edge.successes, edge.failures = credit.successes, credit.failures
        edge.credited_at = edge.used_at = now
        edge.uses += 1
        if node is not None:
            reached.add(edge.path)
            edge.content_hash, edge.version_id = node.content_hash, node.version_id
            if edge.state == ExperienceEdge.State.SUSPECT:
                edge.state = ExperienceEdge.State.ACTIVE
    ExperienceEdge.objects.bulk_update(rows, WRITTEN, batch_size=BATCH)
    return reached


def failures_count(run: Run) -> None:
    """Count against edges that a run which teaches nothing was given them and cites them not.

    What a bad answer cites is no success, and is blocked besides. In an open transaction.
    """
    cited = Citation.objects.filter(run=run).values("path")
    given = ExperienceEdge.objects.filter(pk__in=edges_given(run))
    edges_credit(edges_hold(given.exclude(path__in=cited)), {})
