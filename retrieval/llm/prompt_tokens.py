"""How much of a model's context a request takes, counted in one way wherever it is asked."""

from __future__ import annotations

import json

from knowledge.ingest.tokens import count_tokens
from retrieval.llm.chat import ChatRequest
from retrieval.llm.payload import INSTRUCTION

# What OpenAI's chat format adds: three tokens a message, one for a role, three before the reply.
_PER_MESSAGE = 4
_PER_REPLY = 3


def prompt_tokens(request: ChatRequest) -> int:
    """Return the request's tokens in o200k_base: its messages, its tools, the schema of its reply.

    Images are left out: they count by size, differently with each model.
    """
    texts = [message.content for message in request.messages]
    for message in request.messages:
        texts += [f"{call.name} {call.raw}" for call in message.tool_calls]
    texts += [f"{tool.name} {tool.description} {_json(tool.parameters)}" for tool in request.tools]
    if request.schema:  # in words where a server takes none, and else the server adds it
        texts.append(INSTRUCTION + _json(request.schema))
    counted = sum(count_tokens(text) for text in texts)
    return counted + _PER_MESSAGE * len(request.messages) + _PER_REPLY


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
