"""Replies, streamed and whole, over real HTTP."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from retrieval.llm.chat import ChatRequest, Message, ToolCall
from retrieval.llm.deltas import Completed, Delta, ToolNamed
from retrieval.llm.errors import MalformedReply, ModelUnavailable
from tests.llm.conftest import KEY, Connect, Serve
from tests.llm.requests import PLAIN, STRUCTURED, WITH_TOOLS, called, reply_of, shown, text_of
from tests.scripted_replies import Call, Drop, Forever, Raw, Say, UsageTold, say_json

OBJECT = {
    "quotes": ["The allowance is 45 euros."],
    "answer": "It is 45 euros [1].",
    "sufficient": True,
}


def test_a_whole_reply_has_text_and_the_servers_own_count(serve: Serve, connect: Connect) -> None:
    server = serve(Say("It is 45 euros [1].", cached=12))
    reply = connect(server).complete(PLAIN)
    assert (reply.text, reply.finish_reason, reply.model) == (
        "It is 45 euros [1].",
        "stop",
        "scripted",
    )
    sent = server.chats[0]
    assert (reply.usage.prompt, reply.usage.completion) == (
        sent.prompt_tokens,
        sent.completion_tokens,
    )
    assert reply.usage.cached == 12
    assert not reply.usage.estimated
    assert sent.headers["authorization"] == f"Bearer {KEY}"


def test_a_stream_gives_the_text_in_pieces_and_the_reply_last(
    serve: Serve, connect: Connect
) -> None:
    server = serve(Say("It is 45 euros [99]."))
    deltas = [*connect(server).stream(PLAIN)]
    assert len(deltas) == 6
    assert text_of(deltas) == "It is 45 euros [99]."
    assert isinstance(deltas[-1], Completed)
    assert reply_of(deltas).text == "It is 45 euros [99]."


def test_the_answer_grows_while_the_object_is_still_coming(serve: Serve, connect: Connect) -> None:
    server = serve(say_json(OBJECT))
    deltas = [*connect(server).stream(STRUCTURED)]
    values = shown(deltas)
    assert len(values) > 3
    assert all(later.startswith(earlier) for earlier, later in pairwise(values))
    assert values[-1] == OBJECT["answer"]
    assert reply_of(deltas).data == OBJECT


def test_whoever_waits_for_the_whole_reply_can_watch_it_grow(
    serve: Serve, connect: Connect
) -> None:
    server = serve(say_json(OBJECT), Say("It is 45."))
    model = connect(server)
    field: list[str] = []
    assert model.complete(STRUCTURED, on_text=field.append).data == OBJECT
    assert field[-1] == OBJECT["answer"]
    assert len(field) > 3
    text: list[str] = []
    model.complete(PLAIN, on_text=text.append)
    assert text == ["It", "It is", "It is 45."]


def test_usage_in_every_chunk_counts_once(serve: Serve, connect: Connect) -> None:
    server = serve(Say("one two three four five", usage="cumulative"))
    usage = reply_of(connect(server).stream(PLAIN)).usage
    sent = server.chats[0]
    assert (usage.prompt, usage.completion) == (sent.prompt_tokens, sent.completion_tokens)
    assert not usage.estimated


@pytest.mark.parametrize("told", ["never", "zeros"])
def test_usage_that_nobody_told_is_estimated_and_says_so(
    serve: Serve, connect: Connect, told: UsageTold
) -> None:
    server = serve(Say("one two three", usage=told), Say("one two three", usage=told))
    model = connect(server)
    for usage in (reply_of(model.stream(PLAIN)).usage, model.complete(PLAIN).usage):
        assert usage.estimated
        assert usage.completion == server.chats[0].completion_tokens == 3
        assert usage.prompt is not None
        assert usage.prompt > server.chats[0].prompt_tokens
        assert usage.cached is None


def test_the_prompt_of_an_image_is_unknown_rather_than_guessed(
    serve: Serve, connect: Connect
) -> None:
    server = serve(Say("A chart.", usage="never"))
    message = Message("user", "Describe it.", images=("data:image/png;base64,AAAA",))
    usage = connect(server).complete(ChatRequest((message,), "caption")).usage
    assert usage.prompt is None
    assert usage.estimated
    parts = server.chats[0].body["messages"][0]["content"]
    assert [part["type"] for part in parts] == ["text", "image_url"]


def test_a_refusal_is_told_as_one(serve: Serve, connect: Connect) -> None:
    server = serve(Say(refusal="I cannot help."), Say(refusal="I cannot help."))
    model = connect(server)
    for reply in (model.complete(STRUCTURED), reply_of(model.stream(STRUCTURED))):
        assert reply.refusal == "I cannot help."
        assert reply.data is None


def test_a_content_filter_is_a_refusal(serve: Serve, connect: Connect) -> None:
    server = serve(Say("The", finish_reason="content_filter"))
    assert "filter" in reply_of(connect(server).stream(STRUCTURED)).refusal


@pytest.mark.parametrize("streaming", [True, False])
def test_tool_calls_are_gathered_from_their_pieces(
    serve: Serve, connect: Connect, streaming: bool
) -> None:
    calls = (Call("search", {"query": "travel"}), Call("read", {"uri": "kb://a/b"}))
    server = serve(Say(calls=calls))
    model = connect(server)
    deltas: list[Delta] = [Completed(model.complete(WITH_TOOLS))]
    if streaming:
        server.say_next(Say(calls=calls))
        deltas = [*model.stream(WITH_TOOLS)]
    reply = reply_of(deltas)
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [
        ("search", {"query": "travel"}),
        ("read", {"uri": "kb://a/b"}),
    ]
    assert not any(call.error for call in reply.tool_calls)
    assert reply.finish_reason == "tool_calls"
    assert [one.name for one in deltas if isinstance(one, ToolNamed)] == (
        ["search", "read"] if streaming else []
    )


@pytest.mark.parametrize("streaming", [True, False])
def test_a_bad_tool_call_is_told_to_the_model_and_breaks_nothing(
    serve: Serve, connect: Connect, streaming: bool
) -> None:
    calls = (
        Call("serch", {"query": "travel"}),
        Call("search", '{"query": "tra'),
        Call("search", "not json"),
        Call("search", "[1]"),
        Call("read", ""),
    )
    server = serve(Say(calls=calls))
    model = connect(server)
    reply = called(model, WITH_TOOLS, streaming)
    unknown, cut, words, array, empty = reply.tool_calls
    assert "serch" in unknown.error
    assert "search, read" in unknown.error
    assert cut.error
    assert cut.arguments == {}
    assert words.error
    assert words.arguments == {}
    assert array.error
    assert not empty.error
    assert empty.arguments == {}


@pytest.mark.parametrize(
    "parts",
    [
        [(0, "a", "search", '{"que'), (0, "a", "search", 'ry": "x"}'), (1, "b", "read", "{}")],
        [(0, "a", "search", '{"query": "x"}'), (0, "b", "read", "{}")],
        [(None, "a", "search", {"query": "x"}), (None, "b", "read", {})],
        [(0, "a", "sea", ""), (0, None, "rch", '{"query": "x"}'), (1, "b", "read", "")],
    ],
    ids=["name repeated", "index repeated", "no index, objects", "name in pieces"],
)
def test_tool_calls_are_understood_as_other_servers_stream_them(
    serve: Serve, connect: Connect, parts: list[tuple]
) -> None:
    events = []
    for index, name_of_call, name, arguments in parts:
        call = {"index": index, "id": name_of_call, "type": "function"}
        call["function"] = {"name": name, "arguments": arguments}
        choice = {"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}
        events.append({"id": "1", "choices": [choice]})
    events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
    server = serve(Raw(body, "text/event-stream"))
    reply = reply_of(connect(server).stream(WITH_TOOLS))
    assert [(one.name, one.arguments, one.error) for one in reply.tool_calls] == [
        ("search", {"query": "x"}, ""),
        ("read", {}, ""),
    ]


def test_a_broken_call_is_not_repeated_to_the_server_as_it_was(
    serve: Serve, connect: Connect
) -> None:
    server = serve(Say("Then not."))
    broken = ToolCall(
        "call_1", "no such/tool", {}, raw='{"query": ', error="There is no such tool."
    )
    messages = (
        *PLAIN.messages,
        Message("assistant", "", tool_calls=(broken,)),
        Message("tool", broken.error, tool_call_id="call_1"),
    )
    connect(server).complete(ChatRequest(messages, "agent", tools=WITH_TOOLS.tools))
    sent = server.chats[0].body["messages"]
    assert sent[2]["tool_calls"][0]["function"] == {"name": "no_such_tool", "arguments": "{}"}
    assert sent[3]["tool_call_id"] == "call_1"


def test_tools_called_without_end_are_one_reply_each(serve: Serve, connect: Connect) -> None:
    server = serve(Forever(Say(calls=(Call("search", {"query": "again"}),))))
    model = connect(server)
    assert all(model.complete(WITH_TOOLS).tool_calls for _ in range(5))
    assert len(server.chats) == 5


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"quotes": [], "answer": "45 euros", "sufficient": true}\n```',
        'Here you are: {"quotes": [], "answer": "45 euros", "sufficient": true,} Good luck!',
        '<think>{"answer": "no"}</think>{"quotes": [], "answer": "45 euros", "sufficient": true}',
        '{"quotes": ["a", "b",], "answer": "45 euros", "suffic',
    ],
    ids=["fence", "comma and words", "thought", "cut in a key"],
)
def test_an_object_is_found_in_what_surrounds_it(serve: Serve, connect: Connect, text: str) -> None:
    deltas = [*connect(serve(Say(text))).stream(STRUCTURED)]
    data = reply_of(deltas).data
    assert data is not None
    assert data["answer"] == shown(deltas)[-1] == "45 euros"


def test_a_text_that_broke_off_is_shown_while_it_comes_and_no_data(
    serve: Serve, connect: Connect
) -> None:
    cut = Say('{"quotes": ["a"], "answer": "45 euros, unl', finish_reason="length")
    deltas = [*connect(serve(cut)).stream(STRUCTURED)]
    assert reply_of(deltas).data == {"quotes": ["a"], "answer": None}
    assert shown(deltas)[-1] == "45 euros, unl"


def test_a_reply_without_the_object_has_its_text_and_tokens_but_no_data(
    serve: Serve, connect: Connect
) -> None:
    server = serve(Say("I would rather talk."), Say('{"other": 1}'))
    model = connect(server)
    for streaming in (True, False):
        reply = called(model, STRUCTURED, streaming)
        assert reply.text
        assert reply.data is None
        assert reply.usage.completion == server.chats[-1].completion_tokens


@pytest.mark.parametrize(
    "raw",
    [
        Raw("<html>Sign in</html>", "text/html"),
        Raw("{}"),
        Raw("[]"),
        Raw('{"choices": []}'),
        Raw('{"choices": [{"index": 0'),
    ],
    ids=["html", "empty", "array", "no choice", "cut"],
)
def test_what_is_no_reply_at_all_is_malformed(serve: Serve, connect: Connect, raw: Raw) -> None:
    with pytest.raises(MalformedReply):
        connect(serve(raw)).complete(PLAIN)


def test_a_stream_with_a_broken_event_is_malformed(serve: Serve, connect: Connect) -> None:
    with pytest.raises(MalformedReply):
        [*connect(serve(Raw("data: {broken\n\n", "text/event-stream"))).stream(PLAIN)]


def test_a_stream_that_breaks_off_says_so_with_what_it_spent(
    serve: Serve, connect: Connect
) -> None:
    server = serve(Say("one two three four", cut_after=2))
    with pytest.raises(ModelUnavailable) as caught:
        [*connect(server).stream(PLAIN)]
    assert caught.value.usage is not None
    assert caught.value.usage.completion == server.chats[0].completion_tokens == 2
    assert caught.value.usage.estimated
    assert len(server.chats) == 1


def test_a_stream_that_breaks_off_before_its_first_word_is_asked_again(
    serve: Serve, connect: Connect
) -> None:
    server = serve(Drop(), Say("one", cut_after=0), Raw("", "text/event-stream"), Say("It is 45."))
    assert reply_of(connect(server).stream(PLAIN)).text == "It is 45."
    assert len(server.chats) == 4


def test_what_a_database_refuses_is_replaced(serve: Serve, connect: Connect) -> None:
    broken = '{"quotes": ["a\\u0000b"], "answer": "\\ud800 \\ud83d\\ude00", "sufficient": NaN}'
    deltas = [*connect(serve(Say(broken))).stream(STRUCTURED)]
    assert reply_of(deltas).data == {"quotes": ["a�b"], "answer": "? 😀", "sufficient": None}
    assert shown(deltas)[-1].endswith(" 😀")


def test_closing_the_stream_closes_the_connection(serve: Serve, connect: Connect) -> None:
    server = serve(Say("one two three four five six", delay_s=0.05))
    stream = connect(server).stream(PLAIN)
    next(stream)
    stream.close()
    assert server.chats[0].ended.wait(10)
    assert server.chats[0].closed_early is not None
