"""What a server may send: how much, and of which types, over real HTTP."""

from __future__ import annotations

import gzip
import json

import pytest

from retrieval.llm.errors import MalformedReply, ModelError
from retrieval.llm.openai_model import REPLY_BYTES
from retrieval.llm.reply_reader import ENDLESS, MOST_CALLS, NO_REPLY
from tests.llm.conftest import Connect, Serve
from tests.llm.requests import PLAIN, STRUCTURED, WITH_TOOLS, called, reply_of
from tests.scripted_replies import Call, Endless, Fail, Raw, Say

SSE = "text/event-stream"
PIECE = b"x" * 2**16
WORD = {"choices": [{"index": 0, "delta": {"content": "word " * 20}}]}
EVENT = f"data: {json.dumps(WORD)}\n\n".encode()
DEEP = "[" * 200_000


def sent(message: object, streaming: bool, **fields: object) -> Raw:
    """Return a reply with this message, whole or as a stream of one event."""
    name = "delta" if streaming else "message"
    choice = {"index": 0, name: message, "finish_reason": "stop"}
    body = json.dumps({"id": "1", "choices": [choice]} | fields)
    return Raw(f"data: {body}\n\n", SSE) if streaming else Raw(body)


@pytest.mark.parametrize(
    ("endless", "streaming"),
    [
        (Endless(PIECE, b"data: "[:-1], SSE), True),
        (Endless(b": still here\n\n" * 4_000, b"", SSE), True),
        (Endless(b"data: 1\n" * 8_000, b"", SSE), True),
        (Endless(EVENT * 400, b"", SSE), True),
        (Endless(PIECE, b'{"choices": "'), False),
        (Endless(b" " * 2**16), False),
    ],
    ids=["one line", "comments", "one event", "words", "one text", "spaces"],
)
def test_a_reply_without_end_ends_as_an_error_after_a_few_megabytes(
    serve: Serve, connect: Connect, endless: Endless, streaming: bool
) -> None:
    server = serve(endless)
    with pytest.raises(MalformedReply) as caught:
        called(connect(server), PLAIN, streaming)
    assert caught.value.sentence == ENDLESS
    (chat,) = server.chats
    assert chat.ended.wait(10)
    # What the sockets of both sides hold comes on top of what was read.
    assert chat.sent_bytes < REPLY_BYTES + 8 * 2**20


def test_an_error_without_end_is_an_error(serve: Serve, connect: Connect) -> None:
    with pytest.raises(ModelError):
        connect(serve(Fail(400, body="x" * (REPLY_BYTES + 1)))).complete(PLAIN)


