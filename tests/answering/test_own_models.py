"""A company's own models: each role is played by the one that was named for it, over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import count
from typing import Any

import pytest
from django.db import connection

from accounts.tenancy import tenant_transaction
from knowledge.services.descriptions import figures_describe
from retrieval.abstracting import writer_of
from retrieval.describing import describer_of
from retrieval.model_resolver import has_model, longest_call_s, models_for
from retrieval.models import LanguageModel, Run, UsageEntry
from retrieval.preset_choice import automatic
from tests.answering.conftest import BLANK, Asking, answer_of, saying
from tests.factories import ingested, make_company, make_language_model
from tests.picture_files import pdf
from tests.scripted_model import ScriptedModel
from tests.scripted_replies import Call, Say, say_json

QUOTE = "The SL-420 has a warranty of 36 months."
ANSWER = "36 months [1]."
QUESTION = "How long is the warranty of the SL-420?"
KEY = "sk-own-0123456789"


@pytest.fixture
def own() -> Iterator[ScriptedModel]:
    """Return the server of the company's own models, which wants its key."""
    with ScriptedModel(api_key=KEY) as server:
        yield server


def add(asking: Asking, server: ScriptedModel, role: str, **fields: Any) -> LanguageModel:
    """Return an active model of the company; it is called after its role."""
    row = LanguageModel(
        tenant=asking.company.tenant,
        role=role,
        **{"name": f"own {role}", "base_url": server.base_url, "model_id": f"id-{role}", **fields},
    )
    row.api_key = KEY
    with tenant_transaction(asking.company.tenant):
        row.save()
    return row


def warranties(asking: Asking) -> None:
    """Add passages of some 8,000 tokens that look like an answer to `QUESTION`."""
    terms = "It covers material and workmanship, and neither batteries nor the loss of data. " * 5
    rows = (f"The SL-{n} has a warranty of {n % 48} months. {terms}" for n in range(500, 600))
    text = "# Warranties\n\n" + "\n\n".join(rows)
    ingested(asking.company.tenant, asking.company.base, "list.md", text)


def called(server: ScriptedModel) -> list[str]:
    return [chat.body["model"] for chat in server.chats]


def ledger(asking: Asking) -> list[tuple[str, str, Decimal | None]]:
    with tenant_transaction(asking.company.tenant):
        rows = UsageEntry.objects.order_by("pk")
        return list(rows.values_list("purpose", "model", "cost"))


def test_a_company_is_answered_by_its_own_model_and_the_ledger_names_it(
    asking: Asking, own: ScriptedModel
) -> None:
    add(asking, own, "answer")
    own.respond_with(saying(QUOTE, ANSWER))
    run = asking.ask(QUESTION)
    assert (run.answer, run.reasoner) == (ANSWER, "own answer")
    assert called(own) == ["id-answer"]
    assert own.chats[0].headers["authorization"] == f"Bearer {KEY}"
    assert asking.server.chats == []
    assert ledger(asking) == [("answer", "own answer", None)]


def test_a_company_without_a_model_is_answered_by_the_installations(asking: Asking) -> None:
    asking.script(saying(QUOTE, ANSWER))
    assert asking.ask(QUESTION).reasoner == "scripted"


def test_another_companys_model_is_not_asked(asking: Asking, own: ScriptedModel) -> None:
    other = make_company("borealis")
    make_language_model(
        other.tenant, role="answer", base_url=own.base_url, is_active=True, name="theirs"
    )
    asking.script(saying(QUOTE, ANSWER))
    asking.ask(QUESTION)
    assert own.chats == []


def test_a_model_that_is_not_active_is_not_asked(asking: Asking, own: ScriptedModel) -> None:
    add(asking, own, "answer", is_active=False)
    asking.script(saying(QUOTE, ANSWER))
    asking.ask(QUESTION)
    assert own.chats == []


def test_plans_are_made_by_cheap_and_tools_are_called_by_agent(
    asking: Asking, own: ScriptedModel
) -> None:
    for role in ("answer", "agent", "cheap"):
        add(asking, own, role)

    def respond(body: Mapping[str, Any]) -> Say:
        if body["model"] == "id-cheap":
            return say_json({"queries": ["warranty", "SL-420"]})
        if body["model"] == "id-answer":
            return say_json(BLANK)
        asked = sum(message["role"] == "assistant" for message in body["messages"])
        if not asked:
            return Say(calls=(Call("search", {"query": "warranty SL-420"}),))
        return say_json(answer_of(body, QUOTE, ANSWER))

    own.respond_with(respond)
    run = asking.ask("How long is the warranty of the SL-420 and of the SL-300?", "adaptive")
    assert run.escalated
    assert asking.server.chats == []
    named = {(purpose, model) for purpose, model, _ in ledger(asking)}
    assert named == {("plan", "own cheap"), ("answer", "own answer"), ("agent", "own agent")}


def test_cheap_and_agent_are_played_by_answer_where_there_are_none(
    asking: Asking, own: ScriptedModel
) -> None:
    add(asking, own, "answer")

    def respond(body: Mapping[str, Any]) -> Say:
        if any(message["role"] == "tool" for message in body["messages"]):
            return say_json(answer_of(body, QUOTE, ANSWER))
        return Say(calls=(Call("search", {"query": "warranty SL-420"}),))

    own.respond_with(respond)
    assert asking.ask(QUESTION, "viking").answer == ANSWER
    assert set(called(own)) == {"id-answer"}


