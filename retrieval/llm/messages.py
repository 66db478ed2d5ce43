"""What goes to a chat model and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call the model asks for.

    ``arguments`` are empty when ``error`` is set: a sentence for the model that says what was
    wrong with the call. ``raw`` are the arguments as the model wrote them.
    """

    id: str
    name: str
    arguments: Mapping[str, object]
    raw: str = "{}"
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One message; an answer to a tool call has role ``tool`` and the call's id.

    ``images`` are data: or https: addresses, for models that see.
    """

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A tool the model may call; ``parameters`` is a JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class OutputSchema:
    """The JSON object that a reply must be; ``shown_field`` is a string reported as it grows."""

    name: str
    schema: Mapping[str, object]
    shown_field: str = ""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One question to a model. ``max_tokens`` limits the reply, None leaves it to the server."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSchema, ...] = ()
    output: OutputSchema | None = None
    max_tokens: int | None = None
    temperature: float | None = 0.0
    require_tool: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call; None is unknown. ``cached`` are those of ``prompt`` that were cached.

    ``estimated``: at least one of prompt and completion was counted here, not by the provider.
    """

    prompt: int | None
    completion: int | None
    cached: int | None = None
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole reply. ``data`` is the object of a request with an output schema.

    ``data`` is None when the model called tools or refused instead; ``refusal`` is its own words.
    """

    text: str
    usage: Usage
    data: Mapping[str, object] | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = "stop"
    refusal: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class TextAdded:
    """More of the reply's text, as it came; of a structured reply that is JSON."""

    text: str


@dataclass(frozen=True, slots=True)
class FieldGrown:
    """The whole value so far of the output schema's ``shown_field``."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class ToolNamed:
    """The model began a tool call; its arguments are still coming."""

    name: str


@dataclass(frozen=True, slots=True)
class Completed:
    """The last event of a stream."""

    reply: Reply = field()


Delta = TextAdded | FieldGrown | ToolNamed | Completed
