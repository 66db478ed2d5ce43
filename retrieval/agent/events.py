"""What a run tells while it happens, in this order:

Started, then per search Searched, then Assembled, then AnswerSnapshot as often as the text grows,
then a CitationFound for each verified quote, then one of Finished, Abstained or Failed.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events; ``kind`` names the class in storage."""

    kind: ClassVar[str] = "event"

    def to_payload(self) -> dict[str, object]:
        """Return the fields as values that JSON can hold: tuples become lists, parts objects."""
        return {name: _plain(value) for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class Started(Event):
    """The run was claimed; ``reasoner`` is its name, ``scope`` an address."""

    kind: ClassVar[str] = "started"
    question: str
    preset: str
    reasoner: str
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Searched(Event):
    """One search came back with ``hits`` entries of these documents."""

    kind: ClassVar[str] = "searched"
    query: str
    hits: int
    tokens: int
    documents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Assembled(Event):
    """The evidence that goes to the reasoner."""

    kind: ClassVar[str] = "assembled"
    blocks: int
    tokens: int


@dataclass(frozen=True, slots=True)
class AnswerSnapshot(Event):
    """The whole text so far, not what was added: a reader who comes late misses nothing."""

    kind: ClassVar[str] = "answer"
    text: str


@dataclass(frozen=True, slots=True)
class CitationFound(Event):
    """A quote found in its passage; ``match`` is ``exact`` or ``folded``."""

    kind: ClassVar[str] = "citation"
    number: int
    document_id: int
    version_id: int
    document_title: str
    path: str
    headings: tuple[str, ...]
    page: int | None
    start: int
    end: int
    quote: str
    match: str


@dataclass(frozen=True, slots=True)
class Finished(Event):
    """The run ended with an answer; tokens are None where nobody counted them."""

    kind: ClassVar[str] = "finished"
    answer: str
    citations: int
    seconds: float
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Nearest:
    """A passage that came close: its headings, the document's title first, and its section.

    ``path`` is the section's, below the base.
    """

    headings: str
    document_id: int
    path: str


@dataclass(frozen=True, slots=True)
class Abstained(Event):
    """The run ended without an answer; ``nearest`` are the passages that came closest."""

    kind: ClassVar[str] = "abstained"
    reason: str
    seconds: float
    missing: tuple[str, ...] = ()
    nearest: tuple[Nearest, ...] = ()


@dataclass(frozen=True, slots=True)
class Failed(Event):
    """The run broke; ``sentence`` is for the reader, the trace is in the log."""

    kind: ClassVar[str] = "failed"
    sentence: str


def _plain(value: object) -> object:
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value