@pytest.mark.parametrize("streaming", [True, False])
def test_a_packed_reply_is_refused_as_none_was_asked_for(
    serve: Serve, connect: Connect, streaming: bool
) -> None:
    bomb = gzip.compress(bytes(2**24))
    server = serve(Fail(200, body=bomb, headers={"Content-Encoding": "gzip"}))
    with pytest.raises(MalformedReply):
        called(connect(server), PLAIN, streaming)
    assert server.chats[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize(
    "message",
    [
        {"content": "word " * 100_000},
        {"refusal": "word " * 100_000},
        {"reasoning_content": "word " * 100_000, "content": "Short."},
        {"tool_calls": [{"function": {"name": "search", "arguments": "x" * 500_000}}]},
        {"tool_calls": [{"index": n, "id": f"c{n}"} for n in range(MOST_CALLS + 1)]},
    ],
    ids=["text", "refusal", "thought", "arguments", "calls"],
)
def test_an_answer_longer_than_any_is_an_error(
    serve: Serve, connect: Connect, message: dict[str, object], streaming: bool
) -> None:
    server = serve(sent(message, streaming))
    with pytest.raises(MalformedReply) as caught:
        called(connect(server), WITH_TOOLS, streaming)
    assert caught.value.sentence == ENDLESS
    assert len(server.chats) == 1


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize("told", [-5, 3_000_000_000, 10**30, 1e30, 1e999, "12", [12], True])
def test_a_count_of_tokens_that_cannot_be_is_unknown_and_the_answer_stays(
    serve: Serve, connect: Connect, told: object, streaming: bool
) -> None:
    usage = {
        "prompt_tokens": told,
        "completion_tokens": told,
        "prompt_tokens_details": {"cached_tokens": told},
    }
    reply = called(
        connect(serve(sent({"content": "It is 45."}, streaming, usage=usage))), PLAIN, streaming
    )
    assert reply.text == "It is 45."
    assert reply.usage.estimated
    assert 0 < (reply.usage.prompt or 0) < 100
    assert 0 < (reply.usage.completion or 0) < 100
    assert reply.usage.cached is None


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize("usage", ["many", 5, [1], {"prompt_tokens_details": "none"}])
def test_a_usage_of_another_type_is_unknown(
    serve: Serve, connect: Connect, usage: object, streaming: bool
) -> None:
    server = serve(sent({"content": "It is 45."}, streaming, usage=usage))
    assert called(connect(server), PLAIN, streaming).usage.estimated


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize(
    "message",
    ["words", 5, ["words"], {"tool_calls": "search"}, {"tool_calls": {"id": "1"}}, {"content": 5}],
)
def test_a_message_of_another_type_is_no_reply(
    serve: Serve, connect: Connect, message: object, streaming: bool
) -> None:
    for request in (PLAIN, STRUCTURED, WITH_TOOLS):
        with pytest.raises(MalformedReply) as caught:
            called(connect(serve(sent(message, streaming))), request, streaming)
        assert caught.value.sentence == NO_REPLY


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize(
    "call",
    [
        "search",
        7,
        None,
        {},
        {"function": "search"},
        {"function": {"name": 7, "arguments": "{}"}},
        {"function": {"name": ["search"], "arguments": "{}"}},
        {"function": {"name": "search", "arguments": 5}},
        {"function": {"name": "search", "arguments": ["x"]}},
        {"function": {"name": "search", "arguments": DEEP}},
        {"function": {"name": "search" * 1_000, "arguments": "{}"}},
        {"id": {"a": 1}, "index": [0], "function": {"name": "search", "arguments": "9" * 5_000}},
    ],
    ids=lambda call: str(call)[:60],
)
def test_a_tool_call_of_other_types_is_told_to_the_model(
    serve: Serve, connect: Connect, call: object, streaming: bool
) -> None:
    server = serve(sent({"tool_calls": [call]}, streaming))
    (unusable,) = called(connect(server), WITH_TOOLS, streaming).tool_calls
    assert unusable.error
    assert unusable.arguments == {}
    assert len(unusable.name) <= 200
    assert unusable.id


@pytest.mark.parametrize("streaming", [True, False])
def test_numbers_without_end_in_an_object_are_null(
    serve: Serve, connect: Connect, streaming: bool
) -> None:
    call = {"function": {"name": "search", "arguments": '{"query": "x", "limit": 1e999}'}}
    server = serve(
        sent({"tool_calls": [call]}, streaming),
        sent({"content": '{"answer": "45", "sufficient": -1e999}'}, streaming),
    )
    model = connect(server)
    (understood,) = called(model, WITH_TOOLS, streaming).tool_calls
    assert understood.arguments == {"query": "x", "limit": None}
    assert called(model, STRUCTURED, streaming).data == {"answer": "45", "sufficient": None}


@pytest.mark.parametrize("streaming", [True, False])
def test_the_text_of_parts_is_the_text(serve: Serve, connect: Connect, streaming: bool) -> None:
    parts = [{"type": "text", "text": "It is "}, 5, {"type": "text", "text": "45."}]
    server = serve(sent({"content": parts}, streaming, model=["odd"]))
    assert called(connect(server), PLAIN, streaming).text == "It is 45."


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize(
    "value", [DEEP, "9" * 5_000, '"words"', "5", '{"choices": "words"}', '{"choices": [5]}']
)
def test_odd_json_is_a_model_error(
    serve: Serve, connect: Connect, value: str, streaming: bool
) -> None:
    raw = Raw(f"data: {value}\n\n", SSE) if streaming else Raw(value)
    with pytest.raises(ModelError) as caught:
        called(connect(serve(raw), retries=0), PLAIN, streaming)
    assert caught.value.sentence.endswith(".")


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"code": ["odd"], "type": {"a": 1}, "message": {"b": [2]}}},
        {"error": {"message": "maximum context length is " + "9" * 5_000}},
        {"error": {"code": "exceed_context_size_error", "n_ctx": 10**30}},
        '{"error": ' * 900 + "1" + "}" * 900,
        '{"error": ' + "[" * 900 + "]" * 900 + "}",
    ],
    ids=["types", "digits", "context", "objects", "arrays"],
)
@pytest.mark.parametrize("status", [400, 429, 500])
def test_odd_errors_are_model_errors(
    serve: Serve, connect: Connect, body: object, status: int
) -> None:
    with pytest.raises(ModelError) as caught:
        connect(serve(*[Fail(status, body=body)] * 4), retries=0).complete(PLAIN)
    assert caught.value.sentence.endswith(".")


def test_json_under_another_content_type_is_read(serve: Serve, connect: Connect) -> None:
    raw = sent({"content": "It is 45."}, streaming=False)
    assert connect(serve(Raw(raw.body, "text/plain"))).complete(PLAIN).text == "It is 45."


def test_a_usual_call_after_all_that_is_understood(serve: Serve, connect: Connect) -> None:
    server = serve(Say(calls=(Call("search", {"query": "travel"}),)))
    assert not reply_of(connect(server).stream(WITH_TOOLS)).tool_calls[0].error
