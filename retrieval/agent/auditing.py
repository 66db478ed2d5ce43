"""Whether the agent, asked the same question, found what an answer of one round says."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.agent.values import same_value, value_of

NOTHING = "The agent found no answer to compare with."
SAME_VALUE = "The agent found the same value."
SAME_PLACES = "The agent cites the same places."
OTHER_VALUE = "The agent found “{theirs}” and the answer says “{ours}”."
OTHER_PLACES = "The agent cites other places than the answer."


@dataclass(frozen=True, slots=True)
class Given:
    """An answer to compare: its value with the unit, '' without one, and the leaves it cites."""

    value: str
    paths: frozenset[str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """``agrees`` is None where nothing can be compared; ``reason`` is a sentence."""

    agrees: bool | None
    reason: str


def compared(ours: Given, theirs: Given | None) -> Comparison:
    """Return whether the agent's answer (None: it found none) agrees with ours.

    Numbers and dates are compared as such. Words for a value may differ and mean the same, so where
    they do, and where there is no value, what is cited decides. An agent that found nothing would
    not have changed the answer, and does not confirm it either.
    """
    if theirs is None:
        return Comparison(None, NOTHING)
    if ours.value and theirs.value:
        one, other = value_of(ours.value), value_of(theirs.value)
        if same_value(one, other):
            return Comparison(True, SAME_VALUE)
        if not (one.text or other.text):
            return Comparison(False, OTHER_VALUE.format(ours=ours.value, theirs=theirs.value))
    if ours.paths & theirs.paths:
        return Comparison(True, SAME_PLACES)
    return Comparison(False, OTHER_PLACES)
