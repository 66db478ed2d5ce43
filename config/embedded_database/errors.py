"""What can go wrong with the embedded database, as sentences for the person at the terminal."""

from __future__ import annotations


class EmbeddedDatabaseError(Exception):
    """The embedded database cannot be used: one sentence, then what to do about it."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem} {remedy}")
        self.problem = problem
        self.remedy = remedy
