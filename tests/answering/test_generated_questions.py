"""Questions made up for the sections of a base, before anybody has asked one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.tenancy import tenant_transaction
from retrieval.models import ExperienceEdge, ExperienceQuestion, GeneratedSection, UsageEntry
from retrieval.services.experience.generating import Generated, questions_generate
from retrieval.services.experience.recalling import learned
from tests.answering.conftest import HANDBOOK, Asking, saying
from tests.experience_factories import make_experience_settings
from tests.factories import ingested
from tests.scripted_replies import Fail, Say, ScriptedReply

FAR = "Who lets visitors in when everything is shut and nobody answers?"
"""It shares no word with the passage that answers it."""

MANY = "\n\n".join(
    f"## Visitors {number}\n\nVisitors of hall {number} ring, and nobody lets visitors in alone."
    for number in range(12)
)


def made_up(*questions: tuple[int, str]) -> Say:
    items = [{"passage": passage, "question": text} for passage, text in questions]
    return Say(json.dumps({"questions": items}))


def far_from_offices(body: Mapping[str, object]) -> ScriptedReply:
    """Ask of the section on offices, and nothing of the others."""
    return made_up((1, FAR)) if "Bergen" in str(body["messages"]) else made_up()


def generate(asking: Asking, **options: Any) -> Generated:
    company = asking.company
    return questions_generate(tenant=company.tenant, base=company.base, **options)


def with_visitors(asking: Asking) -> None:
    ingested(asking.company.tenant, asking.company.base, "visitors.md", f"# Visits\n\n{MANY}\n")


def test_a_question_leads_to_the_passage_that_it_was_made_from(asking: Asking) -> None:
    with_visitors(asking)
    asking.server.respond_with(far_from_offices)
    outcome = generate(asking)
    assert (outcome.made, outcome.pruned, outcome.skipped) == (1, 0, 0)
    with tenant_transaction(asking.company.tenant):
        edge = ExperienceEdge.objects.select_related("question").get()
        assert (edge.path, edge.question.text) == ("handbook/offices/p1", FAR)
        assert edge.question.origin == "synthetic"
        assert {row.purpose for row in UsageEntry.objects.all()} == {"edge"}
        assert outcome.tokens == sum(
            (row.prompt_tokens or 0) + (row.completion_tokens or 0)
            for row in UsageEntry.objects.all()
        )


def test_a_question_whose_place_a_search_finds_by_itself_is_pruned(asking: Asking) -> None:
    asking.server.respond_with(lambda body: made_up((1, "When does the office in Bergen open?")))
    outcome = generate(asking)
    assert outcome.made == 0
    assert outcome.pruned == outcome.sections == 3


def test_running_again_asks_nothing_of_unchanged_sections(asking: Asking) -> None:
    with_visitors(asking)
    asking.server.respond_with(far_from_offices)
    first = generate(asking)
    before = len(asking.server.chats)
    again = generate(asking)
    assert (again.skipped, again.sections, again.tokens) == (first.sections, 0, 0)
    assert len(asking.server.chats) == before
    text = HANDBOOK.replace("at eight", "at nine")
    ingested(asking.company.tenant, asking.company.base, "handbook.md", text)
    assert generate(asking).sections == 1
    assert len(asking.server.chats) == before + 1


def test_the_budget_ends_it_and_the_next_call_goes_on(asking: Asking) -> None:
    asking.server.respond_with(lambda body: made_up())
    outcome = generate(asking, budget=1_000)
    assert outcome.stopped
    assert outcome.sections < 3
    rest = generate(asking)
    assert (rest.skipped, rest.sections) == (outcome.sections, 3 - outcome.sections)


def test_without_a_model_headings_and_key_sentences_are_asked_about(
    asking: Asking, settings: Any
) -> None:
    settings.LLM_BASE_URL = ""
    with_visitors(asking)
    outcome = generate(asking, per_section=1)
    assert (outcome.by, outcome.tokens) == ("templates", 0)
    assert outcome.made + outcome.pruned > 3
    assert asking.server.chats == []


def test_a_reply_that_is_none_or_names_no_passage_makes_nothing(asking: Asking) -> None:
    replies: list[ScriptedReply] = [
        Say("I would rather not."),
        made_up((0, "What?"), (9, "Where?"), (-1, "Who?")),
        Say(json.dumps({"questions": [7, {"passage": "1"}, {"passage": 1, "question": ["x"]}]})),
    ]
    asking.server.respond_with(lambda body: replies.pop())
    outcome = generate(asking)
    assert (outcome.sections, outcome.made, outcome.pruned, outcome.stopped) == (3, 0, 0, "")


def test_a_model_that_fails_ends_it_with_a_sentence_and_its_sections_are_asked_again(
    asking: Asking,
) -> None:
    asking.server.respond_with(lambda body: Fail(400, "no such thing"))
    outcome = generate(asking)
    assert (outcome.failed, outcome.sections) == (3, 0)
    assert outcome.stopped
    asking.server.respond_with(lambda body: made_up())
    assert generate(asking).sections == 3


def test_what_somebody_has_asked_stays_as_it_was_learnt(asking: Asking) -> None:
    with_visitors(asking)
    asking.server.respond_with(far_from_offices)
    generate(asking)
    with tenant_transaction(asking.company.tenant):
        ExperienceQuestion.objects.update(origin="live")
        GeneratedSection.objects.all().delete()
    assert generate(asking).made == 0
    with tenant_transaction(asking.company.tenant):
        assert ExperienceQuestion.objects.get().origin == "live"
        assert not GeneratedSection.objects.filter(made__gt=0).exists()


def test_of_a_passage_that_is_too_long_the_beginning_is_asked_about(asking: Asking) -> None:
    long = "Whoever visits the halls rings the bell at the gate and waits. " * 400
    text = f"# Visits\n\n{long}And then the last word is pneumonia.\n"
    ingested(asking.company.tenant, asking.company.base, "visits.md", text)
    asking.server.respond_with(lambda body: made_up())
    assert generate(asking).sections == 4
    prompts = [str(chat.body["messages"]) for chat in asking.server.chats]
    (shown,) = [prompt for prompt in prompts if "rings the bell" in prompt]
    assert "pneumonia" not in shown


def test_made_up_questions_are_used_and_are_no_history(asking: Asking) -> None:
    with_visitors(asking)
    asking.server.respond_with(far_from_offices)
    generate(asking)
    asking.script(saying("The office in Bergen opens at eight.", "At eight [1]."))
    run = asking.ask(FAR, "viking-e")
    (payload,) = [payload for kind, payload in asking.events(run) if kind == "remembered"]
    assert payload["paths"] == ["handbook/offices/p1"]
    with tenant_transaction(asking.company.tenant):
        assert learned(asking.company.base, 50) == 0


@pytest.mark.parametrize("policy", ["off", "frozen"])
def test_a_base_that_may_learn_nothing_is_refused(asking: Asking, policy: str) -> None:
    make_experience_settings(asking.company.tenant, asking.company.base, policy=policy)
    with pytest.raises(CommandError, match="nothing may be learnt"):
        call_command("experience", "generate", "--tenant", "aurora", "--kb", "handbook")
    assert asking.server.chats == []


def test_the_command_says_what_was_made_pruned_and_skipped(asking: Asking, capsys: Any) -> None:
    with_visitors(asking)
    asking.server.respond_with(far_from_offices)
    call_command("experience", "generate", "--tenant", "aurora", "--kb", "handbook")
    told = capsys.readouterr().out
    assert "1 question made" in told
    assert "0 pruned" in told
    assert "token" in told
