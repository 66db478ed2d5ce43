"""A reply out of its pieces. Servers differ, so no field is taken to be there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from knowledge.model_server.json_fields import items, mapping, parsed, text
from retrieval.llm.chat import ChatRequest, Reply, Usage
from retrieval.llm.deltas import Delta, FieldGrown, TextAdded, ToolNamed
from retrieval.llm.errors import MalformedReply, ModelUnavailable
from retrieval.llm.field_reader import FieldReader
from retrieval.llm.objects import parse_object
from retrieval.llm.storable import storable
from retrieval.llm.tool_calls import CallInProgress, tool_call
from retrieval.llm.usage import completed_usage, usage_of

BROKE_OFF = "The connection to the language model broke off in the middle of its answer."
NO_REPLY = "The language model's server sent something that is no reply."
ENDLESS = "The language model wrote more than an answer may have."
MOST_WRITTEN = 400_000
"""Characters of a reply with its reasoning and calls: some 100,000 tokens of English."""
MOST_CALLS = 100
LONGEST_NAME = 200


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
        self._length = 0
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

    def feed(self, chunk: object) -> Iterator[Delta]:
        """Take a piece and yield what it adds. Raises MalformedReply."""
        fields = _object(chunk)
        self._usage = usage_of(fields.get("usage")) or self._usage
        self._model = _name(fields.get("model")) or self._model
        for choice in items(fields.get("choices")):
            self._finish = _name(mapping(choice).get("finish_reason")) or self._finish
            delta = mapping(choice).get("delta")
            if delta is not None:
                yield from self._take(_object(delta))

    def whole(self, completion: object) -> Reply:
        """Return the reply of a call that was not streamed. Raises MalformedReply."""
        fields = mapping(parsed(completion))
        self._usage = usage_of(fields.get("usage"))
        self._model = _name(fields.get("model"))
        choice = mapping(next(iter(items(fields.get("choices"))), None))
        message = choice.get("message")
        if not isinstance(message, Mapping):
            raise MalformedReply(NO_REPLY, detail=f"{completion!r:.500}", usage=self._usage)
        self._finish = _name(choice.get("finish_reason")) or "stop"
        # The calls of a whole message are whole, whatever they have for an index.
        calls = _calls(message)
        for _ in self._take({**message, "tool_calls": []}):
            pass
        for call in calls:
            if mapping(call).get("type", "function") in ("function", None, ""):
                self._by_index.clear()
                for _ in self._add_call(mapping(call)):
                    pass
        return self.reply()

    def reply(self) -> Reply:
        """Return the gathered reply. Raises ModelUnavailable if it broke off."""
        usage = self.usage()
        written = storable("".join(self._text))
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
            data = parse_object(written, expected)
        return Reply(
            text=written,
            tool_calls=calls,
            usage=usage,
            data=data,
            finish_reason=self._finish,
            refusal=refusal,
            model=self._model,
        )

    def _take(self, message: Mapping[str, object]) -> Iterator[Delta]:
        """Add a message, or a piece of one."""
        thought = text(message.get("reasoning_content")) or text(message.get("reasoning"))
        if thought:
            self._reasoning.append(self._counted(thought))
        if refusal := text(message.get("refusal")):
            self._refusal.append(self._counted(refusal))
        content = message.get("content")
        if content is not None and not isinstance(content, str | list):
            raise MalformedReply(NO_REPLY, detail=f"content: {content!r:.500}")
        if added := text(content):
            self._text.append(self._counted(added))
            yield TextAdded(storable(added))
            if self._field and self._field.feed(added):
                yield FieldGrown(self._request.shown_field, self._field.value)
        for part in _calls(message):
            yield from self._add_call(mapping(part))

    def _add_call(self, part: Mapping[str, object]) -> Iterator[Delta]:
        """Add to a call. Some servers give every call index 0 or none, and a new id each.

        A part that is none makes a call without a name, which the model is told of.
        """
        told = part.get("index")
        index = told if isinstance(told, int) else 0
        name_of_call = _name(part.get("id"))
        present = self._by_index.get(index)
        if present is None or (name_of_call and present.id and name_of_call != present.id):
            if len(self._calls) == MOST_CALLS:
                raise MalformedReply(ENDLESS)
            present = CallInProgress(id=name_of_call)
            self._calls.append(present)
            self._by_index[index] = present
        present.id = present.id or name_of_call
        function = mapping(part.get("function"))
        name = text(function.get("name"))
        if name and name != present.name:
            present.name += self._counted(name)
            yield ToolNamed(storable(present.name))
        present.arguments += self._counted(_arguments_text(function.get("arguments")))

    def _counted(self, written: str) -> str:
        """Return what the model wrote. Raises MalformedReply once it is more than a reply has."""
        self._length += len(written)
        if self._length > MOST_WRITTEN:
            raise MalformedReply(ENDLESS)
        return written


def _object(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise MalformedReply(NO_REPLY, detail=f"{value!r:.500}")
    return value


def _name(value: object) -> str:
    """Return a name out of a reply, cut to what rows and messages have room for."""
    return storable(value)[:LONGEST_NAME] if isinstance(value, str) else ""


def _calls(message: Mapping[str, object]) -> Sequence[object]:
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list):
        raise MalformedReply(NO_REPLY, detail=f"tool_calls: {calls!r:.500}")
    return calls


def _arguments_text(arguments: object) -> str:
    """Return arguments as text: some servers send the object itself."""
    if arguments is None:
        return ""
    if isinstance(arguments, str):
        return arguments
    return json.dumps(arguments, ensure_ascii=False)
