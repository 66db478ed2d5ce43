"""Tool calls as a model writes them: what is wrong with one is told to the model."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from retrieval.llm.chat import ToolCall, ToolSchema
from retrieval.llm.objects import parse_object
from retrieval.llm.storable import storable, storable_value

_SHOWN = 200
_NAME = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(slots=True)
class CallInProgress:
    """A call whose pieces are still coming."""

    id: str = ""
    name: str = ""
    arguments: str = ""


def tool_call(part: CallInProgress, position: int, tools: Sequence[ToolSchema]) -> ToolCall:
    """Return the call, with ``error`` set for an unknown tool or arguments that are no object."""
    name = storable(part.name.strip())[:_SHOWN]
    raw = storable(part.arguments)
    arguments, error = _arguments(raw)
    known = [tool.name for tool in tools]
    if name not in known:
        listed = ", ".join(known) or "none"
        error = f"There is no tool named {name!r}. The tools are: {listed}."
    return ToolCall(
        id=part.id or f"call_{position}",
        name=name,
        arguments={} if error else arguments,
        raw=raw,
        error=error,
    )


def echoed(call: ToolCall) -> dict[str, object]:
    """Return the call as a message repeats it to the server.

    Chat templates parse what they are given: a broken call, repeated as it was, makes llama.cpp
    and vLLM answer 500 for the rest of the conversation.
    """
    arguments, error = _arguments(call.raw)
    written = "{}" if error else json.dumps(arguments, ensure_ascii=False)
    name = _NAME.sub("_", call.name)[:64] or "unnamed"
    return {"id": call.id, "type": "function", "function": {"name": name, "arguments": written}}


def _arguments(raw: str) -> tuple[Mapping[str, object], str]:
    if not raw.strip():
        return {}, ""
    try:
        value: object = json.loads(raw, strict=False)
        if isinstance(value, str):  # encoded twice
            value = json.loads(value, strict=False)
    except (ValueError, RecursionError):
        value = parse_object(raw, cut=False)  # half a query searches for something else
    if isinstance(value, dict):
        stored = storable_value(value)
        return (stored if isinstance(stored, dict) else {}), ""
    if value is None and raw.strip() == "null":
        return {}, ""
    return {}, f"The arguments are no JSON object: {raw[:_SHOWN]}"
