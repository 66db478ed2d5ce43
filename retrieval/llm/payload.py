"""A request in the words of OpenAI's chat completions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from retrieval.llm.capabilities import Capabilities, OutputMode
from retrieval.llm.chat import ChatRequest, Message, ToolSchema
from retrieval.llm.tool_calls import echoed

INSTRUCTION = (
    "Reply with one JSON object and nothing else. It must be valid under this JSON schema:\n"
)


def payload(request: ChatRequest, known: Capabilities, *, streaming: bool) -> dict[str, Any]:
    """Return the body's fields, `model` and `stream` apart."""
    body: dict[str, Any] = {"messages": [_message(one) for one in _messages(request, known)]}
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    if request.schema and (form := _response_format(request.schema, known.output)):
        body["response_format"] = form
    body[known.max_tokens_field] = request.max_tokens
    if known.temperature:
        body["temperature"] = request.temperature
    if streaming and known.stream_options:
        body["stream_options"] = {"include_usage": True}
    return body


def _messages(request: ChatRequest, known: Capabilities) -> tuple[Message, ...]:
    """Return the messages; below SCHEMA the system's own ends with the schema in words."""
    if request.schema is None or known.output is OutputMode.SCHEMA:
        return request.messages
    words = INSTRUCTION + json.dumps(request.schema, ensure_ascii=False)
    first, rest = request.messages[:1], request.messages[1:]
    if first and first[0].role == "system":
        return (Message("system", f"{first[0].content}\n\n{words}"), *rest)
    return (Message("system", words), *request.messages)


def _response_format(schema: Mapping[str, object], mode: OutputMode) -> dict[str, object] | None:
    if mode is OutputMode.SCHEMA:
        inner = {"name": "reply", "schema": schema, "strict": True}
        return {"type": "json_schema", "json_schema": inner}
    if mode is OutputMode.OBJECT_WITH_SCHEMA:
        return {"type": "json_object", "schema": schema}
    return {"type": "json_object"} if mode is OutputMode.OBJECT else None


def _tool(tool: ToolSchema) -> dict[str, object]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    return {"type": "function", "function": function}


def _message(message: Message) -> dict[str, object]:
    sent: dict[str, object] = {"role": message.role, "content": message.content}
    if message.images:
        parts: list[dict[str, object]] = [{"type": "text", "text": message.content}]
        parts += [{"type": "image_url", "image_url": {"url": url}} for url in message.images]
        sent["content"] = parts
    if message.tool_calls:
        sent["tool_calls"] = [echoed(call) for call in message.tool_calls]
    if message.role == "tool":
        sent["tool_call_id"] = message.tool_call_id
    return sent
