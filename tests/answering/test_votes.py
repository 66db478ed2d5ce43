"""Answers that are drawn several times: as what they are asked for and written down."""

from __future__ import annotations

import pytest

from accounts.tenancy import tenant_transaction
from retrieval.models import UsageEntry
from tests.answering.conftest import Asking, saying
from tests.scripted_replies import Drop, Fail, Raw, ScriptedReply, say_json

QUESTION = "How long is the warranty of the SL-420?"
QUOTE = "The SL-420 has a warranty of 36 months."
DRAWN = saying(QUOTE, "It is 36 months [1].", value="36", unit="months")


def test_draws_after_the_first_may_differ_from_it_and_are_votes_in_the_ledger(
    asking: Asking,
) -> None:
    asking.script(say_json({"queries": ["warranty"]}), DRAWN, DRAWN, DRAWN)
    run = asking.ask(QUESTION, "kohaku")
    assert run.value == "36 months"
    sent = [chat.body["temperature"] for chat in asking.server.chats]
    assert sent == [0.0, 0.0, 0.7, 0.7]
    with tenant_transaction(asking.company.tenant):
        rows = UsageEntry.objects.filter(run_number=run.pk).order_by("pk")
        assert [row.purpose for row in rows] == ["plan", "answer", "vote", "vote"]
    drafts = [payload for kind, payload in asking.events(run) if kind == "drafted"]
    assert [draft["purpose"] for draft in drafts] == ["answer", "vote", "vote"]


@pytest.mark.parametrize(
    "broken",
    [
        Raw("data: [1]\n\n", "text/event-stream"),
        Raw("data: {\n\n", "text/event-stream"),
        Fail(400, "maximum context length is 10 tokens", "context_length_exceeded"),
        Fail(401),
        Drop(),
    ],
    ids=["no reply", "no JSON", "too long", "refused", "dropped"],
)
def test_an_answer_stays_when_the_draws_after_it_break(
    asking: Asking, settings, broken: ScriptedReply
) -> None:
    settings.LLM_TIMEOUT_S = 3
    asking.script(say_json({"queries": ["warranty"]}), DRAWN, *[broken] * 20)
    run = asking.ask(QUESTION, "kohaku")
    assert (run.state, run.answer) == ("done", "It is 36 months [1].")
