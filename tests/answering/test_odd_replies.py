"""Replies of wrong types over the wire: every preset and every work of a model ends in a state."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from knowledge.figure_describers import FigureView, NotDescribed
from knowledge.ingest.abstracts import Piece, Source, WriterFailed
from retrieval.abstracting import writer_of
from retrieval.agent.presets import PRESETS
from retrieval.describing import ModelDescriber
from retrieval.llm.openai_model import OpenAIChatModel
from retrieval.llm.usage import MOST_TOKENS
from tests.answering.conftest import Asking, answer_of
from tests.scripted_replies import Raw

QUESTION = "How long is the warranty of the SL-420?"
QUOTE = "The SL-420 has a warranty of 36 months."

SOURCE = Source("Pumps", "en", (Piece("The pump runs at 24 volts."),))
FIGURE = FigureView(b"png", "image/png", "A pump", ("Pumps",), "en")

ODD: dict[str, dict[str, object]] = {
    "calls are a text": {"tool_calls": "search"},
    "call is a text": {"tool_calls": ["search"]},
    "call of other types": {"tool_calls": [{"function": {"name": 7, "arguments": [1]}}]},
    "nothing": {},
    "content is a number": {"content": 5},
    "data of other types": {"content": '{"answer": [1e999], "quotes": 5, "queries": {"a": 1}}'},
}


def raw(body: Mapping[str, object], message: object, usage: object = None) -> Raw:
    """Return a reply with this message in the way that was asked for."""
    streaming = bool(body.get("stream"))
    name = "delta" if streaming else "message"
    choice = {"index": 0, name: message, "finish_reason": "stop"}
    reply = json.dumps({"choices": [choice], "usage": usage})
    return Raw(f"data: {reply}\n\n", "text/event-stream") if streaming else Raw(reply)


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("preset", PRESETS)
def test_an_odd_reply_ends_in_a_sentence_or_without_an_answer(
    asking: Asking, preset: str, odd: str
) -> None:
    asking.server.respond_with(lambda body: raw(body, ODD[odd]))
    run = asking.ask(QUESTION, preset)
    assert run.state in ("done", "failed")
    assert run.state == "done" or run.reason
    assert "Something went wrong" not in run.reason
    assert asking.quotes(run) == []


@pytest.mark.parametrize(
    ("preset", "tokens"),
    [("kohaku", 10**30), ("kohaku", 3_000_000_000), ("naive", MOST_TOKENS)],
)
def test_a_good_answer_stays_whatever_the_server_counts(
    asking: Asking, preset: str, tokens: int
) -> None:
    def respond(body: Mapping[str, object]) -> Raw:
        content = json.dumps(answer_of(body, QUOTE, "It is 36 months [1]."))
        usage = {"prompt_tokens": tokens, "completion_tokens": tokens}
        return raw(body, {"content": content}, usage)

    asking.server.respond_with(respond)
    run = asking.ask(QUESTION, preset)
    assert (run.state, run.answer) == ("done", "It is 36 months [1].")


@pytest.mark.parametrize("odd", ["calls are a text", "call is a text", "content is a number"])
def test_an_odd_reply_is_no_abstract_and_no_caption(asking: Asking, odd: str) -> None:
    asking.server.respond_with(lambda body: raw(body, ODD[odd], {"prompt_tokens": 10**30}))
    base = asking.company.base
    writer = writer_of(base)
    assert writer is not None
    if odd == "call is a text":
        assert writer.write(SOURCE).text == ""
    else:
        with pytest.raises(WriterFailed):
            writer.write(SOURCE)
    model = OpenAIChatModel(base_url=asking.server.base_url, api_key="", model="m", timeout_s=20)
    describer = ModelDescriber(model, base.tenant_id, base.slug)
    with pytest.raises(NotDescribed):
        describer.describe(FIGURE)
