"""What a base's experience is worth: how much there is, how often it serves, what it has saved."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import (
    Aggregate,
    Count,
    DateTimeField,
    Exists,
    F,
    FloatField,
    OuterRef,
    Q,
    Sum,
)
from django.utils import timezone

from knowledge.models import KnowledgeBase
from retrieval.agent.presets import PRESETS
from retrieval.models import Citation, ExperienceEdge, ExperienceQuestion, Run, RunEvent
from retrieval.models.runs import RunQuerySet
from retrieval.services.experience.calibrating import AuditRate, audit_rate

LEAST_RUNS = 10
"""With and without experience each, before a saving is told: medians of fewer say little."""

WINDOW = timedelta(days=30)


class Median(Aggregate):
    """The middle value, between the two in the middle of an even number (PostgreSQL)."""

    function = "PERCENTILE_CONT"
    template = "%(function)s(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"


class MiddleMoment(Median):
    """The same of moments, which cannot be halved between: the earlier of the two."""

    function = "PERCENTILE_DISC"


@dataclass(frozen=True, slots=True)
class Saving:
    """Tokens that answers with experience took less than the base's own median without.

    ``aided`` runs remembered a place and cited it, ``unaided`` ones remembered none; both are
    answered runs of the presets that use experience. ``tokens``, negative where experience cost
    more, is None while there are fewer than `LEAST_RUNS` of either.
    """

    tokens: int | None
    aided: int
    unaided: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """Numbers of a base; ``questions`` by origin and ``edges`` by state, zeros left out.

    ``remembered`` of ``finished`` runs of the last 30 days were given a place. ``median_age`` is
    that of the edges in use, None without any.
    """

    questions: dict[str, int]
    edges: dict[str, int]
    remembered: int
    finished: int
    saving: Saving
    median_age: timedelta | None
    audits: AuditRate

    @property
    def hit_rate(self) -> float | None:
        """0 to 1; None without runs."""
        return self.remembered / self.finished if self.finished else None


def statistics_of(base: KnowledgeBase) -> Statistics:
    """Return the numbers in six queries, in an open transaction."""
    runs = _runs(base)
    since = runs.filter(finished_at__gt=timezone.now() - WINDOW)
    recent = since.aggregate(all=Count("pk"), aided=Count("pk", filter=Q(has_memory=True)))
    return Statistics(
        questions=_counted(ExperienceQuestion.objects.filter(base=base), "origin"),
        edges=_counted(ExperienceEdge.objects.filter(base=base), "state"),
        remembered=recent["aided"],
        finished=recent["all"],
        saving=_saving(runs),
        median_age=_median_age(base),
        audits=audit_rate(base),
    )


def _runs(base: KnowledgeBase) -> RunQuerySet:
    """Return the finished runs that might have remembered, told apart by whether they did."""
    presets = [name for name, switches in PRESETS.items() if switches.edges]
    memory = RunEvent.objects.filter(run=OuterRef("pk"), kind="remembered")
    runs: RunQuerySet = Run.objects.filter(base=base, preset__in=presets, state=Run.State.DONE)
    return runs.annotate(has_memory=Exists(memory))


def _saving(runs: RunQuerySet) -> Saving:
    memory = RunEvent.objects.filter(
        run=OuterRef("run_id"), kind="remembered", payload__paths__has_key=OuterRef("path")
    )
    cited = Citation.objects.filter(Exists(memory), run=OuterRef("pk"))
    answered = runs.filter(abstained=False).annotate(
        tokens=F("prompt_tokens") + F("completion_tokens"), has_served=Exists(cited)
    )
    unaided, aided = Q(has_memory=False), Q(has_served=True)
    found = answered.filter(tokens__isnull=False).aggregate(
        median=Median("tokens", filter=unaided, output_field=FloatField()),
        unaided=Count("pk", filter=unaided),
        spent=Sum("tokens", filter=aided),
        aided=Count("pk", filter=aided),
    )
    if min(found["aided"], found["unaided"]) < LEAST_RUNS:
        return Saving(None, found["aided"], found["unaided"])
    tokens = round(found["median"] * found["aided"]) - found["spent"]
    return Saving(tokens, found["aided"], found["unaided"])


def _counted(rows: Any, field: str) -> dict[str, int]:
    return dict(rows.order_by(field).values_list(field).annotate(count=Count("pk")))


def _median_age(base: KnowledgeBase) -> timedelta | None:
    edges = ExperienceEdge.objects.usable().filter(base=base)
    made = edges.aggregate(at=MiddleMoment("created_at", output_field=DateTimeField()))["at"]
    return timezone.now() - made if made else None
