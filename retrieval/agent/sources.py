"""What the pipeline asks of the documents: searches, evidence, experience and the agent's tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from retrieval.agent.evidence import Context, Hit
from retrieval.agent.exploring import Tools
from retrieval.agent.presets import AgentTools, Entry, Rerank
from retrieval.agent.reasoner import Signals
from retrieval.agent.shortcuts import Memory


@dataclass(frozen=True, slots=True)
class Found:
    """What searching for ``queries`` gave, best hit first."""

    queries: tuple[str, ...]
    hits: tuple[Hit, ...]
    signals: Signals


class AgentBox(Tools, Protocol):
    """The agent's tools with what the pipeline asks of them."""

    def number_of(self, path: str) -> int:
        """Return the number of the place at a path, a new one if it has none."""
        ...

    def context(self, numbers: Sequence[int]) -> Context:
        """Return the places with these numbers as evidence; those that are none are left out."""
        ...

    def contents(self) -> str:
        """Return the sections of the documents, a line each, as far as a prompt holds them."""
        ...


class Retrieval(Protocol):
    """The documents, seen through one reader's scope."""

    def find(
        self,
        queries: Sequence[str],
        k: int,
        rerank: Rerank,
        *,
        named_first: bool = False,
        mentioned: int = 0,
    ) -> Found:
        """Return the best hits of all queries, at most k a query; with ``named_first`` the first
        half of these are of documents that the query singles out by name. Behind the best ones
        stand passages of at most ``mentioned`` further documents that these call by name."""
        ...

    def assemble(self, hits: Sequence[Hit], token_cap: int) -> Context:
        """Return the evidence of the hits."""
        ...

    def recall(self, question: str, entry: Entry, hops: int, tokens: int) -> Memory:
        """Return the places that answered similar questions, at most ``tokens`` of text."""
        ...

    def learned(self, most: int) -> int:
        """Return how many questions were learnt, counting up to ``most``."""
        ...

    def tools(self, kind: AgentTools) -> AgentBox:
        """Return the agent's tools."""
        ...
