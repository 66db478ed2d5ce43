"""Every road of the pipeline, driven by a scripted model over real HTTP."""

from __future__ import annotations

import json
import re
import threading
import time

import pytest

from accounts.connections import release_connection
from accounts.tenancy import tenant_transaction
from retrieval.models import Run, UsageEntry
from retrieval.services.runs import run_create, run_execute, run_stop
from retrieval.turns import turn_of
from tests.answering.conftest import BLANK, Asking, answer_of, saying
from tests.scripted_replies import Call, Fail, Forever, Hang, Say, say_json

QUESTION = "How long is the warranty of the SL-420?"
QUOTE = "The SL-420 has a warranty of 36 months."
ANSWER = "It is 36 months [1]."


def kinds(asking: Asking, run: Run) -> list[str]:
    return [kind for kind, _ in asking.events(run)]


def executed(run: Run) -> None:
    """Answer in a thread, as the web process does it."""
    try:
        run_execute(tenant_id=run.tenant_id, run_id=run.pk)
    finally:
        release_connection()


def test_a_sufficient_answer_cites_what_it_quotes(asking: Asking) -> None:
    asking.script(saying(QUOTE, ANSWER))
    run = asking.ask(QUESTION)
    assert (run.state, run.answer, run.abstained) == ("done", ANSWER, False)
    assert asking.quotes(run) == [QUOTE]
    assert len(asking.server.chats) == 1


def test_the_ledger_counts_what_the_server_counted(asking: Asking) -> None:
    asking.script(say_json(BLANK), saying(QUOTE, ANSWER))
    run = asking.ask(QUESTION, "kohaku")
    counted = asking.server.chats
    with tenant_transaction(asking.company.tenant):
        rows = list(UsageEntry.objects.filter(run_number=run.pk, failed=False).order_by("pk"))
    assert len(rows) == 2
    told = counted[:2]
    assert [row.prompt_tokens for row in rows] == [one.prompt_tokens for one in told]
    assert [row.completion_tokens for row in rows] == [one.completion_tokens for one in told]


def test_usage_that_no_provider_tells_is_marked_as_estimated(asking: Asking) -> None:
    def without_usage(body):
        return Say(json.dumps(answer_of(body, QUOTE, ANSWER)), usage="never")

    asking.script(without_usage)
    run = asking.ask(QUESTION)
    assert run.tokens_estimated


def test_a_quote_that_is_nowhere_is_no_citation(asking: Asking) -> None:
    asking.script(saying("The SL-420 has a warranty of 63 months.", "It is 63 months [1]."))
    run = asking.ask(QUESTION)
    assert run.abstained
    assert asking.quotes(run) == []
    assert "63" not in run.answer


@pytest.mark.parametrize("marker", ["[99]", "[7][8]", "【9】"])
def test_a_marker_without_a_quote_is_not_shown(asking: Asking, marker: str) -> None:
    asking.script(saying(QUOTE, f"It is 36 months [1] {marker}."))
    run = asking.ask(QUESTION)
    assert not run.abstained
    assert run.answer.count("[") == 1


def test_missing_evidence_is_searched_for_once_before_the_agent_is_called(asking: Asking) -> None:
    blank = {**BLANK, "missing": ["warranty of the SL-420"]}
    asking.script(say_json(blank), saying(QUOTE, ANSWER))
    run = asking.ask(QUESTION, "adaptive")
    assert run.answer == ANSWER
    assert not run.escalated
    searched = [payload["query"] for kind, payload in asking.events(run) if kind == "searched"]
    assert "warranty of the SL-420" in searched[-1]


def test_what_two_rounds_do_not_find_the_agent_does(asking: Asking) -> None:
    asking.script(
        say_json(BLANK),
        say_json(BLANK),
        Say(calls=(Call("grep", {"pattern": "SL-420"}),)),
        Say(calls=(Call("read", {"uris": ["1"]}),)),
        saying(QUOTE, ANSWER),
    )
    run = asking.ask(QUESTION, "adaptive")
    assert run.escalated
    assert (run.answer, asking.quotes(run)) == (ANSWER, [QUOTE])
    assert kinds(asking, run).count("tool") == 2
    with tenant_transaction(asking.company.tenant):
        shown = turn_of(run.pk, asking.company.tenant).steps
    assert [step for step in shown if step.startswith(("Looking further", "Used"))] == [
        "Looking further",
        "Used grep: 1 result",
        "Used read: 1 result",
    ]


