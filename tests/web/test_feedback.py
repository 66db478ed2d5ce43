"""The controls below an answer: good, not good, wrong source."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.tenancy import tenant_transaction
from retrieval.models import Feedback, Run
from tests.factories import Company, make_conversation, make_run
from tests.web.conftest import Asked, Browser
from tests.web.pages import Page, read_page


def conversation_url(run: Run, company: Company) -> str:
    return reverse("conversation", args=[company.tenant.slug, run.conversation_id])


def feedback_url(run: Run, company: Company) -> str:
    return reverse("run_feedback", args=[company.tenant.slug, run.pk])


def verdicts(company: Company) -> list[str]:
    with tenant_transaction(company.tenant):
        return list(Feedback.objects.values_list("verdict", flat=True))


def controls(page: Page) -> dict[str, str]:
    """Return which verdicts are offered, and whether each is pressed."""
    return {
        button["value"]: button["aria-pressed"]
        for button in page.attributes("button")
        if button.get("name") == "verdict"
    }


def shown(client: Client, run: Run, company: Company) -> Page:
    return read_page(client.get(conversation_url(run, company)).content.decode())


def pressed(client: Client, asked: Asked, verdict: str, **headers: str) -> Any:
    url = feedback_url(asked.run, asked.company)
    return client.post(url, {"verdict": verdict}, headers=headers)


def test_a_finished_answer_offers_three_verdicts_in_words(asked: Asked, browser: Browser) -> None:
    page = shown(browser(asked.company.editor), asked.run, asked.company)
    assert controls(page) == {"good": "false", "bad": "false", "wrong_source": "false"}
    texts = page.text("button")
    for label in ("Good answer", "Not a good answer", "Wrong source"):
        assert label in texts


def test_without_scripts_a_verdict_leads_back_to_its_answer(asked: Asked, browser: Browser) -> None:
    client = browser(asked.company.editor)
    response = pressed(client, asked, "good")
    home = conversation_url(asked.run, asked.company)
    assert response["Location"] == f"{home}#run-{asked.run.pk}"
    page = shown(client, asked.run, asked.company)
    assert controls(page) == {"good": "true", "bad": "false", "wrong_source": "false"}


def test_htmx_gets_the_controls_alone_with_the_chosen_one_pressed(
    asked: Asked, browser: Browser
) -> None:
    client = browser(asked.company.editor)
    pressed(client, asked, "good")
    response = pressed(client, asked, "wrong_source", **{"HX-Request": "true"})
    page = read_page(response.content.decode())
    assert controls(page) == {"good": "false", "bad": "false", "wrong_source": "true"}
    assert page.text("form")[0].startswith("Thank you.")
    assert page.text("h1") == []
    assert verdicts(asked.company) == ["wrong_source"]


@pytest.mark.parametrize("verdict", ["", "excellent", "\0", "x" * 5_000])
def test_another_verdict_is_refused_in_a_sentence(
    asked: Asked, browser: Browser, verdict: str
) -> None:
    response = pressed(browser(asked.company.editor), asked, verdict)
    assert (response.status_code, response["Content-Type"].partition(";")[0]) == (400, "text/plain")
    assert "nothing was stored" in response.content.decode()
    assert verdicts(asked.company) == []


def test_nobody_else_judges_an_answer(asked: Asked, browser: Browser) -> None:
    company = asked.company
    for stranger in (company.owner, company.admin, company.member):
        assert pressed(browser(stranger), asked, "bad").status_code == 404
    assert verdicts(company) == []


def test_an_answer_that_is_being_written_has_no_controls(a: Company, browser: Browser) -> None:
    run = make_run(
        a.tenant, make_conversation(a.tenant, a.base, a.editor.user), state=Run.State.RUNNING
    )
    client = browser(a.editor)
    assert controls(shown(client, run, a)) == {}
    response = client.post(feedback_url(run, a), {"verdict": "good"})
    assert response.status_code == 400
    assert "not finished" in response.content.decode()


def test_an_answer_without_sources_has_no_wrong_one(a: Company, browser: Browser) -> None:
    run = make_run(
        a.tenant,
        make_conversation(a.tenant, a.base, a.editor.user),
        state=Run.State.DONE,
        abstained=True,
    )
    assert controls(shown(browser(a.editor), run, a)) == {"good": "false", "bad": "false"}


def test_controls_of_two_answers_have_ids_of_their_own(asked: Asked, browser: Browser) -> None:
    with tenant_transaction(asked.company.tenant):
        conversation = asked.run.conversation
    make_run(asked.company.tenant, conversation, state=Run.State.DONE, answer="Yes.")
    page = shown(browser(asked.company.editor), asked.run, asked.company)
    assert page.ids_used_twice() == []
