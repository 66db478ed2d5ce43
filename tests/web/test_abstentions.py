"""Why there is no answer: what the page says is true of what the model and the search did."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from retrieval.agent.structured import UNPARSABLE
from retrieval.agent.sufficiency import INSUFFICIENT, NOT_QUOTED, UNSUPPORTED
from retrieval.models import Run
from tests.factories import Company, make_conversation, make_event, make_run
from tests.web.conftest import Browser
from tests.web.pages import Page, read_page

SEARCHED = ("searched", {"query": "q", "hits": 1, "tokens": 9, "documents": ["Prices"]})
READ = ("assembled", {"blocks": 1, "tokens": 9})
NOTHING = ("searched", {"query": "q", "hits": 0, "tokens": 0, "documents": []})
TOOL = ("tool", {"name": "search", "arguments": {}, "items": 2, "tokens": 9})
DENIED = "The documents do not answer this"


def shown(
    a: Company, browser: Browser, reason: str, *events: tuple[str, Any], missing: Any = ()
) -> Page:
    """Return the page of a model's run that abstained after these events."""
    conversation = make_conversation(a.tenant, a.base, a.member.user)
    run = make_run(
        a.tenant,
        conversation,
        state=Run.State.DONE,
        abstained=True,
        reasoner="large-1",
        reason=reason,
    )
    ended = ("abstained", {"missing": list(missing), "nearest": []})
    for number, (kind, payload) in enumerate((*events, ended), 1):
        make_event(a.tenant, run, number=number, kind=kind, payload=payload)
    path = reverse("conversation", args=[a.tenant.slug, conversation.pk])
    return read_page(browser(a.member).get(path).content.decode())


def test_a_reply_that_cannot_be_read_is_not_laid_on_the_documents(
    a: Company, browser: Browser
) -> None:
    page = shown(a, browser, UNPARSABLE, SEARCHED, READ)
    said = page.text("p")
    assert "The model gave no answer that can be read" in said
    assert UNPARSABLE in said
    assert DENIED not in said
    assert "Ask again" in page.text("button")


@pytest.mark.parametrize("reason", [INSUFFICIENT, f"{INSUFFICIENT} The time ran out."])
def test_a_model_that_did_not_look_is_said_not_to_have_looked(
    a: Company, browser: Browser, reason: str
) -> None:
    page = shown(a, browser, reason, missing=["a price"])
    said = page.text("p")
    assert "The model did not look into the documents" in said
    assert "It ended without a search." in said
    assert ("The time ran out." in said) == ("time" in reason)
    assert DENIED not in said
    assert not any("resembles the question" in text for text in said)
    assert "a price" not in page.text("li")


@pytest.mark.parametrize(
    ("numbers", "said"),
    [(["99"], "its number 99 stands in none"), (["99", "7"], "its numbers 99, 7 stand in none")],
)
def test_a_number_without_a_quote_is_named_as_that(
    a: Company, browser: Browser, numbers: list[str], said: str
) -> None:
    page = shown(a, browser, UNSUPPORTED, SEARCHED, READ, missing=numbers)
    assert any(said in text for text in page.text("p"))
    assert "99" not in page.text("li")
    assert DENIED not in page.text("p")
    assert "What is missing:" not in page.text("p")


def test_quotes_that_were_not_found_are_not_laid_on_the_documents(
    a: Company, browser: Browser
) -> None:
    said = shown(a, browser, NOT_QUOTED, SEARCHED, READ).text("p")
    assert "The answer could not be proven, so it is not shown" in said
    assert NOT_QUOTED in said
    assert DENIED not in said


def test_a_search_that_reached_a_limit_says_so(a: Company, browser: Browser) -> None:
    reason = f"{INSUFFICIENT} The tokens for one question ran out."
    said = shown(a, browser, reason, TOOL, missing=["a price"]).text("p")
    assert "The search ended before an answer was found" in said
    assert reason in said
    assert DENIED not in said


@pytest.mark.parametrize("events", [(SEARCHED, READ), (NOTHING,), (TOOL,)])
def test_documents_that_were_searched_in_vain_do_not_answer(
    a: Company, browser: Browser, events: tuple[Any, ...]
) -> None:
    page = shown(a, browser, INSUFFICIENT, *events, missing=["a price"])
    assert DENIED in page.text("p")
    assert "a price" in page.text("li")
    nothing = any("Nothing in this base resembles" in text for text in page.text("p"))
    assert nothing == (events == (NOTHING,))


@pytest.mark.parametrize("reason", [UNPARSABLE, INSUFFICIENT, UNSUPPORTED, NOT_QUOTED])
def test_nobody_is_named_as_the_writer_of_no_answer(
    a: Company, browser: Browser, reason: str
) -> None:
    page = shown(a, browser, reason, SEARCHED)
    assert not any("Written by" in text for text in page.text("p"))
