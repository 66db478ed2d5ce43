"""What every chat model offers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from retrieval.llm.cancellation import Cancellation
from retrieval.llm.messages import ChatRequest, Delta, Reply


class ChatModel(Protocol):
    """A language model. Safe to share between threads.

    ``timeout_s`` is the time for the whole call with all its attempts; None is the model's own.
    Both methods raise ModelError, whose ``usage`` says what a failed call spent.
    """

    @property
    def name(self) -> str:
        """The model's name, as its server knows it."""
        ...

    def complete(
        self,
        request: ChatRequest,
        *,
        timeout_s: float | None = None,
        cancellation: Cancellation | None = None,
    ) -> Reply:
        """Return the whole reply."""
        ...

    def stream(
        self,
        request: ChatRequest,
        *,
        timeout_s: float | None = None,
        cancellation: Cancellation | None = None,
    ) -> Iterator[Delta]:
        """Yield the reply as it comes, `Completed` last. Closing the iterator ends the call."""
        ...
