"""How far an answer of one round is trusted, from what is known without asking a model again.

A number from 0 to 1 whose order alone counts: it is no probability. Below which cut an answer goes
on to the agent is calibrated for each base from audits (retrieval/services/experience), as vCache
(arXiv 2502.03771) learns its thresholds. The parts are the signals that design 7 and VikingRAG's
conditions for escalating name; their weights are ours and not fitted, the cut is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from retrieval.agent.checking import Checked, Citation
from retrieval.agent.evidence import Hit
from retrieval.agent.reasoner import Draft, Signals
from retrieval.agent.sufficiency import unmet_needs

NEEDS, QUOTES, RANK, LIKENESS, REMEMBERED = 0.3, 0.2, 0.2, 0.2, 0.1
"""Weights of the parts; their sum is 1."""

UNTOLD = 0.5
"""A part that nobody can tell: no constraint was named, no likeness was measured."""


def confidence_of(
    draft: Draft,
    checked: Checked,
    signals: Signals,
    remembered: Collection[str] = (),
) -> float:
    """Return the confidence in an answer, 0 without a verified quote.

    ``remembered`` are the paths of places that answered a similar question and stand unchanged.
    """
    if not checked.citations:
        return 0.0
    cited = [hit for hit in signals.hits if is_cited(hit, checked)]
    is_remembered = any(one.leaf.path in remembered for one in checked.citations)
    return (
        NEEDS * _needs(draft, checked)
        + QUOTES * _quotes(checked)
        + RANK * _rank(checked.citations)
        + LIKENESS * _likeness(cited, signals)
        + REMEMBERED * is_remembered
    )


def is_cited(hit: Hit, checked: Checked) -> bool:
    """Return whether a citation lies, in part at least, inside the hit."""
    return any(
        citation.block.version_id == hit.version_id
        and citation.start < hit.end
        and hit.start < citation.end
        for citation in checked.citations
    )


def _needs(draft: Draft, checked: Checked) -> float:
    """The share of the constraints that verified quotes meet, as for the verdict."""
    needs = len(draft.constraints)
    return 1 - len(unmet_needs(draft, checked)) / needs if needs else UNTOLD


def _quotes(checked: Checked) -> float:
    """The share of the quotes that were found, the less the fewer they are: 1 of 1 is a half."""
    found = len(checked.citations)
    return found / (found + len(checked.rejected) + 1)


def _rank(citations: Sequence[Citation]) -> float:
    """The mean of 1 / rank of the best hit in what is cited."""
    return sum(1 / max(1, one.block.rank) for one in citations) / len(citations)


def _likeness(cited: Sequence[Hit], signals: Signals) -> float:
    """How far the cited hit most like the question stands out: 0 as any entry of the base, 1 as
    the question itself. Cosines of different models are comparable only so."""
    measured = [hit.dense for hit in cited if hit.dense is not None]
    background = signals.background
    if not measured or background is None or background >= 1:
        return UNTOLD
    return min(1.0, max(0.0, (max(measured) - background) / (1 - background)))
