"""A real HTTP server that speaks OpenAI's API and says what a test, or a person, tells it to.

By hand, on loopback: python -m tests.scripted_model --port 8089 --reply "Forty-five euros [1]."
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from typing import Any

from knowledge.embedding.hashing import HashingEmbedder
from knowledge.ingest.tokens import count_tokens
from tests.scripted_handler import Handler
from tests.scripted_replies import Endless, Fail, Forever, Say, ScriptedReply, Vectors

Responder = Callable[[Mapping[str, object]], ScriptedReply]


@dataclass(slots=True)
class Recorded:
    """One request and what became of it. Times are of the monotonic clock, in seconds.

    ``completion_tokens`` are those sent so far: of a reply that was stopped, less than all.
    """

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    prompt_tokens: int
    arrived: float = field(default_factory=time.monotonic)
    completion_tokens: int = 0
    chunks: int = 0
    sent_bytes: int = 0
    closed_early: float | None = None
    ended: threading.Event = field(default_factory=threading.Event)


class ScriptedModel:
    """The server; as a context it runs on a free port of loopback.

    Replies come in the order of ``replies``, or from ``responder``, a function of the request's
    body; when both are at an end, the server answers 404 and says so. ``refuses`` names fields it
    knows nothing of (``json_schema``, ``json_object``, ``schema``, ``stream_options``,
    ``max_tokens``, ``temperature``, ``tools``), answering with status ``refuses_with``. With
    ``api_key`` it wants that key.
    """

    def __init__(
        self,
        *replies: ScriptedReply,
        responder: Responder | None = None,
        refuses: Iterable[str] = (),
        refuses_with: int = 400,
        api_key: str = "",
        embeddings: Iterable[Endless | Fail | Vectors] = (),
        dimensions: int = 384,
        embedding_max_tokens: int | None = None,
        rejects_text: Callable[[str], bool] = lambda _: False,
        port: int = 0,
    ) -> None:
        self.requests: list[Recorded] = []
        self.refuses = frozenset(refuses)
        self.refuses_with = refuses_with
        self.api_key = api_key
        self.dimensions = dimensions
        self.embedding_max_tokens = embedding_max_tokens
        self.rejects_text = rejects_text
        self.stopping = threading.Event()
        self._replies = list(replies)
        self._responder = responder
        self._embeddings = list(embeddings)
        self._lock = threading.Lock()
        self._arrived = threading.Condition(self._lock)
        handler = type("BoundHandler", (Handler,), {"model": self})
        self._server = _Server(("127.0.0.1", port), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def chats(self) -> list[Recorded]:
        return [one for one in self.requests if one.path.endswith("/chat/completions")]

    @property
    def embedded(self) -> list[Recorded]:
        return [one for one in self.requests if one.path.endswith("/embeddings")]

    def __enter__(self) -> ScriptedModel:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def say_next(self, *replies: ScriptedReply) -> None:
        with self._lock:
            self._replies += replies

    def respond_with(self, responder: Responder) -> None:
        """Ask ``responder`` for what comes after the replies."""
        with self._lock:
            self._responder = responder

    def wait_for_requests(self, count: int, timeout_s: float = 30.0) -> None:
        """Return once ``count`` requests have arrived. Raises TimeoutError."""
        with self._arrived:
            if not self._arrived.wait_for(lambda: len(self.requests) >= count, timeout_s):
                raise TimeoutError(f"{len(self.requests)} of {count} requests came")

    def record(self, path: str, headers: Mapping[str, str], body: Mapping[str, object]) -> Recorded:
        recorded = Recorded(path, headers, body, prompt_tokens(body))
        with self._arrived:
            self.requests.append(recorded)
            self._arrived.notify_all()
        return recorded

    def next_reply(self, body: Mapping[str, object]) -> ScriptedReply:
        with self._lock:
            if self._replies:
                first = self._replies[0]
                if isinstance(first, Forever):
                    return first.reply
                return self._replies.pop(0)
        if self._responder:
            return self._responder(body)
        return Fail(404, "the script is at its end")

    def next_embedding(self) -> Endless | Fail | Vectors:
        with self._lock:
            return self._embeddings.pop(0) if self._embeddings else Vectors()

    def vectors(self, texts: list[str], dimensions: int | None) -> Iterator[list[float]]:
        """Yield a vector a text; not of unit length, as not every server's are."""
        embedder = HashingEmbedder()
        embedder.dimensions = dimensions or self.dimensions
        for row in embedder.passages(texts):
            yield [round(2.0 * float(number), 6) for number in row]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of clients that are gone: tests cut connections on purpose."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def prompt_tokens(body: Mapping[str, object]) -> int:
    """Return the server's own count of a request: of all text of messages, tools and input."""
    counted = {name: body[name] for name in ("messages", "tools", "input") if name in body}
    return sum(count_tokens(text) for text in _texts(counted))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def blank_reply(text: str, delay_s: float) -> Responder:
    """Return a responder that says ``text``, inside of an object where one is asked for."""

    def respond(body: Mapping[str, object]) -> ScriptedReply:
        form = body.get("response_format")
        if not isinstance(form, Mapping) or form.get("type") == "text":
            return Say(text, delay_s=delay_s)
        return Say(json.dumps({"answer": text, "sufficient": True}), delay_s=delay_s)

    return respond


def main() -> None:
    parser = argparse.ArgumentParser(description="A scripted OpenAI-compatible server.")
    parser.add_argument("--port", type=int, default=8089)
    parser.add_argument("--reply", default="This is a scripted reply.")
    parser.add_argument("--delay", type=float, default=0.05, help="seconds before each chunk")
    parser.add_argument("--refuse", action="append", default=[], help="such as json_schema")
    given = parser.parse_args()
    responder = blank_reply(given.reply, given.delay)
    with ScriptedModel(responder=responder, refuses=given.refuse, port=given.port) as model:
        print(f"Listening at {model.base_url}; end it with Ctrl-C.", flush=True)  # noqa: T201
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
