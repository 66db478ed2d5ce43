"""What servers do wrong, and what becomes of it, over real HTTP."""

from __future__ import annotations

import socket
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from retrieval.llm.capabilities import CapabilityMemory
from retrieval.llm.errors import (
    ContextOverflow,
    ModelError,
    ModelUnavailable,
    RateLimited,
    TimedOut,
)
from retrieval.llm.openai_model import OpenAIChatModel
from tests.llm.conftest import KEY, Connect, Serve
from tests.llm.requests import PLAIN, STRUCTURED, WITH_TOOLS, called, reply_of
from tests.scripted_replies import (
    OVERFLOWS,
    Drop,
    Fail,
    Hang,
    Raw,
    Say,
    rate_limited,
    say_json,
)

OBJECT = {"quotes": [], "answer": "45 euros", "sufficient": True}


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize(
    "faults",
    [
        [Fail(500), Fail(503), Fail(502)],
        [rate_limited("0"), rate_limited("0.01")],
        [rate_limited(format_datetime(datetime.now(UTC) - timedelta(hours=1)))],
        [Drop(), Drop()],
    ],
    ids=["5xx", "429 with seconds", "429 with a date", "dropped"],
)
def test_what_passes_is_tried_again(
    serve: Serve, connect: Connect, faults: list, streaming: bool
) -> None:
    server = serve(*faults, Say("It is 45."))
    model = connect(server)
    reply = called(model, PLAIN, streaming)
    assert reply.text == "It is 45."
    assert len(server.chats) == len(faults) + 1
    assert reply.usage.prompt == server.chats[-1].prompt_tokens


def test_attempts_come_to_an_end(serve: Serve, connect: Connect) -> None:
    server = serve(*[Fail(500, f"failure with {KEY}")] * 9)
    with pytest.raises(ModelUnavailable) as caught:
        connect(server, retries=2).complete(PLAIN)
    assert len(server.chats) == 3
    assert not caught.value.permanent
    assert caught.value.usage is None


def test_a_server_that_asks_to_wait_past_the_deadline_is_not_waited_for(
    serve: Serve, connect: Connect
) -> None:
    server = serve(rate_limited("3600"))
    with pytest.raises(RateLimited) as caught:
        connect(server).complete(PLAIN)
    assert caught.value.retry_after_s == 3600
    assert len(server.chats) == 1


def test_a_used_up_quota_is_not_asked_again(serve: Serve, connect: Connect) -> None:
    server = serve(rate_limited("0", "insufficient_quota"))
    with pytest.raises(RateLimited) as caught:
        connect(server).complete(PLAIN)
    assert caught.value.permanent
    assert "quota" in caught.value.sentence
    assert len(server.chats) == 1


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize(
    "slow",
    [Hang(), Say("one two three " * 100, delay_s=0.05)],
    ids=["hangs", "drips"],
)
def test_a_server_that_is_not_done_at_the_deadline_times_out(
    serve: Serve, connect: Connect, slow: Hang | Say, streaming: bool
) -> None:
    server = serve(slow)
    model = connect(server)
    with pytest.raises(TimedOut) as caught:
        called(model, PLAIN, streaming, timeout_s=0.5)
    assert caught.value.usage is not None
    assert caught.value.usage.estimated
    assert server.chats[0].ended.wait(10)
    assert server.chats[0].closed_early is not None


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize("spelling", sorted(OVERFLOWS))
def test_a_context_overflow_is_known_in_every_spelling(
    serve: Serve, connect: Connect, spelling: str, streaming: bool
) -> None:
    server = serve(Fail(400, body=OVERFLOWS[spelling]))
    model = connect(server)
    with pytest.raises(ContextOverflow) as caught:
        called(model, STRUCTURED, streaming)
    assert caught.value.limit == (None if spelling == "ollama" else 4096)
    assert len(server.chats) == 1


def test_a_context_overflow_inside_of_a_stream_is_known(serve: Serve, connect: Connect) -> None:
    event = (
        'data: {"error": {"message": "the request exceeds the available context size",'
        ' "type": "exceed_context_size_error", "n_ctx": 4096}}\n\n'
    )
    with pytest.raises(ContextOverflow) as caught:
        [*connect(serve(Raw(event, "text/event-stream"))).stream(PLAIN)]
    assert caught.value.limit == 4096


def test_an_error_inside_of_a_stream_that_has_said_nothing_is_tried_again(
    serve: Serve, connect: Connect
) -> None:
    event = 'data: {"error": {"message": "out of memory"}}\n\n'
    server = serve(Raw(event, "text/event-stream"), Say("It is 45."))
    assert reply_of(connect(server).stream(PLAIN)).text == "It is 45."


@pytest.mark.parametrize(
    ("refuses", "last_form"),
    [
        ((), "json_schema"),
        (("json_schema",), "json_object"),
        (("json_schema", "schema"), "json_object"),
        (("json_schema", "json_object"), None),
        (("response_format",), None),
    ],
)
def test_a_server_without_schemas_is_asked_in_a_weaker_form_and_that_is_remembered(
    serve: Serve, connect: Connect, refuses: tuple[str, ...], last_form: str | None
) -> None:
    server = serve(say_json(OBJECT), say_json(OBJECT), refuses=refuses)
    model = connect(server)
    assert model.complete(STRUCTURED).data == OBJECT
    first = len(server.chats)
    assert reply_of(model.stream(STRUCTURED)).data == OBJECT
    assert len(server.chats) == first + 1
    body = server.chats[-1].body
    assert (body.get("response_format") or {}).get("type") == last_form
    asked_in_words = "JSON schema" in body["messages"][0]["content"]
    assert asked_in_words == (last_form != "json_schema")


