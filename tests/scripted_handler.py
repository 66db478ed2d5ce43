"""HTTP of the scripted model: routes, streams, and noticing that the client is gone."""

from __future__ import annotations

import json
import re
import select
import socket
import time
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, ClassVar

from knowledge.ingest.tokens import count_tokens
from tests.scripted_replies import Drop, Endless, Fail, Forever, Hang, Raw, Say, ScriptedReply

if TYPE_CHECKING:
    from tests.scripted_model import Recorded, ScriptedModel

_PIECES = re.compile(r"\s*\S+|\s+")


class ClientGone(Exception):
    """The client closed its socket before the reply's end."""


class Handler(BaseHTTPRequestHandler):
    """One connection; `model` is set by the server that makes it."""

    model: ClassVar[ScriptedModel]
    protocol_version = "HTTP/1.1"
    recorded: Recorded

    def log_message(self, format: str, *args: object) -> None:  # the base's name
        """Say nothing: tests read `requests`."""

    def do_GET(self) -> None:
        if self.path.endswith("/models"):
            listed = [{"id": "scripted", "object": "model", "created": 0, "owned_by": "tests"}]
            self._send(200, {"object": "list", "data": listed})
        else:
            self._send(404, _error("no such path"))

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        body = json.loads(self.rfile.read(length) or b"{}")
        headers = {name.lower(): text for name, text in self.headers.items()}
        self.recorded = self.model.record(self.path, headers, body)
        try:
            self._answer(body)
        except (ClientGone, ConnectionError):
            if self.recorded.closed_early is None:
                self.recorded.closed_early = time.monotonic()
            self.close_connection = True
        finally:
            self.recorded.ended.set()

    def _answer(self, body: Mapping[str, object]) -> None:
        key = self.model.api_key
        given = self.headers.get("Authorization", "")
        if key and given != f"Bearer {key}":
            self._send(401, _error(f"Incorrect API key provided: {given.removeprefix('Bearer ')}"))
        elif self.path.endswith("/embeddings"):
            self._embed(body)
        elif not self.path.endswith("/chat/completions"):
            self._send(404, _error("no such path"))
        elif refused := self._refused(body):
            self._send(self.model.refuses_with, _error(f"Unsupported parameter: '{refused}'"))
        else:
            self._reply(self.model.next_reply(body), body)

    def _refused(self, body: Mapping[str, object]) -> str:
        form = body.get("response_format")
        used = set(body)
        if isinstance(form, Mapping):
            used |= {str(form.get("type"))} | ({"schema"} & form.keys())
        return next(iter(sorted(used & self.model.refuses)), "")

    def _reply(self, reply: ScriptedReply, body: Mapping[str, object]) -> None:
        match reply:
            case Forever():
                self._reply(reply.reply, body)
            case Fail():
                self._send_bytes(reply.status, reply.sent(), reply.headers)
            case Raw():
                kind = {"Content-Type": reply.content_type}
                self._send_bytes(200, reply.body.encode(), kind)
            case Endless():
                self._write_on(reply)
            case Hang():
                self._pause(3600)
            case Drop():
                self._drop()
            case Say():
                self._pause(reply.first_delay_s)
                (self._stream if body.get("stream") else self._whole)(reply, body)

    # --- replies ---

    def _whole(self, reply: Say, body: Mapping[str, object]) -> None:
        for piece in _pieces(reply):
            self._pause(reply.delay_s)
            self.recorded.completion_tokens += piece.tokens
        if reply.cut_after is not None:
            self._drop()
            return
        message: dict[str, object] = {"role": "assistant", "content": reply.text or None}
        if reply.refusal:
            message["refusal"] = reply.refusal
        if reply.calls:
            message["tool_calls"] = [
                {
                    "id": call.id or f"call_{number}",
                    "type": "function",
                    "function": {"name": call.name, "arguments": call.written},
                }
                for number, call in enumerate(reply.calls)
            ]
        choice = {"index": 0, "message": message, "finish_reason": reply.finish}
        whole = _envelope("chat.completion", body) | {"choices": [choice]}
        if reply.usage != "never":
            whole["usage"] = self._usage(reply)
        self._send(200, whole)

    def _stream(self, reply: Say, body: Mapping[str, object]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        options = body.get("stream_options")
        wanted = isinstance(options, Mapping) and options.get("include_usage") is True
        envelope = _envelope("chat.completion.chunk", body)
        self._event(envelope | {"choices": [_choice({"role": "assistant", "content": ""})]})
        for number, piece in enumerate(_pieces(reply)):
            if number == reply.cut_after:
                self._drop()
                return
            self._pause(reply.delay_s)
            self.recorded.completion_tokens += piece.tokens
            self.recorded.chunks += 1
            chunk = envelope | {"choices": [_choice(piece.delta)]}
            if reply.usage == "cumulative":
                chunk["usage"] = self._usage(reply)
            self._event(chunk)
        last = envelope | {"choices": [_choice({}, reply.finish)]}
        if reply.usage == "cumulative":
            last["usage"] = self._usage(reply)
        self._event(last)
        if reply.usage == "zeros" or (reply.usage == "at_end" and wanted):
            self._event(envelope | {"choices": [], "usage": self._usage(reply)})
        self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")

    def _write_on(self, reply: Endless) -> None:
        self.send_response(200)
        self.send_header("Content-Type", reply.content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self._chunk(reply.before or reply.piece)
        while self.recorded.sent_bytes < reply.most_bytes:
            self._chunk(reply.piece)
            self.recorded.sent_bytes += len(reply.piece)
        self._chunk(b"")

    def _usage(self, reply: Say) -> dict[str, object]:
        if reply.usage == "zeros":
            return {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
        prompt, completion = self.recorded.prompt_tokens, self.recorded.completion_tokens
        usage: dict[str, object] = {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        }
        if reply.cached is not None:
            usage["prompt_tokens_details"] = {"cached_tokens": reply.cached}
        return usage

    # --- embeddings ---

    def _embed(self, body: Mapping[str, object]) -> None:
        given = body.get("input")
        texts = [given] if isinstance(given, str) else [str(text) for text in given or ()]  # type: ignore[attr-defined] # what no client sends ends in a 500
        limit = self.model.embedding_max_tokens
        scripted = self.model.next_embedding()
        if isinstance(scripted, Fail):
            self._send_bytes(scripted.status, scripted.sent(), scripted.headers)
        elif isinstance(scripted, Endless):
            self._write_on(scripted)
        elif any(not text or self.model.rejects_text(text) for text in texts):
            self._send(400, _error("'$.input' is invalid"))
        elif limit and any(count_tokens(text) > limit for text in texts):
            self._send(400, _error(f"This model's maximum context length is {limit} tokens"))
        else:
            asked = body.get("dimensions")
            size = scripted.dimensions or (asked if isinstance(asked, int) else None)
            rows = list(self.model.vectors(texts, size))
            data = [
                {"object": "embedding", "index": number, "embedding": row}
                for number, row in enumerate(rows[: len(rows) - scripted.missing])
            ]
            tokens = self.recorded.prompt_tokens
            usage = {"prompt_tokens": tokens, "total_tokens": tokens}
            # Out of order, as the specification allows: `index` tells whose a vector is.
            self._send(
                200,
                {"object": "list", "model": "scripted", "data": data[::-1], "usage": usage},
            )

    # --- the connection ---

    def _send(self, status: int, value: object) -> None:
        self._send_bytes(status, json.dumps(value).encode(), {})

    def _send_bytes(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, text in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _event(self, value: object) -> None:
        self._chunk(f"data: {json.dumps(value)}\n\n".encode())

    def _chunk(self, data: bytes) -> None:
        self._pause(0)
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def _pause(self, seconds: float) -> None:
        """Wait, watching the socket. Raises ClientGone as soon as the client has closed it."""
        until = time.monotonic() + seconds
        while True:
            left = max(0.0, until - time.monotonic())
            readable, _, _ = select.select([self.connection], [], [], min(left, 0.05))
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                raise ClientGone
            if self.model.stopping.is_set():
                raise ConnectionAbortedError
            if left == 0:
                return
            if readable:  # a pipelined request: it does not end the waiting
                time.sleep(min(left, 0.05))

    def _drop(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)


class _Piece:
    def __init__(self, delta: dict[str, object], written: str) -> None:
        self.delta = delta
        self.tokens = count_tokens(written)


def _pieces(reply: Say) -> Iterator[_Piece]:
    """Yield the deltas of a reply: word by word, tool calls in two pieces each."""
    for word in _PIECES.findall(reply.text):
        yield _Piece({"content": word}, word)
    if reply.refusal:
        yield _Piece({"refusal": reply.refusal}, reply.refusal)
    for index, call in enumerate(reply.calls):
        function = {"name": call.name, "arguments": ""}
        named = {"index": index, "id": call.id or f"call_{index}", "type": "function"}
        yield _Piece({"tool_calls": [named | {"function": function}]}, call.name)
        half = len(call.written) // 2
        for part in (call.written[:half], call.written[half:]):
            more = {"index": index, "function": {"arguments": part}}
            yield _Piece({"tool_calls": [more]}, part)


def _choice(delta: Mapping[str, object], finish: str | None = None) -> dict[str, object]:
    return {"index": 0, "delta": delta, "finish_reason": finish}


def _envelope(kind: str, body: Mapping[str, object]) -> dict[str, object]:
    return {"id": "chatcmpl-scripted", "object": kind, "created": 0, "model": body.get("model")}


def _error(message: str) -> dict[str, object]:
    return {"error": {"message": message, "type": "invalid_request_error", "code": None}}
