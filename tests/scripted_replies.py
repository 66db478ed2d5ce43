"""What the scripted model may say, and how it may fail."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

UsageTold = Literal["at_end", "cumulative", "never", "zeros"]


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call; arguments that are no mapping are sent as they stand, broken or not."""

    name: str
    arguments: Mapping[str, object] | str = field(default_factory=dict)
    id: str = ""

    @property
    def written(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True, slots=True)
class Say:
    """A reply. ``cut_after`` chunks the connection is dropped; ``delay_s`` passes before each.

    ``first_delay_s`` passes before the status line. ``cached`` is what is told of the prompt.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    refusal: str = ""
    finish_reason: str = ""
    usage: UsageTold = "at_end"
    cached: int | None = None
    delay_s: float = 0.0
    first_delay_s: float = 0.0
    cut_after: int | None = None

    @property
    def finish(self) -> str:
        return self.finish_reason or ("tool_calls" if self.calls else "stop")


def say_json(value: object) -> Say:
    return Say(json.dumps(value, ensure_ascii=False))


@dataclass(frozen=True, slots=True)
class Fail:
    """An error with a status. ``body`` replaces the usual one, text or bytes as they stand."""

    status: int
    message: str = "scripted failure"
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: object = None

    def sent(self) -> bytes:
        if isinstance(self.body, str | bytes):
            return self.body.encode() if isinstance(self.body, str) else self.body
        usual = {"error": {"message": self.message, "type": "scripted", "code": self.code}}
        return json.dumps(usual if self.body is None else self.body).encode()


def rate_limited(retry_after: str = "0", code: str = "rate_limit_exceeded") -> Fail:
    return Fail(429, "Rate limit reached", code, {"Retry-After": retry_after})


@dataclass(frozen=True, slots=True)
class Hang:
    """Take the request and say nothing, until the client gives up."""


@dataclass(frozen=True, slots=True)
class Drop:
    """Take the request and close the connection."""


@dataclass(frozen=True, slots=True)
class Raw:
    """A body with status 200, as it stands."""

    body: str
    content_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Endless:
    """``before`` and then ``piece`` again and again, with status 200, until the client gives up.

    ``most_bytes`` are all that a client gets which does not.
    """

    piece: bytes
    before: bytes = b""
    content_type: str = "application/json"
    most_bytes: int = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Forever:
    """A reply that is never used up, as a model that calls tools without end."""

    reply: ScriptedReply


ScriptedReply = Say | Fail | Hang | Drop | Raw | Endless | Forever


@dataclass(frozen=True, slots=True)
class Vectors:
    """Embeddings as they should be, but with ``dimensions`` or without the last ones."""

    dimensions: int | None = None
    missing: int = 0


OVERFLOWS: Mapping[str, Mapping[str, object]] = {
    # How servers spell a context overflow, with a context of 4,096 tokens.
    "openai": {
        "error": {
            "message": "This model's maximum context length is 4096 tokens. However, your messages"
            " resulted in 9001 tokens. Please reduce the length of the messages.",
            "type": "invalid_request_error",
            "code": "context_length_exceeded",
        }
    },
    "vllm": {
        "object": "error",
        "message": "This model's maximum context length is 4096 tokens. However, you requested"
        " 9001 tokens (8001 in the messages, 1000 in the completion).",
        "type": "BadRequestError",
        "code": 400,
    },
    "vllm, one prompt": {
        "error": {
            "message": "The decoder prompt (length 9001) is longer than the maximum model length"
            " of 4096. Make sure that `max_model_len` is no smaller.",
            "type": "BadRequestError",
            "code": 400,
        }
    },
    "llama.cpp": {
        "error": {
            "code": 400,
            "message": "the request exceeds the available context size, try increasing it",
            "type": "exceed_context_size_error",
            "n_prompt_tokens": 9001,
            "n_ctx": 4096,
        }
    },
    "llama-cpp-python": {
        "error": {"message": "Requested tokens (9001) exceed context window of 4096", "code": None}
    },
    "ollama": {
        "error": {
            "message": "the input length exceeds the context length",
            "type": "api_error",
            "code": None,
        }
    },
    "tgi": {
        "error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096."
        " Given: 8001 `inputs` tokens and 1000 `max_new_tokens`",
        "error_type": "validation",
    },
}
