"""The day's tokens for answers: refused before a model is asked, and never overdrawn by one run."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from accounts.tenancy import tenant_transaction
from retrieval.models import UsageEntry
from retrieval.services.runs import QuestionRefused
from tests.answering.conftest import Asking, saying
from tests.experience_factories import make_answer_quota

QUESTION = "How long is the warranty of the SL-420?"
QUOTE = "The SL-420 has a warranty of 36 months."
ANSWER = "It is 36 months [1]."


def spend(asking: Asking, tokens: int, **fields: object) -> None:
    with tenant_transaction(asking.company.tenant):
        UsageEntry.objects.create(
            tenant=asking.company.tenant,
            purpose="answer",
            model="scripted",
            run_number=1,
            prompt_tokens=tokens,
            completion_tokens=0,
            seconds=1,
            **fields,
        )


@pytest.mark.parametrize(
    ("limit", "whose"),
    [("tokens_per_day", "Your company's"), ("tokens_per_person", "Your questions")],
)
def test_a_question_without_tokens_left_is_refused_with_a_sentence_and_asks_no_model(
    asking: Asking, limit: str, whose: str
) -> None:
    make_answer_quota(asking.company.tenant, **{limit: 10_000})
    spend(asking, 9_000, user=asking.company.member.user)
    with pytest.raises(QuestionRefused, match=f"{whose} .*10,000 tokens .*midnight UTC"):
        asking.ask(QUESTION)
    assert asking.server.chats == []


def test_the_page_says_it_beside_the_question(asking: Asking) -> None:
    company = asking.company
    make_answer_quota(company.tenant, tokens_per_person=10_000)
    spend(asking, 10_000, user=company.member.user)
    client = Client()
    client.force_login(company.member.user)
    url = reverse("ask", args=[company.tenant.slug, company.base.slug])
    response = client.post(url, {"question": QUESTION})
    assert response.status_code == 422
    assert "are used up" in response.content.decode()


def test_a_colleague_may_still_ask(asking: Asking) -> None:
    make_answer_quota(asking.company.tenant, tokens_per_person=10_000)
    spend(asking, 10_000, user=asking.company.editor.user)
    asking.script(saying(QUOTE, ANSWER))
    assert asking.ask(QUESTION).answer == ANSWER


def test_what_yesterday_took_does_not_count(asking: Asking) -> None:
    make_answer_quota(asking.company.tenant, tokens_per_day=10_000)
    spend(asking, 10_000)
    with tenant_transaction(asking.company.tenant):
        entry = UsageEntry.objects.get()
        UsageEntry.objects.update(created_at=entry.created_at - timedelta(days=1))
    asking.script(saying(QUOTE, ANSWER))
    assert asking.ask(QUESTION).answer == ANSWER


def test_one_run_takes_no_more_than_what_is_left_of_the_day(asking: Asking) -> None:
    make_answer_quota(asking.company.tenant, tokens_per_day=10_000)
    spend(asking, 5_000)
    asking.server.respond_with(saying(QUOTE, "Nobody knows."))
    run = asking.ask(QUESTION, "kohaku")
    with tenant_transaction(asking.company.tenant):
        spent = sum(
            (row.prompt_tokens or 0) + (row.completion_tokens or 0)
            for row in UsageEntry.objects.all()
        )
    assert run.is_over
    assert spent <= 10_000


def test_calls_are_counted_for_the_person_who_asked(asking: Asking) -> None:
    asking.script(saying(QUOTE, ANSWER))
    run = asking.ask(QUESTION)
    with tenant_transaction(asking.company.tenant):
        assert {row.user_id for row in UsageEntry.objects.all()} == {run.user_id}
