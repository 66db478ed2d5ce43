"""Credit of edges: each run that was given a place, and whether it has cited it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Given:
    """Keys of the edges that a run was given, some of which may be gone, by what it cites."""

    cited: frozenset[int]
    in_vain: frozenset[int]


def edges_given(run: Run) -> Given:
    """Return which edges a run was given, by whether it cites the places they led to then."""
    given = RunEvent.objects.filter(run=run, kind="remembered").values_list("payload", flat=True)
    paths = {
        int(edge): path
        for payload in given
        for edge, path in zip(payload.get("edges", ()), payload.get("paths", ()), strict=False)
    }
    places = set(Citation.objects.filter(run=run).values_list("path", flat=True))
    cited = frozenset(edge for edge, path in paths.items() if path in places)
    return Given(cited, frozenset(paths) - cited)


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
    """Count against edges, once, that a run which teaches nothing was given them in vain.

    What a bad answer cites is no success, and is blocked besides. A verdict that is changed has
    the run looked through again, but what was in vain is so by either. In an open transaction.
    """
    uncounted = Run.objects.filter(pk=run.pk, in_vain_at=None)
    if uncounted.update(in_vain_at=timezone.now()):
        given = ExperienceEdge.objects.filter(pk__in=edges_given(run).in_vain)
        edges_credit(edges_hold(given), {})


def edges_uncounted(run: Run) -> frozenset[int]:
    """Return the edges a run was given that have not been counted against for it."""
    given = edges_given(run)
    is_counted = Run.objects.filter(pk=run.pk).exclude(in_vain_at=None).exists()
    return given.cited if is_counted else given.cited | given.in_vain
