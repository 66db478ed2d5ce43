"""What a server understands, found out by asking: the next weaker request after a refusal."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import dataclass, replace
from enum import IntEnum

from retrieval.llm.chat import ChatRequest

REMEMBERED_S = 3600.0
"""A server that was upgraded meanwhile is asked for the best again after this."""


class OutputMode(IntEnum):
    """How a JSON object is asked for, the strongest first."""

    SCHEMA = 0
    OBJECT_WITH_SCHEMA = 1  # llama.cpp's own spelling; llama-cpp-python knows no other
    OBJECT = 2
    TEXT = 3


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What may be asked of one model on one server."""

    output: OutputMode = OutputMode.SCHEMA
    stream_options: bool = True
    max_tokens_field: str = "max_tokens"
    temperature: bool = True


def weaker(
    known: Capabilities, request: ChatRequest, *, streaming: bool, words: str, named: bool
) -> Capabilities | None:
    """Return what to try after a refusal with these words, None when nothing is left to drop.

    ``named``: only what the words name is dropped. Otherwise, when they name nothing, the fields
    that fewest servers know go first.
    """
    steps: list[tuple[str, Capabilities]] = []
    if request.schema and known.output < OutputMode.TEXT:
        step = replace(known, output=OutputMode(known.output + 1))
        steps.append((r"response_?format|json_schema|json_object", step))
    if streaming and known.stream_options:
        steps.append((r"stream_options|include_usage", replace(known, stream_options=False)))
    if known.max_tokens_field == "max_tokens":
        step = replace(known, max_tokens_field="max_completion_tokens")
        steps.append((r"max_tokens|max_completion_tokens", step))
    if known.temperature:
        steps.append((r"temperature", replace(known, temperature=False)))
    for pattern, step in steps:
        if re.search(pattern, words, re.IGNORECASE):
            return step
    return steps[0][1] if steps and not named else None


class CapabilityMemory:
    """What was found out, by (base URL, model). Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str], tuple[Capabilities, float]] = {}

    def recall(self, base_url: str, model: str) -> Capabilities:
        with self._lock:
            known, until = self._known.get((base_url, model), (Capabilities(), 0.0))
            return known if time.monotonic() < until else Capabilities()

    def remember(self, base_url: str, model: str, found: Capabilities) -> None:
        """Keep what a successful call was made with, if it is less than everything."""
        with self._lock:
            present, until = self._known.get((base_url, model), (Capabilities(), 0.0))
            now = time.monotonic()
            if found != Capabilities() and (found != present or now >= until):
                self._known[base_url, model] = (found, now + REMEMBERED_S)


MEMORY = CapabilityMemory()
"""Of this process, for all tenants: a server is the same whoever asks it."""
