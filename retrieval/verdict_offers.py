"""What a reader may say of an answer, as its page offers it."""

from dataclasses import dataclass

from retrieval.models import Feedback, Run

Verdict = Feedback.Verdict
_OFFERS = (
    (Verdict.GOOD, "Good answer", "good"),
    (Verdict.BAD, "Not a good answer", "bad"),
    (Verdict.WRONG_SOURCE, "Wrong source", "wrong-source"),
)


@dataclass(frozen=True, slots=True)
class VerdictOffer:
    """A verdict that can be chosen; ``icon`` names its picture."""

    value: str
    label: str
    icon: str
    is_chosen: bool


def verdict_offers(run: Run, *, has_sources: bool) -> tuple[VerdictOffer, ...]:
    """Return the verdicts on a run; an answer without sources has no wrong one."""
    chosen = {one.verdict for one in run.feedback.all()}
    return tuple(
        VerdictOffer(value, label, icon, value in chosen)
        for value, label, icon in _OFFERS
        if has_sources or value != Verdict.WRONG_SOURCE or value in chosen
    )
