"""Stopping a call from another thread closes its socket, whatever the call waits for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

import pytest

from retrieval.llm.cancellation import Cancellation
from retrieval.llm.deltas import TextAdded
from retrieval.llm.errors import Cancelled, ModelError
from tests.llm.conftest import Connect, Serve
from tests.llm.requests import PLAIN
from tests.scripted_replies import Hang, Say, ScriptedReply, rate_limited

LONG = "one two three four five six seven eight " * 20


def in_thread(work: Callable[[], object]) -> tuple[threading.Thread, list[ModelError]]:
    caught: list[ModelError] = []

    def run() -> None:
        try:
            work()
        except ModelError as error:
            caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, caught


@pytest.mark.parametrize("streaming", [True, False])
def test_waiting_for_the_first_byte_ends_within_a_second(
    serve: Serve, connect: Connect, streaming: bool
) -> None:
    server, stop = serve(Hang()), Cancellation()
    model = connect(server, timeout_s=300.0)
    work = (
        (lambda: [*model.stream(PLAIN, cancellation=stop)])
        if streaming
        else (lambda: model.complete(PLAIN, cancellation=stop))
    )
    thread, caught = in_thread(work)
    server.wait_for_requests(1)
    stopped = time.monotonic()
    stop.cancel()
    thread.join(10)
    assert server.chats[0].ended.wait(10)
    assert isinstance(caught[0], Cancelled)
    closed = server.chats[0].closed_early
    assert closed is not None
    assert closed - stopped < 1  # the promise itself, not a speed
    assert caught[0].usage is not None
    assert caught[0].usage.completion == 0
    assert caught[0].usage.prompt
    assert caught[0].usage.estimated


def test_stopping_in_the_middle_tells_what_was_spent(serve: Serve, connect: Connect) -> None:
    server, stop = serve(Say(LONG, delay_s=0.02)), Cancellation()
    model = connect(server, timeout_s=300.0)
    seen: list[str] = []

    def read() -> None:
        for delta in model.stream(PLAIN, cancellation=stop):
            if isinstance(delta, TextAdded):
                seen.append(delta.text)
            if len(seen) == 5:
                stop.cancel()

    thread, caught = in_thread(read)
    thread.join(20)
    assert server.chats[0].ended.wait(10)
    assert server.chats[0].closed_early is not None
    assert isinstance(caught[0], Cancelled)
    assert caught[0].usage is not None
    assert 5 <= (caught[0].usage.completion or 0) <= server.chats[0].completion_tokens


def test_waiting_for_the_next_attempt_ends(serve: Serve, connect: Connect) -> None:
    server, stop = serve(rate_limited("60")), Cancellation()
    model = connect(server, timeout_s=300.0)
    thread, caught = in_thread(lambda: model.complete(PLAIN, cancellation=stop))
    server.wait_for_requests(1)
    assert server.chats[0].ended.wait(10)
    stop.cancel()
    thread.join(10)
    assert isinstance(caught[0], Cancelled)
    assert len(server.chats) == 1


def test_a_call_after_the_stop_is_not_made(serve: Serve, connect: Connect) -> None:
    server, stop = serve(Say("never")), Cancellation()
    stop.cancel()
    for call in (
        lambda: connect(server).complete(PLAIN, cancellation=stop),
        lambda: [*connect(server).stream(PLAIN, cancellation=stop)],
    ):
        with pytest.raises(Cancelled) as caught:
            call()
        assert caught.value.usage is None
    assert server.chats == []


def test_one_stop_ends_several_calls_and_spares_others(serve: Serve, connect: Connect) -> None:
    stop = Cancellation()

    def respond(body: Mapping[str, object]) -> ScriptedReply:
        return Say("done", first_delay_s=0.5) if body["model"] == "spared" else Hang()

    server = serve(responder=respond)
    model, spared = connect(server, timeout_s=60.0), connect(server, model="spared")
    running = [in_thread(lambda: model.complete(PLAIN, cancellation=stop)) for _ in range(4)]
    other, failed = in_thread(lambda: spared.complete(PLAIN))
    server.wait_for_requests(5)
    stop.cancel()
    for thread, caught in running:
        thread.join(10)
        assert isinstance(caught[0], Cancelled)
    other.join(10)
    assert failed == []
