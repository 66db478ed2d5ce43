"""Several drawn answers made one: clusters of equal values, the largest wins.

KohakuRAG (arXiv 2603.07612) compares strings; here values are compared by type, so that 1,500 kg
and 1.5 t, or two spellings of a date, are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from retrieval.agent.values import same_value, value_of

Sample = TypeVar("Sample")


@dataclass(frozen=True, slots=True)
class Ballot(Generic[Sample]):
    """A sample with the value and unit it gave; ``blank`` when it gave no answer."""

    sample: Sample
    value: str
    unit: str = ""
    blank: bool = False


@dataclass(frozen=True, slots=True)
class Result(Generic[Sample]):
    """The winning cluster, the first drawn first; empty when every ballot was blank."""

    winners: tuple[Sample, ...]
    ballots: int
    blanks: int

    @property
    def agreement(self) -> float:
        """The winners' share of the ballots, 0 to 1."""
        return len(self.winners) / self.ballots if self.ballots else 0.0


def vote(ballots: Sequence[Ballot[Sample]]) -> Result[Sample]:
    """Return the largest cluster; of equal ones the one drawn first.

    Blanks have no vote unless all are blank.
    """
    clusters: list[list[Ballot[Sample]]] = []
    for ballot in ballots:
        if ballot.blank:
            continue
        value = value_of(ballot.value, ballot.unit)
        for cluster in clusters:
            if same_value(value, value_of(cluster[0].value, cluster[0].unit)):
                cluster.append(ballot)
                break
        else:
            clusters.append([ballot])
    winner = max(clusters, key=len, default=[])
    blanks = sum(ballot.blank for ballot in ballots)
    return Result(tuple(one.sample for one in winner), len(ballots), blanks)


def is_decided(ballots: Sequence[Ballot[Sample]], total: int) -> bool:
    """Return whether the ballots still to be drawn cannot change the winner."""
    left = total - len(ballots)
    sizes = sorted((len(vote(ballots).winners), _second(ballots)), reverse=True)
    return sizes[0] > sizes[1] + left if ballots else False


def _second(ballots: Sequence[Ballot[Sample]]) -> int:
    winners = set(map(id, vote(ballots).winners))
    rest = [ballot for ballot in ballots if id(ballot.sample) not in winners]
    return len(vote(rest).winners)
