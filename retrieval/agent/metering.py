"""A chat model whose every call is reserved in the budget and written in the ledger."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from retrieval.agent.budget import Budget
from retrieval.llm.cancellation import Cancellation
from retrieval.llm.chat import ChatModel, ChatRequest, Reply, Usage
from retrieval.llm.errors import ContextOverflow, ModelError
from retrieval.llm.prompt_tokens import prompt_tokens


@dataclass(frozen=True, slots=True)
class Spent:
    """One call of a model. ``failed`` calls may have cost tokens that nobody counted."""

    purpose: str
    model: str
    usage: Usage
    seconds: float
    failed: bool = False


@dataclass(slots=True)
class Meter:
    """Calls models for one run. ``record`` gets every call as soon as it is over.

    ``models`` are by role; a role that is not there is played by ``answer``.
    """

    models: Mapping[str, ChatModel]
    budget: Budget = field(default_factory=Budget)
    record: Callable[[Spent], None] = lambda spent: None
    cancellation: Cancellation | None = None

    @property
    def name(self) -> str:
        """The name of the model that answers."""
        return self.models["answer"].name

    def complete(
        self,
        request: ChatRequest,
        *,
        role: str = "answer",
        final: bool = False,
        leaves_room: bool = False,
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        """Return the model's reply. Raises ModelError and BudgetExhausted.

        The reservation is the prompt, as `prompt_tokens` counts it, with the most that may be
        written.
        ``leaves_room`` asks for as much again with the reply: a ``final`` call over what was read.
        """
        model = self.models.get(role) or self.models["answer"]
        estimate = prompt_tokens(request)
        room = estimate + 2 * request.max_tokens if leaves_room else 0
        held = self.budget.reserve(estimate + request.max_tokens, room=room, final=final)
        began = time.monotonic()
        try:
            reply = model.complete(request, cancellation=self.cancellation, on_text=on_text)
        except Exception as error:
            if isinstance(error, ContextOverflow) and not error.sent:
                self.budget.release(held)
                raise
            told = error.usage if isinstance(error, ModelError) else None
            usage = told or Usage()
            self.budget.settle(held, _total(usage))
            spent = Spent(request.purpose, model.name, usage, _since(began), failed=True)
            self.record(spent)
            raise
        self.budget.settle(held, _total(reply.usage))
        self.record(Spent(request.purpose, model.name, reply.usage, _since(began)))
        return reply


def _since(began: float) -> float:
    return time.monotonic() - began


def _total(usage: Usage) -> int | None:
    if usage.prompt is None or usage.completion is None:
        return None
    return usage.prompt + usage.completion
