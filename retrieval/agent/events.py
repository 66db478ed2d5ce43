"""What a run tells while it happens, in this order:

Started; Rewritten when a follow-up was put so that it can be understood alone; Remembered or
LittleHistory where experience is used; then per search
Planned (where it was planned) and Searched, Assembled, AnswerSnapshot as often as the text grows,
Drafted and Judged; Escalated and a ToolUsed for each call of the agent; Voted; then a
CitationFound for each verified quote; then one of Finished, Abstained or Failed.
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
class Rewritten(Event):
    """The question as it was searched for, when it leant on the conversation before it."""

    kind: ClassVar[str] = "rewritten"
    question: str


@dataclass(frozen=True, slots=True)
class Planned(Event):
    """The question was made several queries, itself first."""

    kind: ClassVar[str] = "planned"
    queries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Searched(Event):
    """One search came back with ``hits`` entries of these documents."""

    kind: ClassVar[str] = "searched"
    query: str
    hits: int
    tokens: int
    documents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Remembered(Event):
    """Experience gave places that answered a similar question; whose, is not told.

    ``edges`` and ``paths`` belong together; ``suspects`` of them have changed since. ``tokens``
    are those of what is read first.
    """

    kind: ClassVar[str] = "remembered"
    edges: tuple[int, ...]
    paths: tuple[str, ...]
    suspects: int
    tokens: int


@dataclass(frozen=True, slots=True)
class LittleHistory(Event):
    """The base has learnt too few questions to rely on: the agent works from the start."""

    kind: ClassVar[str] = "little_history"
    learned: int
    needed: int


@dataclass(frozen=True, slots=True)
class Assembled(Event):
    """The evidence that goes to the reasoner."""

    kind: ClassVar[str] = "assembled"
    blocks: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Drafted(Event):
    """A draft was made with ``quotes``, of which ``rejected`` were not found in their passage.

    ``purpose`` is that of the call it came from, as in the ledger: answer, vote or agent.
    """

    kind: ClassVar[str] = "drafted"
    quotes: int
    rejected: int
    purpose: str = "answer"


@dataclass(frozen=True, slots=True)
class Judged(Event):
    """The verdict on a draft; ``reason`` is '' when it is sufficient."""

    kind: ClassVar[str] = "judged"
    sufficient: bool
    missing: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Escalated(Event):
    """The agent was called in."""

    kind: ClassVar[str] = "escalated"
    reason: str
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolUsed(Event):
    """The agent called a tool; ``tokens`` are those of its result."""

    kind: ClassVar[str] = "tool"
    name: str
    arguments: dict[str, object]
    items: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Voted(Event):
    """Several answers were drawn; ``winners`` agree, ``blanks`` gave none."""

    kind: ClassVar[str] = "voted"
    ballots: int
    winners: int
    blanks: int


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
    """The run ended without an answer; ``nearest`` are the passages that came closest.

    ``named`` are the documents whose titles are in the reason.
    """

    kind: ClassVar[str] = "abstained"
    reason: str
    seconds: float
    missing: tuple[str, ...] = ()
    nearest: tuple[Nearest, ...] = ()
    named: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Failed(Event):
    """The run broke; ``sentence`` is for the reader, the trace is in the log."""

    kind: ClassVar[str] = "failed"
    sentence: str


def _plain(value: object) -> object:
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value
