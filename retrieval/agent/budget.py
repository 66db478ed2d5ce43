"""What a run may spend, reserved before each call and settled with the true use after it."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

FINAL_RESERVE = 1_500
"""Tokens held back, so that a run always ends in an answer or a clean abstention."""


class BudgetExhausted(Exception):
    """The next call does not fit; ``sentence`` says what ran out."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(slots=True)
class Budget:
    """Limits of one run; None is unlimited. Safe to share between threads.

    ``tokens`` counts prompts and completions, ``calls`` those of a model, ``seconds`` the time
    since the budget was made.
    """

    tokens: int | None = None
    calls: int | None = None
    seconds: float | None = None
    final_reserve: int = FINAL_RESERVE
    spent: int = field(default=0, init=False)
    made: int = field(default=0, init=False)
    _held: int = field(default=0, init=False)
    _began: float = field(default_factory=time.monotonic, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def reserve(self, tokens: int, *, room: int = 0, final: bool = False) -> int:
        """Hold ``tokens`` for a call and return them. Raises BudgetExhausted.

        Only the ``final`` call of a run may use what is held back for it: the reserve, or ``room``
        tokens where that is more. It is not refused for time either, which is no call's to give
        back: the model's own time-out bounds it.
        """
        with self._lock:
            # The last call is held back too, where there are several.
            most = self.calls if final or self.calls is None else max(1, self.calls - 1)
            if most is not None and self.made >= most:
                raise BudgetExhausted("The most calls of the model for one question were made.")
            late = self.seconds is not None and time.monotonic() - self._began > self.seconds
            if late and not final:
                raise BudgetExhausted("The time for one question ran out.")
            if self.tokens is not None:
                kept = 0 if final else max(room, self.final_reserve)
                free = self.tokens - self.spent - self._held - kept
                if tokens > free:
                    raise BudgetExhausted("The tokens for one question ran out.")
            self._held += tokens
            self.made += 1
            return tokens

    def settle(self, held: int, used: int | None) -> None:
        """Exchange a reservation for the tokens used; None (unknown) keeps the reservation."""
        with self._lock:
            self._held -= held
            self.spent += held if used is None else used

    def release(self, held: int) -> None:
        """Give a reservation back whose call was not made."""
        with self._lock:
            self._held -= held
            self.made -= 1

    def left(self) -> int | None:
        """Return the tokens still free, the reserve apart; None when unlimited."""
        with self._lock:
            if self.tokens is None:
                return None
            return max(0, self.tokens - self.spent - self._held - self.final_reserve)

    def seconds_left(self) -> float | None:
        """Return the time still free, None when unlimited."""
        if self.seconds is None:
            return None
        return max(0.0, self.seconds - (time.monotonic() - self._began))
