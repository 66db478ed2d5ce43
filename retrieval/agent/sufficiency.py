"""Whether a draft may be shown as the answer: the model's own verdict, and what code can check."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.agent.checking import Checked
from retrieval.agent.reasoner import Draft

NOT_QUOTED = "An answer was found, but its quotes could not be verified in the documents."
UNSUPPORTED = "A number of the answer stands in none of its quotes."
INSUFFICIENT = "The passages found do not answer the question."


@dataclass(frozen=True, slots=True)
class Verdict:
    """``missing`` is what a further search should aim at; ``reason`` a sentence for the reader."""

    sufficient: bool
    missing: tuple[str, ...] = ()
    reason: str = ""


def judge(draft: Draft, checked: Checked) -> Verdict:
    """Return the verdict on a checked draft (VikingRAG's conditions for escalating, and ours).

    Insufficient: said so, something is missing, a constraint is not met or is said to be met
    without a verified quote from the evidence it names, no quote was verified, or a number of the
    answer is in no quote.
    """
    unmet = (*draft.missing, *unmet_needs(draft, checked))
    missing = tuple(dict.fromkeys(unmet))
    if not draft.answer or not draft.sufficient or missing:
        return Verdict(False, missing, draft.reason or INSUFFICIENT)
    if not checked.citations:
        return Verdict(False, missing, NOT_QUOTED)
    if checked.unsupported:
        return Verdict(False, checked.unsupported, UNSUPPORTED)
    return Verdict(True)


def unmet_needs(draft: Draft, checked: Checked) -> tuple[str, ...]:
    """Return the needs that no verified quote meets.

    A constraint that names no evidence is met by any verified quote.
    """
    verified = {citation.block.number for citation in checked.citations}
    return tuple(
        one.need
        for one in draft.constraints
        if not one.met or not verified or (one.evidence and verified.isdisjoint(one.evidence))
    )
