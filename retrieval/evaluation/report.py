"""The report of an evaluation: each preset's figures, and the last one's differences to the others.

Its form is the contract of `manage.py evaluate --json`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from retrieval.evaluation.outcomes import QuestionOutcome, summary
from retrieval.evaluation.statistics import paired_difference

Outcomes = Mapping[str, Sequence[QuestionOutcome]]
"""By preset, for the same questions in the same order."""


def report_of(dataset: str, reader: str, outcomes: Outcomes) -> dict[str, Any]:
    """Return the figures as JSON holds them."""
    return {
        "dataset": dataset,
        "reader": reader,
        "questions": max((len(of) for of in outcomes.values()), default=0),
        "presets": {name: summary(of) for name, of in outcomes.items()},
        "differences": _differences(outcomes),
    }


def banded(
    dataset: str, reader: str, outcomes: Outcomes, above: Callable[[int], bool]
) -> dict[str, Any]:
    """Return the report with one for each band: questions like one of the history, and others.

    ``above`` tells it by the question's place. Each band has every preset's tokens as a share of
    the first preset's, None where there are none.
    """
    report = report_of(dataset, reader, outcomes)
    report["bands"] = {}
    for name, wanted in (("above tau", True), ("below tau", False)):
        inside = {
            preset: [one for at, one in enumerate(of) if above(at) is wanted]
            for preset, of in outcomes.items()
        }
        band = report_of(f"{dataset}, {name}", reader, inside)
        band["tokens_share"] = _shares(band["presets"])
        report["bands"][name] = band
    return report


def _shares(presets: Mapping[str, Mapping[str, Any]]) -> dict[str, float | None]:
    tokens = {name: figures["tokens_per_question"] for name, figures in presets.items()}
    first = next(iter(tokens.values()), None)
    return {
        name: value / first if first and value is not None else None
        for name, value in tokens.items()
    }


def _differences(outcomes: Outcomes) -> dict[str, Any]:
    """Return the last preset's paired differences to each other one."""
    *others, ours = outcomes
    found = {}
    for other in others:
        for label, figure in (("tokens", _tokens), ("evidence recall", _recall)):
            difference = paired_difference(
                [figure(one) for one in outcomes[ours]], [figure(one) for one in outcomes[other]]
            )
            found[f"{label}, {ours} - {other}"] = asdict(difference)
    return found


def _tokens(outcome: QuestionOutcome) -> float:
    return float(outcome.tokens or 0)


def _recall(outcome: QuestionOutcome) -> float:
    return outcome.recall or 0.0
