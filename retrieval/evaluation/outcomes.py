"""Figures of one question under one preset, and of a preset over all questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from retrieval.evaluation.scores import DEPTHS, hit_at, precision_recall
from retrieval.evaluation.statistics import mean, quantile


@dataclass(frozen=True, slots=True)
class QuestionOutcome:
    """``first_rank`` is that of the first hit with evidence, from 1; None without one or without
    gold. ``recall`` is the share of gold in the answer's prompt, None without gold. Tokens are None
    where a provider counted none. ``missed``: not escalated although evidence was missing.
    ``by_phase`` are tokens by purpose.
    """

    id: str
    answerable: bool
    has_gold: bool
    first_rank: int | None
    recall: float | None
    exact: bool
    f1: float
    abstained: bool
    citations: int
    valid_citations: int
    gold_citations: int
    prompt_tokens: int | None
    completion_tokens: int | None
    calls: int
    rounds: int
    escalated: bool
    missed: bool
    seconds: float
    error: str = ""
    by_phase: Mapping[str, int] = field(default_factory=dict)

    @property
    def tokens(self) -> int | None:
        """Prompt and completion together."""
        if self.prompt_tokens is None or self.completion_tokens is None:
            return None
        return self.prompt_tokens + self.completion_tokens


def summary(outcomes: Sequence[QuestionOutcome]) -> dict[str, object]:
    """Return a preset's figures over its questions, JSON-ready (the contract of `evaluate`).

    Means over nothing are None, and so are token figures if any question's are unknown.
    """
    gold = [one for one in outcomes if one.has_gold]
    figures: dict[str, object] = {
        "questions": len(outcomes),
        "with_gold": len(gold),
        "errors": sum(bool(one.error) for one in outcomes),
        "tokens_per_question": _mean_known([one.tokens for one in outcomes]),
        "prompt_tokens": _mean_known([one.prompt_tokens for one in outcomes]),
        "completion_tokens": _mean_known([one.completion_tokens for one in outcomes]),
        "tokens_by_phase": _phases(outcomes),
        "calls": _mean([one.calls for one in outcomes]),
        "rounds": _mean([one.rounds for one in outcomes]),
        "seconds_p50": quantile([one.seconds for one in outcomes], 0.5),
        "seconds_p95": quantile([one.seconds for one in outcomes], 0.95),
    }
    for depth in DEPTHS:
        hits = [float(hit_at(one.first_rank, depth)) for one in gold]
        figures[f"evidence_hit_at_{depth}"] = _mean(hits)
    return figures | _quality(outcomes, gold)


def _quality(
    outcomes: Sequence[QuestionOutcome], gold: Sequence[QuestionOutcome]
) -> dict[str, object]:
    answered = [one for one in outcomes if one.answerable and not one.error]
    precision, recall = precision_recall(
        [one.abstained for one in outcomes], [not one.answerable for one in outcomes]
    )
    citations = sum(one.citations for one in outcomes)
    return {
        "evidence_recall": _mean([one.recall or 0.0 for one in gold]),
        "answer_f1": _mean([one.f1 for one in answered]),
        "answer_em": _mean([float(one.exact) for one in answered]),
        "abstention_precision": precision,
        "abstention_recall": recall,
        "citations": citations,
        "citation_validity": _share(sum(one.valid_citations for one in outcomes), citations),
        "citation_precision": _share(
            sum(one.gold_citations for one in gold), sum(one.citations for one in gold)
        ),
        "escalation_rate": _mean([float(one.escalated) for one in outcomes]),
        "false_no_escalation": _mean([float(one.missed) for one in gold]),
    }


def _mean(values: Sequence[float]) -> float | None:
    return mean(values) if values else None


def _mean_known(values: Sequence[int | None]) -> float | None:
    known = [value for value in values if value is not None]
    return mean(known) if known and len(known) == len(values) else None


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _phases(outcomes: Sequence[QuestionOutcome]) -> dict[str, float]:
    phases = sorted({phase for one in outcomes for phase in one.by_phase})
    return {phase: mean([one.by_phase.get(phase, 0) for one in outcomes]) for phase in phases}
