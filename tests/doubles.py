"""Stand-ins for what answers: scripted, so that a test decides what a model would say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from retrieval.agent.evidence import Context
from retrieval.agent.reasoner import Draft, Quote, Reasoner, Signals


def use_reasoner(monkeypatch: pytest.MonkeyPatch, reasoner: Reasoner) -> None:
    """Let every run of the test be answered by `reasoner`."""
    monkeypatch.setattr("retrieval.services.answering.current_reasoner", lambda tenant_id: reasoner)


@dataclass(frozen=True, slots=True)
class QuotingReasoner:
    """Quotes the first sentence of the evidence that holds a word, and nothing if none does."""

    word: str
    name: str = "scripted"

    def answer(self, question: str, context: Context, signals: Signals) -> Draft:
        for block in context.blocks:
            for leaf in block.leaves:
                for start, end in leaf.sentences:
                    text = leaf.text[start - leaf.start : end - leaf.start]
                    if self.word in text:
                        return Draft(f"{text} [1]", (Quote(block.number, text),))
        return Draft("", (), ("it",), sufficient=False, reason="Nothing about that was found.")


@dataclass(frozen=True, slots=True)
class ScriptedReasoner:
    """Does what the test says."""

    script: Callable[[str, Context, Signals], Draft]
    name: str = "scripted"

    def answer(self, question: str, context: Context, signals: Signals) -> Draft:
        return self.script(question, context, signals)
