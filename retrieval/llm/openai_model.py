"""Any server that speaks OpenAI's chat completions: OpenAI, vLLM, llama.cpp, Ollama and others."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from contextlib import closing
from functools import cached_property
from typing import TYPE_CHECKING, Any

from knowledge.model_server.base_url import check_base_url
from knowledge.model_server.client import open_client, time_limits
from retrieval.llm import line
from retrieval.llm.call import Call
from retrieval.llm.cancellation import Cancellation
from retrieval.llm.capabilities import MEMORY, CapabilityMemory
from retrieval.llm.chat import ChatRequest, Reply
from retrieval.llm.deltas import Completed, Delta, FieldGrown, TextAdded
from retrieval.llm.errors import ModelError
from retrieval.llm.failures import FAILURES, failure_of
from retrieval.llm.fitting import fitted
from retrieval.llm.payload import payload
from retrieval.llm.reply_reader import ReplyReader

if TYPE_CHECKING:
    from openai import OpenAI

logger = logging.getLogger(__name__)

REPLY_BYTES = 8 * 2**20
"""The most of one reply on the line: some 23,000 tokens at the 350 bytes that a streamed one takes,
ten times the longest that is asked for."""


class OpenAIChatModel:
    """`ChatModel` over the `openai` package.

    ``before_call`` runs before each request and may raise, as when a database connection is held.
    ``retries`` are for 429, 5xx and lost connections, first after about ``backoff_s``; a stream
    that has shown text is not repeated. ``timeout_s`` is for a call with all its attempts. ``name``
    is what it is called here where that is not the server's ``model``. What does not fit into
    ``context_tokens`` is not sent: some servers shorten it without a word. Raises InvalidBaseUrl.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        model: str,
        name: str = "",
        context_tokens: int | None = None,
        timeout_s: float = 120.0,
        retries: int = 4,
        backoff_s: float = 0.5,
        before_call: Callable[[], None] | None = None,
        memory: CapabilityMemory = MEMORY,
    ) -> None:
        self.name = name or model
        self._model = model
        self._context_tokens = context_tokens
        self._base_url = check_base_url(base_url)
        self._api_key = api_key
        self._timeout_s = timeout_s
        self._retries = retries
        self._backoff_s = backoff_s
        self._before_call = before_call
        self._memory = memory

    def __repr__(self) -> str:
        return f"OpenAIChatModel({self.name!r} at {self._base_url!r})"

    def complete(
        self,
        request: ChatRequest,
        *,
        cancellation: Cancellation | None = None,
        on_text: Callable[[str], None] | None = None,
        timeout_s: float | None = None,
    ) -> Reply:
        """Return the whole reply, streamed if ``on_text`` wants to see it grow.

        Raises ModelError, whose ``usage`` says what a failed call spent.
        """
        if on_text is not None:
            deltas = self.stream(request, cancellation=cancellation, timeout_s=timeout_s)
            return _told(deltas, request, on_text)
        with self._call(request, False, timeout_s, cancellation) as call:
            while True:
                reader = self._prepared(call)
                try:
                    reply = reader.whole(self._send(call))
                except FAILURES as error:
                    self._recover(call, error, reader)
                    continue
                self._memory.remember(self._base_url, self._model, call.capabilities)
                return reply

    def stream(
        self,
        request: ChatRequest,
        *,
        cancellation: Cancellation | None = None,
        timeout_s: float | None = None,
    ) -> Generator[Delta, None, None]:
        """Yield the reply as it comes, `Completed` last; closing the generator ends the call.

        Raises ModelError.
        """
        with self._call(request, True, timeout_s, cancellation) as call:
            while True:
                reader = self._prepared(call)
                try:
                    with closing(self._send(call)) as chunks:
                        for chunk in chunks:
                            yield from reader.feed(chunk)
                    call.raise_if_ended(reader)
                    reply = reader.reply()
                except FAILURES as error:
                    self._recover(call, error, reader)
                    continue
                self._memory.remember(self._base_url, self._model, call.capabilities)
                yield Completed(reply)
                return

    def close(self) -> None:
        """Close the idle connections."""
        if "_client" in self.__dict__:
            self._client.close()

    @cached_property
    def _client(self) -> OpenAI:
        # Each call has a connection of its own, as only a new one tells which socket is whose;
        # against the seconds that a model takes a handshake is nothing.
        return open_client(
            self._base_url, self._api_key, reply_bytes=REPLY_BYTES, on_request=line.attach
        )

    def _call(
        self,
        request: ChatRequest,
        streaming: bool,
        timeout_s: float | None,
        cancellation: Cancellation | None,
    ) -> Call:
        return Call(
            request=fitted(request, self._context_tokens),
            streaming=streaming,
            timeout_s=self._timeout_s if timeout_s is None else timeout_s,
            cancellation=cancellation or Cancellation(),
            capabilities=self._memory.recall(self._base_url, self._model),
            retries=self._retries,
            first_backoff_s=self._backoff_s,
        )

    def _prepared(self, call: Call) -> ReplyReader:
        """Return the reader of the next attempt, if there may be one."""
        reader = ReplyReader(call.request)
        call.raise_if_ended(reader)
        if self._before_call:
            self._before_call()
        return reader

    def _send(self, call: Call) -> Any:
        """Return the reply, or the stream of its chunks, as JSON values.

        Not as the package's types: it makes them without looking whether what came is of the type.
        """
        from openai import Stream

        body = payload(call.request, call.capabilities, streaming=call.streaming)
        with line.on(call.line):
            return self._client.post(
                "/chat/completions",
                cast_to=object,
                body={"model": self._model, "stream": call.streaming, **body},
                options={"timeout": time_limits(call.left_s)},
                stream=call.streaming,
                stream_cls=Stream[object],
            )

    def _recover(self, call: Call, error: Exception, reader: ReplyReader) -> None:
        """Return when another attempt may begin. Raises ModelError."""
        failure = failure_of(error, self._api_key)
        logger.info("%s: %s", self.name, failure.error.detail or failure.error.sentence)
        try:
            call.recover(failure, reader)
        except ModelError as raised:
            # Not `from error`: its words and its request hold the key, and tracebacks are logged.
            raise raised from None


def _told(
    deltas: Generator[Delta, None, None], request: ChatRequest, on_text: Callable[[str], None]
) -> Reply:
    text = ""
    with closing(deltas):
        for delta in deltas:
            if isinstance(delta, Completed):
                return delta.reply
            if isinstance(delta, FieldGrown):
                on_text(delta.value)
            elif isinstance(delta, TextAdded) and not request.shown_field:
                text += delta.text
                on_text(text)
    raise AssertionError("A stream ends with its reply or an error.")
