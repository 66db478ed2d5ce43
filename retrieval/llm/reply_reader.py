"""A reply out of its pieces. Servers differ, so no field is taken to be there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from retrieval.llm.chat import ChatRequest, Reply, Usage
from retrieval.llm.deltas import Delta, FieldGrown, TextAdded, ToolNamed
from retrieval.llm.errors import MalformedReply, ModelUnavailable
from retrieval.llm.field_reader import FieldReader
from retrieval.llm.objects import parse_object
from retrieval.llm.storable import storable
from retrieval.llm.tool_calls import CallInProgress, tool_call
from retrieval.llm.usage import completed_usage, usage_of

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion, ChatCompletionChunk
    from openai.types.chat.chat_completion_chunk import (
        ChoiceDelta,
        ChoiceDeltaToolCall,
        ChoiceDeltaToolCallFunction,
    )

BROKE_OFF = "The connection to the language model broke off in the middle of its answer."
NO_REPLY = "The language model's server sent something that is no reply."


class ReplyReader:
    """Gathers one reply, streamed or whole."""

    def __init__(self, request: ChatRequest) -> None:
        self._request = request
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._reasoning: list[str] = []
        self._calls: list[CallInProgress] = []
        self._by_index: dict[int, CallInProgress] = {}
        self._usage: Usage | None = None
        self._finish = ""
        self._model = ""
        self._field = FieldReader(request.shown_field) if request.shown_field else None

    @property
    def begun(self) -> bool:
        """Whether the model has written anything: then the call is not repeated."""
        return bool(self._text or self._calls or self._refusal or self._reasoning)

    def usage(self) -> Usage:
        """Return what was spent so far; while the reply is coming, that is an estimate.

        Cumulative figures in every chunk count once: the last ones hold.
        """
        written = [*self._reasoning, *self._text, *self._refusal]
        written += [f"{call.name}{call.arguments}" for call in self._calls]
        return completed_usage(self._usage, self._request, "".join(written))

    def feed(self, chunk: ChatCompletionChunk) -> Iterator[Delta]:
        """Take a piece and yield what it adds."""
        self._usage = usage_of(chunk.usage) or self._usage
        self._model = chunk.model or self._model
        for choice in chunk.choices or ():
            self._finish = choice.finish_reason or self._finish
            delta: ChoiceDelta | None = choice.delta
            if delta is None:
                continue
            extra = delta.model_extra or {}
            if thought := extra.get("reasoning_content") or extra.get("reasoning"):
                self._reasoning.append(str(thought))
            if delta.refusal:
                self._refusal.append(delta.refusal)
            if delta.content:
                yield from self._add_text(delta.content)
            for part in delta.tool_calls or ():
                yield from self._add_call(part)

    def whole(self, completion: ChatCompletion) -> Reply:
        """Return the reply of a call that was not streamed. Raises MalformedReply."""
        choices = getattr(completion, "choices", None)
        if not choices or getattr(choices[0], "message", None) is None:
            raise MalformedReply(NO_REPLY, detail=f"{completion!r:.500}")
        self._usage = usage_of(completion.usage)
        self._model = completion.model or ""
        self._finish = choices[0].finish_reason or "stop"
        message = choices[0].message
        self._refusal = [message.refusal] if message.refusal else []
        self._text = [message.content] if message.content else []
        for call in message.tool_calls or ():
            if call.type == "function":
                arguments = _arguments_text(call.function.arguments)
                part = CallInProgress(call.id or "", call.function.name or "", arguments)
                self._calls.append(part)
        return self.reply()

    def reply(self) -> Reply:
        """Return the gathered reply. Raises ModelUnavailable if it broke off."""
        usage = self.usage()
        text = storable("".join(self._text))
        refusal = storable("".join(self._refusal))
        if not self._finish:
            raise ModelUnavailable(BROKE_OFF, usage=usage if self.begun else None)
        if self._finish == "content_filter" and not refusal:
            refusal = "The provider's content filter withheld the answer."
        tools = self._request.tools
        calls = tuple(tool_call(part, n, tools) for n, part in enumerate(self._calls))
        data = None
        if self._request.schema and not calls and not refusal:
            properties = self._request.schema.get("properties")
            expected = properties if isinstance(properties, dict) else ()
            data = parse_object(text, expected)
        return Reply(
            text=text,
            tool_calls=calls,
            usage=usage,
            data=data,
            finish_reason=self._finish,
            refusal=refusal,
            model=self._model,
        )

    def _add_text(self, text: str) -> Iterator[Delta]:
        self._text.append(text)
        yield TextAdded(storable(text))
        if self._field and self._field.feed(text):
            yield FieldGrown(self._request.shown_field, self._field.value)

    def _add_call(self, part: ChoiceDeltaToolCall) -> Iterator[Delta]:
        """Add to a call. Some servers give every call index 0 or none, and a new id each."""
        index = part.index or 0
        present = self._by_index.get(index)
        if present is None or (part.id and present.id and part.id != present.id):
            present = CallInProgress(id=part.id or "")
            self._calls.append(present)
            self._by_index[index] = present
        present.id = present.id or part.id or ""
        function: ChoiceDeltaToolCallFunction | None = part.function
        if function is None:
            return
        if function.name and function.name != present.name:
            present.name += function.name
            yield ToolNamed(storable(present.name))
        present.arguments += _arguments_text(function.arguments)


def _arguments_text(arguments: object) -> str:
    """Return arguments as text: some servers send the object itself."""
    if arguments is None:
        return ""
    if isinstance(arguments, str):
        return arguments
    return json.dumps(arguments, ensure_ascii=False, default=str)
