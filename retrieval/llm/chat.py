"""What every chat model offers, and the values that cross to it and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from retrieval.llm.cancellation import Cancellation as Cancellation

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A tool the model may call; ``parameters`` is a JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call the model asks for.

    ``error``, else '', is a sentence for the model: there is no such tool, or its arguments could
    not be read, and then they are empty. ``raw`` are the arguments as the model wrote them.
    """

    id: str
    name: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    error: str = ""
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One message; ``tool_calls`` are an assistant's, ``tool_call_id`` is what a tool answers.

    ``images`` are data: or https: addresses, for models that see.
    """

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call; None is unknown, never zero. ``estimated``: counted here, not there."""

    prompt: int | None = None
    completion: int | None = None
    cached: int | None = None
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole reply; ``data`` is the object in it where one was asked for and could be read.

    ``refusal`` are the words of a model, or of its provider, that will not answer. ``model`` is
    the server's own name of what answered.
    """

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    data: Mapping[str, object] | None = None
    finish_reason: str = "stop"
    refusal: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is asked: at most one of ``tools`` and ``schema`` (a JSON schema of the reply).

    ``purpose`` names the step in the ledger: plan, answer, agent, vote, rewrite, abstract ...
    ``shown_field`` is a string of the schema's top level that is told about while it grows.
    """

    messages: tuple[Message, ...]
    purpose: str
    tools: tuple[ToolSchema, ...] = ()
    schema: Mapping[str, object] | None = None
    max_tokens: int = 2_000
    temperature: float = 0.0
    shown_field: str = ""


class ChatModel(Protocol):
    """A model that answers messages. Implementations are safe to share between threads."""

    @property
    def name(self) -> str:
        """The model's name; stored with what it wrote."""
        ...

    def complete(
        self,
        request: ChatRequest,
        *,
        cancellation: Cancellation | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        """Return the reply; ``on_text`` gets all its text so far, as often as it grows.

        Where the request has a ``shown_field``, that is the field's text.

        Raises ModelError. Tool calls that cannot be read come back with their ``error``.
        """
        ...


def prompt_text(messages: Sequence[Message]) -> str:
    """Return all that a model reads of ``messages``, for counting it."""
    parts = []
    for message in messages:
        calls = "".join(f"\n{call.name} {dict(call.arguments)}" for call in message.tool_calls)
        parts.append(f"{message.role}\n{message.content}{calls}")
    return "\n\n".join(parts)
