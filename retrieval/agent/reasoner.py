"""What turns evidence into an answer: a language model, or the rules that work without one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from retrieval.agent.evidence import Context, Hit


@dataclass(frozen=True, slots=True)
class Quote:
    """Words a reasoner says are in a block; nothing is believed before `checking.check`.

    ``start`` and ``end`` are offsets in the version's text, None where the reasoner does not know
    them.
    """

    block: int
    text: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Constraint:
    """Something the question demands (an entity, a time, a scope, a quantity).

    ``evidence`` are the numbers of the blocks that are said to meet it.
    """

    need: str
    met: bool
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before it is checked: marker ``[n]`` stands for the n-th quote, counted from 1.

    ``missing`` names what the evidence lacks and ``reason`` says, in a sentence for the reader,
    why the answer is insufficient; both may be filled beside an answer. ``value`` and ``unit`` are
    the answer in its shortest form, '' where it has none.
    """

    answer: str
    quotes: tuple[Quote, ...]
    missing: tuple[str, ...] = ()
    sufficient: bool = True
    reason: str = ""
    constraints: tuple[Constraint, ...] = ()
    value: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Signals:
    """What the search knows about the question, beside the text it found.

    ``hits`` are those the context was assembled from and ``queries`` what was searched for.
    ``document_frequency`` tells in how many of the base's ``entries`` a dimension of a term of
    the question occurs (as for `knowledge.lexical.query_weights`); ``languages`` are those of the
    base's documents. ``background`` is the mean cosine of the question with all entries of the
    base (the inner product with the mean of their vectors), None when nobody measured it.
    ``own_names`` are the company's: its documents need not say whose they are.
    """

    hits: tuple[Hit, ...] = ()
    queries: tuple[str, ...] = ()
    document_frequency: Mapping[int, int] = field(default_factory=dict)
    entries: int = 0
    languages: tuple[str, ...] = ()
    background: float | None = None
    own_names: tuple[str, ...] = ()


class Reasoner(Protocol):
    """A way of answering. Implementations are safe to share between threads."""

    @property
    def name(self) -> str:
        """The model, or what stands in for one; stored with the run and shown to the reader."""
        ...

    def answer(self, question: str, context: Context, signals: Signals) -> Draft:
        """Return a draft for ``question`` from ``context`` alone; insufficient rather than wrong.

        Raises only the errors of the package it calls out to.
        """
        ...
