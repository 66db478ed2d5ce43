"""What a stream of a reply is made of."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.llm.chat import Reply


@dataclass(frozen=True, slots=True)
class TextAdded:
    """More of the reply's text, as it came; of a structured reply that is JSON."""

    text: str


@dataclass(frozen=True, slots=True)
class FieldGrown:
    """The whole value so far of the request's ``shown_field``."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class ToolNamed:
    """The model began a tool call; its arguments are still coming."""

    name: str


@dataclass(frozen=True, slots=True)
class Completed:
    """The last event of a stream."""

    reply: Reply


Delta = TextAdded | FieldGrown | ToolNamed | Completed
