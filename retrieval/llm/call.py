"""One call of a model: its deadline, its attempts, and who may end it."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field

from knowledge.model_server.waiting import backoff_s
from retrieval.llm.cancellation import Cancellation
from retrieval.llm.capabilities import Capabilities, weaker
from retrieval.llm.chat import ChatRequest
from retrieval.llm.errors import Cancelled, ModelUnavailable, TimedOut
from retrieval.llm.failures import TIMED_OUT, Failure
from retrieval.llm.line import Ending, Line
from retrieval.llm.reply_reader import BROKE_OFF, ReplyReader

STOPPED = "The answer was stopped."


@dataclass(slots=True, kw_only=True)
class Call:
    """The state of a call over its attempts; as a context, it ends them at its deadline.

    ``timeout_s`` counts from the start of the context, ``retries`` are attempts after the first.
    """

    request: ChatRequest
    streaming: bool
    timeout_s: float
    cancellation: Cancellation
    capabilities: Capabilities
    retries: int
    first_backoff_s: float
    line: Line = field(default_factory=Line, init=False)
    _retried: int = field(default=0, init=False)
    _deadline: float = field(default=0.0, init=False)
    _stack: ExitStack = field(default_factory=ExitStack, init=False)

    def __enter__(self) -> Call:
        self._deadline = time.monotonic() + self.timeout_s
        # The client's own time-out counts from byte to byte: a server that drips is never late.
        timer = threading.Timer(self.timeout_s, self.line.end, (Ending.TIMED_OUT,))
        timer.daemon = True
        timer.start()
        self._stack.callback(timer.cancel)
        cancelling = self.cancellation.calling(lambda: self.line.end(Ending.CANCELLED))
        self._stack.enter_context(cancelling)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def left_s(self) -> float:
        return self._deadline - time.monotonic()

    def raise_if_ended(self, reader: ReplyReader) -> None:
        """Raise Cancelled or TimedOut if the call was ended from outside, with what it spent."""
        spent = reader.usage() if self.line.connected else None
        if self.cancellation.is_cancelled:
            raise Cancelled(STOPPED, usage=spent)
        if self.line.ending or self.left_s <= 0:
            raise TimedOut(TIMED_OUT, usage=spent)

    def recover(self, failure: Failure, reader: ReplyReader) -> None:
        """Return when the next attempt may begin. Raises the ModelError when there is none."""
        self.raise_if_ended(reader)
        error = failure.error
        if reader.begun and isinstance(error, ModelUnavailable):
            raise ModelUnavailable(BROKE_OFF, detail=error.detail, usage=reader.usage())
        if reader.begun or isinstance(error, TimedOut):
            error.usage = error.usage or reader.usage()
            raise error
        if failure.words is not None and self._step_down(failure.words, named=failure.passing):
            return
        asked = failure.wait_s
        delay_s = backoff_s(self._retried, self.first_backoff_s) if asked is None else asked
        # The failure itself says more than a time-out would, such as how long to wait.
        if not failure.passing or self._retried == self.retries or delay_s >= self.left_s:
            raise error
        self._retried += 1
        self.cancellation.wait(delay_s)
        self.raise_if_ended(reader)

    def _step_down(self, words: str, *, named: bool) -> bool:
        step = weaker(
            self.capabilities, self.request, streaming=self.streaming, words=words, named=named
        )
        self.capabilities = step or self.capabilities
        return step is not None