def test_an_old_preview_shrinks_to_the_places_that_were_not_read(asking: Asking) -> None:
    asking.script(
        say_json(BLANK),
        say_json(BLANK),
        Say(calls=(Call("search", {"query": "warranty"}),)),
        Say(calls=(Call("read", {"uris": ["1"]}),)),
        saying(QUOTE, ANSWER),
    )
    asking.ask(QUESTION, "adaptive")
    first, then = (
        next(message["content"] for message in chat.body["messages"] if message["role"] == "tool")
        for chat in asking.server.chats[3:]
    )
    places = re.findall(r"^\[\d+\]", first, re.MULTILINE)
    assert "[1]" in places
    assert len(places) > 1
    assert then.startswith("(search: ")
    assert re.findall(r"\[\d+\]", then) == [place for place in places if place != "[1]"]


def test_an_agent_that_never_ends_is_asked_for_its_best_answer(asking: Asking) -> None:
    def respond(body):
        if not body.get("tools"):
            return say_json(answer_of(body, QUOTE, ANSWER))
        rounds = sum(message["role"] == "tool" for message in body["messages"])
        if not rounds:
            return Say(calls=(Call("search", {"query": "warranty"}),))
        return Say(calls=(Call("read", {"uris": [str(rounds)]}),))

    asking.server.respond_with(respond)
    run = asking.ask(QUESTION, "viking")
    assert (run.answer, asking.quotes(run)) == (ANSWER, [QUOTE])
    assert run.rounds <= 10


def test_wrong_tools_and_broken_arguments_are_told_to_the_model(asking: Asking) -> None:
    asking.script(
        Say(calls=(Call("delete_everything", {}), Call("search", "{not json"))),
        Say(calls=(Call("search", {"query": "warranty SL-420"}),)),
        Say(calls=(Call("read", {"uris": ["1", "2", "3"]}),)),
        saying(QUOTE, ANSWER),
    )
    run = asking.ask(QUESTION, "viking")
    assert run.answer == ANSWER
    second = asking.server.chats[1].body["messages"]
    told = [message["content"] for message in second if message["role"] == "tool"]
    assert len(told) == 2
    assert all("rror" in text for text in told)


def test_endless_arguments_are_told_to_the_model_and_not_stored(asking: Asking) -> None:
    asking.script(
        Say(calls=(Call("read", {"uris": ["x" * 30_000]}),)),
        saying(QUOTE, ANSWER),
        saying(QUOTE, ANSWER),
    )
    run = asking.ask(QUESTION, "viking")
    assert "tool" not in kinds(asking, run)
    assert asking.server.chats[1].body["messages"][-1]["content"].startswith("These arguments")


def test_identical_calls_are_not_made_twice(asking: Asking) -> None:
    same = Say(calls=(Call("search", {"query": "warranty"}),))
    asking.script(same, same, same, say_json(BLANK), say_json(BLANK))
    run = asking.ask(QUESTION, "viking")
    assert run.abstained
    assert kinds(asking, run).count("tool") == 1


def test_what_was_read_stays_in_the_prompt_where_calls_share_an_id(asking: Asking) -> None:
    asking.script(
        say_json(BLANK),
        say_json(BLANK),
        Say(calls=(Call("read", {"uris": ["kb://handbook/handbook/warranty"]}, "same"),)),
        Say(calls=(Call("inventory", {}, "same"),)),
        Say(calls=(Call("list", {}, "other"),)),
        saying(QUOTE, ANSWER),
    )
    run = asking.ask(QUESTION, "adaptive")
    assert (run.answer, asking.quotes(run)) == (ANSWER, [QUOTE])


def test_when_every_draw_is_blank_the_run_abstains_with_reasons(asking: Asking) -> None:
    asking.server.respond_with(lambda body: say_json(BLANK))
    run = asking.ask("What colour is the SL-420?", "kohaku")
    assert run.abstained
    payload = asking.events(run)[-1][1]
    assert payload["missing"] == ["the colour of the SL-420"]
    assert payload["nearest"]


def test_blank_draws_have_no_vote(asking: Asking) -> None:
    draws = iter([True, False, True, True, False, True] * 10)

    def respond(body):
        if "search queries" in str(body["messages"][0]["content"]):
            return say_json({"queries": ["warranty"]})
        return say_json(answer_of(body, QUOTE, ANSWER, value="36") if next(draws) else BLANK)

    asking.server.respond_with(respond)
    run = asking.ask(QUESTION, "kohaku")
    assert run.answer == ANSWER
    assert "voted" in kinds(asking, run)


def test_a_budget_that_ends_amid_the_vote_keeps_the_answer_that_was_drawn(
    asking: Asking, settings
) -> None:
    settings.RUN_MAX_CALLS = 3
    asking.script(say_json({"queries": ["warranty"]}), saying(QUOTE, ANSWER, value="36"))
    run = asking.ask(QUESTION, "kohaku")
    assert (run.state, run.answer) == ("done", ANSWER)