def test_a_server_that_calls_its_refusal_an_internal_error_is_understood(
    serve: Serve, connect: Connect
) -> None:
    server = serve(say_json(OBJECT), refuses=["json_schema"], refuses_with=500)
    assert connect(server, retries=0).complete(STRUCTURED).data == OBJECT
    assert len(server.chats) == 2


def test_an_internal_error_that_names_no_field_takes_nothing_away(
    serve: Serve, connect: Connect
) -> None:
    server = serve(Fail(500, "out of memory"), say_json(OBJECT))
    assert connect(server).complete(STRUCTURED).data == OBJECT
    assert server.chats[-1].body["response_format"]["type"] == "json_schema"


def test_what_was_found_out_is_known_to_other_models_of_the_same_name_and_server(
    serve: Serve, connect: Connect
) -> None:
    memory = CapabilityMemory()
    server = serve(say_json(OBJECT), say_json(OBJECT), say_json(OBJECT), refuses=["json_schema"])
    for name in ("scripted", "scripted", "other"):
        connect(server, memory=memory, model=name).complete(STRUCTURED)
    assert len(server.chats) == 2 + 1 + 2


def test_an_opaque_refusal_of_the_form_is_met_by_a_weaker_one(
    serve: Serve, connect: Connect
) -> None:
    server = serve(Fail(422, body="Unprocessable"), Fail(400, body=""), say_json(OBJECT))
    assert connect(server).complete(STRUCTURED).data == OBJECT


def test_a_server_without_stream_options_is_asked_without(serve: Serve, connect: Connect) -> None:
    server = serve(say_json(OBJECT), say_json(OBJECT), refuses=["stream_options"])
    model = connect(server)
    reply = reply_of(model.stream(STRUCTURED))
    assert reply.usage.estimated
    assert server.chats[-1].body["response_format"]["type"] == "json_schema"
    assert reply_of(model.stream(STRUCTURED)).data == OBJECT
    assert len(server.chats) == 3


def test_a_server_that_wants_other_names_of_limits_gets_them(
    serve: Serve, connect: Connect
) -> None:
    server = serve(Say("45."), refuses=["max_tokens", "temperature"])
    connect(server).complete(replace(PLAIN, max_tokens=100))
    body = server.chats[-1].body
    assert body["max_completion_tokens"] == 100
    assert "temperature" not in body


def test_a_request_that_is_wrong_for_good_is_refused_in_the_end(
    serve: Serve, connect: Connect
) -> None:
    server = serve(refuses=["tools"])
    with pytest.raises(ModelUnavailable) as caught:
        connect(server).complete(WITH_TOOLS)
    assert caught.value.permanent
    assert "tools" in caught.value.detail


@pytest.mark.parametrize(
    "fault",
    [
        Fail(401, f"Incorrect API key provided: {KEY}"),
        Fail(403, body={"detail": f"Bearer {KEY} may not"}),
        Fail(404, f"no model for {KEY}"),
        Fail(400, KEY),
        Fail(429, KEY, "insufficient_quota"),
        Fail(500, KEY),
        Raw(f'{{"choices": [], "id": "{KEY}"}}'),
        Fail(307, headers={"Location": f"http://127.0.0.1:1/{KEY}"}),
    ],
    ids=["401", "403", "404", "400", "429", "500", "no reply", "redirect"],
)
def test_no_error_holds_the_key(
    serve: Serve, connect: Connect, fault: Fail | Raw, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "retrieval")
    model = connect(serve(fault), retries=0)
    with pytest.raises(ModelError) as caught:
        model.complete(PLAIN)
    error = caught.value
    assert error.sentence.endswith(".")
    shown = f"{error!r} {error} {error.detail} {error.__cause__} {model!r} {caplog.text}"
    assert KEY not in shown
    assert error.__suppress_context__


def test_a_wrong_key_is_said_and_not_tried_again(serve: Serve, connect: Connect) -> None:
    server = serve(Say("never"), api_key="sk-another")
    with pytest.raises(ModelUnavailable, match="did not accept the key") as caught:
        connect(server).complete(PLAIN)
    assert caught.value.permanent
    assert len(server.chats) == 1


def test_without_a_key_none_is_sent(serve: Serve, connect: Connect) -> None:
    server = serve(Say("It is 45."))
    connect(server, api_key="").complete(PLAIN)
    assert "authorization" not in server.chats[0].headers


def test_settings_of_other_software_do_not_reach_the_server(
    serve: Serve, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-secret")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    server = serve(Say("It is 45."))
    connect(server).complete(PLAIN)
    sent = " ".join(server.chats[0].headers.values())
    assert "secret" not in sent
    assert "environment" not in sent


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        model = OpenAIChatModel(base_url=url, api_key=KEY, model="x", retries=1, backoff_s=0.01)
        with pytest.raises(ModelUnavailable, match="cannot be reached"):
            model.complete(PLAIN)


def test_the_guard_runs_before_every_attempt_and_may_refuse(serve: Serve, connect: Connect) -> None:
    class Held(Exception):
        pass

    asked: list[int] = []

    def guard() -> None:
        asked.append(1)
        if len(asked) == 3:
            raise Held

    server = serve(Fail(500), Say("It is 45."), Say("never"))
    model = connect(server, before_call=guard)
    model.complete(PLAIN)
    assert len(asked) == 2
    with pytest.raises(Held):
        [*model.stream(PLAIN)]
    assert len(server.chats) == 2
