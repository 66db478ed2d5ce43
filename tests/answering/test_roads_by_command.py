"""The roads of the pipeline as `manage.py ask --json` tells them."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from tests.answering.conftest import BLANK, Asking, answer_of, saying
from tests.scripted_replies import Call, Fail, Say, say_json

QUESTION = "How long is the warranty of the SL-420?"
QUOTE = "The SL-420 has a warranty of 36 months."
ANSWER = "It is 36 months [1]."
LOOKS = (
    Say(calls=(Call("grep", {"pattern": "SL-420"}),)),
    Say(calls=(Call("read", {"uris": ["1"]}),)),
)


def asked(asking: Asking, preset: str, question: str = QUESTION) -> dict[str, Any]:
    """Ask on the command line and return the report; the command's error code raises."""
    out = StringIO()
    where = {"tenant": asking.company.tenant.slug, "kb": asking.company.base.slug}
    call_command("ask", question, preset=preset, json=True, stdout=out, **where)
    report: dict[str, Any] = json.loads(out.getvalue())
    return report


def proves(report: dict[str, Any]) -> bool:
    quotes = [(one["n"], one["quote"], one["verified"]) for one in report["citations"]]
    return report["answer"] == ANSWER and quotes == [(1, QUOTE, True)]


def test_sufficient(asking: Asking) -> None:
    asking.script(saying(QUOTE, ANSWER))
    report = asked(asking, "naive")
    assert proves(report)
    assert (report["state"], report["escalated"], report["rounds"]) == ("done", False, 1)
    chat = asking.server.chats[0]
    tokens = report["tokens"]
    assert (tokens["prompt"], tokens["completion"]) == (chat.prompt_tokens, chat.completion_tokens)


def test_missing_then_found_by_a_second_search(asking: Asking) -> None:
    asking.script(say_json({**BLANK, "missing": ["warranty of the SL-420"]}), saying(QUOTE, ANSWER))
    report = asked(asking, "adaptive")
    assert proves(report)
    assert (report["escalated"], report["rounds"]) == (False, 2)
    assert "warranty of the SL-420" in report["tool_calls"][-1]["arguments"]["query"]


def test_escalated_and_found(asking: Asking) -> None:
    asking.script(say_json(BLANK), say_json(BLANK), *LOOKS, saying(QUOTE, ANSWER))
    report = asked(asking, "adaptive")
    assert proves(report)
    assert report["escalated"]
    calls = [(one["name"], one["arguments"]) for one in report["tool_calls"][-2:]]
    assert calls == [("grep", {"pattern": "SL-420"}), ("read", {"uris": ["1"]})]
    assert all(one["items"] == 1 and one["tokens"] > 0 for one in report["tool_calls"][-2:])


def test_the_best_answer_where_the_budget_ends(asking: Asking, settings) -> None:
    settings.RUN_MAX_CALLS = 3
    asking.script(*LOOKS, saying(QUOTE, ANSWER))
    assert proves(asked(asking, "viking"))


def test_all_blank(asking: Asking) -> None:
    asking.server.respond_with(lambda body: say_json(BLANK))
    report = asked(asking, "kohaku", "What colour is the SL-420?")
    assert (report["state"], report["abstained"]) == ("done", True)
    assert (report["answer"], report["citations"]) == ("", [])
    assert report["reason"]


def test_a_vote_with_blanks(asking: Asking) -> None:
    draws = iter([True, False, True, True, False, True] * 10)

    def respond(body):
        if "search queries" in str(body["messages"][0]["content"]):
            return say_json({"queries": ["warranty"]})
        return say_json(answer_of(body, QUOTE, ANSWER, value="36") if next(draws) else BLANK)

    asking.server.respond_with(respond)
    assert proves(asked(asking, "kohaku"))


def test_a_model_that_does_not_answer_gives_exit_code_1_and_a_sentence(
    asking: Asking, capsys: pytest.CaptureFixture[str]
) -> None:
    asking.server.respond_with(lambda body: Fail(404, "gone"))
    out = StringIO()
    where = {"tenant": asking.company.tenant.slug, "kb": asking.company.base.slug}
    with pytest.raises(SystemExit) as ended:
        call_command("ask", QUESTION, preset="naive", json=True, stdout=out, **where)
    assert ended.value.code == 1
    report = json.loads(out.getvalue())
    assert report["state"] == "failed"
    assert report["reason"]
    assert report["tokens"]["prompt"] is None