def test_a_provider_that_goes_amid_the_vote_does_not_take_the_answer_along(asking: Asking) -> None:
    asking.script(
        say_json({"queries": ["warranty"]}), saying(QUOTE, ANSWER, value="36"), Fail(404, "gone")
    )
    run = asking.ask(QUESTION, "kohaku")
    assert (run.state, run.answer) == ("done", ANSWER)


def test_a_follow_up_is_rewritten_and_shown(asking: Asking) -> None:
    asking.script(saying(QUOTE, ANSWER))
    first = asking.ask(QUESTION)
    rewritten = "How long is the warranty of the SL-300?"
    other = "The SL-300 has a warranty of 24 months."
    asking.script(say_json({"question": rewritten}), saying(other, "It is 24 months [1]."))
    second = asking.ask("And for the SL-300?", conversation=first.conversation)
    assert second.rewritten == rewritten
    assert asking.quotes(second) == [other]
    assert ("rewritten", {"question": rewritten}) in asking.events(second)
    with tenant_transaction(asking.company.tenant):
        shown = turn_of(second.pk, asking.company.tenant).steps
    assert f"Understood as: {rewritten}" in shown


def test_a_follow_up_that_is_rewritten_to_nothing_is_searched_as_it_was_asked(
    asking: Asking,
) -> None:
    asking.script(saying(QUOTE, ANSWER), say_json({"question": "  "}), saying(QUOTE, ANSWER))
    first = asking.ask(QUESTION)
    run = asking.ask("And its warranty?", conversation=first.conversation)
    assert (run.rewritten, run.answer) == ("", ANSWER)


def test_a_model_may_be_named_by_a_long_path(asking: Asking, settings) -> None:
    settings.LLM_MODEL = f"/srv/models/{'long-name-' * 12}.gguf"
    asking.script(saying(QUOTE, ANSWER))
    run = asking.ask(QUESTION)
    assert (run.state, run.answer) == ("done", ANSWER)
    assert settings.LLM_MODEL.startswith(run.reasoner)


def test_a_first_question_is_not_rewritten(asking: Asking) -> None:
    asking.script(saying(QUOTE, ANSWER))
    assert asking.ask(QUESTION).rewritten == ""


@pytest.mark.parametrize("broken", ["no JSON at all", '{"answer": "It is 36', "[1, 2]", ""])
def test_a_reply_that_cannot_be_read_is_an_abstention(asking: Asking, broken: str) -> None:
    asking.server.respond_with(lambda body: Say(broken))
    run = asking.ask(QUESTION)
    assert run.state == "done"
    assert run.abstained
    assert run.reason


def test_a_provider_that_stays_away_fails_the_run_with_a_sentence(asking: Asking, settings) -> None:
    settings.LLM_TIMEOUT_S = 2
    asking.server.respond_with(lambda body: Fail(503))
    run = asking.ask(QUESTION)
    assert run.state == "failed"
    assert run.reason
    assert "sk-made-up" not in run.reason
    assert run.prompt_tokens is None, "what a failed call took is unknown, not zero"


def test_stop_closes_the_models_socket_and_keeps_what_was_spent(asking: Asking) -> None:
    asking.server.say_next(Forever(Hang()))
    run = run_create(
        tenant=asking.company.tenant,
        base=asking.company.base,
        membership=asking.company.member,
        question=QUESTION,
        preset="naive",
    )
    thread = threading.Thread(target=executed, args=(run,))
    thread.start()
    asking.server.wait_for_requests(1)
    pressed = time.monotonic()
    run_stop(tenant=asking.company.tenant, run=run)
    thread.join(10)
    recorded = asking.server.chats[0]
    assert recorded.ended.wait(5)
    assert recorded.closed_early is not None
    assert recorded.closed_early - pressed < 1.5
    stopped = asking.reread(run)
    assert stopped.state == "stopped"
    with tenant_transaction(asking.company.tenant):
        assert UsageEntry.objects.filter(run_number=run.pk).count() == 1


def test_a_context_that_is_too_long_is_answered_by_a_smaller_pack(asking: Asking) -> None:
    overflow = Fail(400, "maximum context length is 4096 tokens", "context_length_exceeded")
    asking.script(overflow, saying(QUOTE, ANSWER))
    run = asking.ask(QUESTION)
    assert run.answer == ANSWER
    first, second = asking.server.chats[:2]
    assert second.prompt_tokens < first.prompt_tokens


def test_instructions_in_a_document_stay_data(asking: Asking) -> None:
    prompt = ""

    def respond(body):
        nonlocal prompt
        prompt = str(body["messages"][-1]["content"])
        return say_json(answer_of(body, QUOTE, ANSWER))

    asking.server.respond_with(respond)
    asking.ask(QUESTION)
    assert prompt.index("<passages>") < prompt.index("</passages>") < prompt.index("Question:")
