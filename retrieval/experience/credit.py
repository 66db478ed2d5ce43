"""An edge's credit: verified uses against failures, both fading with time.

Beta(1 + successes, 1 + failures), as in Bayesian bandits; the prior lets a new edge be tried.
"""

from __future__ import annotations

from dataclasses import dataclass

HALF_LIFE_DAYS = 90.0
LEAST = 0.25
"""Below this an edge is not offered any more: of four uses, three led to nothing."""


@dataclass(frozen=True, slots=True)
class Credit:
    """Decayed counts of uses whose place was cited, and of those whose place was not."""

    successes: float = 0.0
    failures: float = 0.0

    @property
    def mean(self) -> float:
        """The expected share of uses that end in a citation, 0 to 1."""
        return (1 + self.successes) / (2 + self.successes + self.failures)

    @property
    def is_trusted(self) -> bool:
        """Whether the edge may still be used."""
        return self.mean >= LEAST

    def after(self, days: float) -> Credit:
        """Return what is left of it after so many days."""
        share = 0.5 ** (max(0.0, days) / HALF_LIFE_DAYS)
        return Credit(self.successes * share, self.failures * share)

    def counting(self, *, cited: bool) -> Credit:
        """Return it with one more use."""
        if cited:
            return Credit(self.successes + 1, self.failures)
        return Credit(self.successes, self.failures + 1)
