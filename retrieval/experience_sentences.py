"""What experience is worth, in sentences for pages."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from knowledge.ingest.plurals import counted
from retrieval.models import ExperienceEdge, ExperienceQuestion
from retrieval.services.experience.calibrating import AuditRate
from retrieval.services.experience.statistics import LEAST_RUNS, Saving, Statistics

State = ExperienceEdge.State
_STATES = {
    State.ACTIVE: "active",
    State.SUSPECT: "suspect",
    State.STALE: "stale",
    State.BLOCKED: "blocked",
    State.DISABLED: "disabled",
}
_ORIGINS = {
    ExperienceQuestion.Origin.LIVE: "asked by people",
    ExperienceQuestion.Origin.SYNTHETIC: "made up for sections",
    ExperienceQuestion.Origin.IMPORT: "imported",
}


def statistics_lines(numbers: Statistics) -> list[tuple[str, str]]:
    """Return what there is to tell as pairs of a name and a sentence."""
    lines = [
        ("Questions learnt", _parts(numbers.questions, _ORIGINS)),
        ("Places they lead to", _parts(numbers.edges, _STATES)),
        ("Used in the last 30 days", _hits(numbers)),
        ("Tokens saved", saving_sentence(numbers.saving)),
    ]
    if numbers.median_age is not None:
        lines.append(("Median age of the places in use", _age(numbers.median_age)))
    if told := audit_sentence(numbers.audits):
        lines.append(("Checked by the agent", told))
    return lines


def audit_sentence(audits: AuditRate) -> str:
    """Return how often the agent found something else than one search had, '' without checks."""
    parts = []
    if audits.compared:
        rate = audits.rate
        parts.append(
            f"{counted(audits.compared, 'answer')}; the agent found something else for "
            f"{audits.false:,}: {100 * rate.mean:.0f} %, with 95 % certainty between "
            f"{100 * rate.low:.0f} % and {100 * rate.high:.0f} %"
        )
    others = ((audits.unclear, "not comparable"), (audits.waiting, "waiting"))
    named = [f"{count:,} {name}" for count, name in (*others, (audits.failed, "failed")) if count]
    if named:
        parts.append(", ".join(named))
    return f"{'. '.join(parts)}." if parts else ""


def saving_sentence(saving: Saving) -> str:
    """Return what was saved, with the number of runs it rests on, or that they are too few."""
    aided = counted(saving.aided, "answer")
    if saving.tokens is None:
        return (
            f"Not enough runs yet: {aided} with experience and {saving.unaided:,} without, of "
            f"{LEAST_RUNS} each that are needed."
        )
    worth = f"{saving.tokens:,}" if saving.tokens >= 0 else f"none; {-saving.tokens:,} more spent"
    return f"{worth} in {aided} with experience, by the median of {saving.unaided:,} without."


def _parts(numbers: Mapping[str, int], names: Mapping[Any, str]) -> str:
    parts = [f"{numbers[key]:,} {name}" for key, name in names.items() if numbers.get(key)]
    total = sum(numbers.values())
    return f"{total:,}: {', '.join(parts)}." if parts else "None yet."


def _hits(numbers: Statistics) -> str:
    if numbers.hit_rate is None:
        return "No question was answered by a preset that uses experience."
    finished = counted(numbers.finished, "answer")
    return f"In {numbers.remembered:,} of {finished} ({100 * numbers.hit_rate:.0f} %)."


def _age(age: timedelta) -> str:
    return f"{counted(age.days, 'day')}." if age.days else "Less than a day."