def test_figures_and_abstracts_are_the_companys_own_models_work(
    asking: Asking, own: ScriptedModel
) -> None:
    add(asking, own, "vision")
    add(asking, own, "answer")
    writer, describer = writer_of(asking.company.base), describer_of(asking.company.base)
    assert writer is not None
    assert describer is not None
    assert (writer.name, describer.name) == ("own answer", "own vision")
    own.respond_with(lambda body: Say("A line chart."))
    company = asking.company
    document = ingested(company.tenant, company.base, "manual.pdf", pdf())
    assert document.current_version_id is not None
    figures_describe(tenant_id=company.tenant.pk, version_id=document.current_version_id)
    assert called(own) == ["id-vision"]


def test_what_a_call_cost_stands_in_the_ledger_where_prices_are_given(
    asking: Asking, own: ScriptedModel
) -> None:
    model = add(
        asking,
        own,
        "answer",
        price_prompt=Decimal("2"),
        price_cached=Decimal("0.5"),
        price_completion=Decimal("10"),
    )
    own.respond_with(lambda body: Say(json.dumps(answer_of(body, QUOTE, ANSWER)), cached=100))
    run = asking.ask(QUESTION)
    ((_, _, cost),) = ledger(asking)
    assert run.prompt_tokens is not None
    assert run.completion_tokens is not None
    expected = ((run.prompt_tokens - 100) * 2 + 50 + run.completion_tokens * 10) / 1_000_000
    assert cost == pytest.approx(Decimal(str(expected)), abs=Decimal("0.000001"))
    with tenant_transaction(asking.company.tenant):
        LanguageModel.objects.filter(pk=model.pk).update(price_prompt=Decimal("1000"))
    assert ledger(asking)[0][2] == cost


def test_a_key_is_nowhere_in_the_database_in_clear(asking: Asking, own: ScriptedModel) -> None:
    row = add(asking, own, "answer")
    with tenant_transaction(asking.company.tenant), connection.cursor() as cursor:
        cursor.execute("SELECT row_to_json(m)::text FROM retrieval_languagemodel m")
        ((stored,),) = cursor.fetchall()
    assert "id-answer" in stored
    assert KEY not in stored
    assert KEY[3:] not in stored
    with tenant_transaction(asking.company.tenant):
        assert LanguageModel.objects.get(pk=row.pk).api_key == KEY


def test_a_key_is_sealed_differently_each_time(asking: Asking, own: ScriptedModel) -> None:
    one, other = add(asking, own, "answer"), add(asking, own, "agent")
    assert one.sealed_key != other.sealed_key


def test_a_key_sealed_with_another_secret_ends_the_run_with_a_sentence(
    asking: Asking, own: ScriptedModel, settings
) -> None:
    add(asking, own, "answer")
    settings.SECRET_KEY = "another secret of this site, made up for a test"
    run = asking.ask(QUESTION)
    assert run.state == Run.State.FAILED
    assert "key of the model “own answer” cannot be read" in run.reason
    assert own.chats == []


def test_an_unreadable_key_of_another_role_does_not_keep_a_company_from_answers(
    asking: Asking, own: ScriptedModel, settings
) -> None:
    add(asking, own, "vision")
    settings.SECRET_KEY = "another secret of this site, made up for a test"
    add(asking, own, "answer")
    own.respond_with(saying(QUOTE, ANSWER))
    assert asking.ask(QUESTION).answer == ANSWER


def test_a_prompt_is_shortened_to_the_context_before_it_is_sent(
    asking: Asking, own: ScriptedModel
) -> None:
    """The server says nothing: it is one that would shorten the prompt by itself."""
    warranties(asking)
    add(asking, own, "answer", context_tokens=2_000)
    own.respond_with(saying(QUOTE, ANSWER))
    asking.ask(QUESTION)
    (chat,) = own.chats
    assert chat.prompt_tokens + chat.body["max_tokens"] <= 2_000


@pytest.mark.parametrize("context_tokens", [4_000, 6_000])
def test_an_agent_whose_context_is_full_answers_from_what_it_read(
    asking: Asking, own: ScriptedModel, context_tokens: int
) -> None:
    warranties(asking)
    add(asking, own, "answer", context_tokens=context_tokens)
    numbers = count()

    def respond(body: Mapping[str, Any]) -> Say:
        if "tools" in body:
            wish = {"query": f"warranty SL-420 {next(numbers)}"}
            return Say(calls=(Call("search", wish), Call("search", {**wish, "k": 20})))
        return say_json(answer_of(body, QUOTE, ANSWER))

    own.respond_with(respond)
    run = asking.ask(QUESTION, "viking")
    assert (run.answer, asking.quotes(run)) == (ANSWER, [QUOTE])
    sent = [chat.prompt_tokens for chat in own.chats]
    assert all(tokens <= context_tokens for tokens in sent)


def test_the_limit_of_a_run_leaves_its_slowest_model_its_time(
    asking: Asking, own: ScriptedModel
) -> None:
    assert longest_call_s(asking.company.tenant) == 20
    add(asking, own, "agent", timeout_s=900)
    assert longest_call_s(asking.company.tenant) == 900


def test_without_any_model_sentences_of_the_documents_answer(asking: Asking, settings) -> None:
    settings.LLM_BASE_URL = ""
    tenant = asking.company.tenant
    assert (models_for(tenant), has_model(tenant), automatic(tenant)) == ({}, False, "naive")
    assert asking.ask(QUESTION).reasoner == "extractive"


def test_a_model_that_only_sees_answers_no_question(
    asking: Asking, own: ScriptedModel, settings
) -> None:
    settings.LLM_BASE_URL = ""
    add(asking, own, "vision")
    assert not has_model(asking.company.tenant)
    assert asking.ask(QUESTION).reasoner == "extractive"
