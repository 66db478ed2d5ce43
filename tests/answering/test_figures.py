"""Figures described by a model over HTTP: found by what it says, quoted by their captions alone."""

from __future__ import annotations

import base64
from collections.abc import Mapping

import pytest

from accounts.tenancy import tenant_transaction
from knowledge.models import Document, Figure
from knowledge.services.descriptions import figures_describe
from retrieval.model_resolver import models_for
from retrieval.models import UsageEntry
from retrieval.services.scopes import Reader, base_scope
from retrieval.services.search import search
from tests.answering.conftest import Asking, saying
from tests.factories import ingested
from tests.picture_files import CAPTION, pdf, png
from tests.scripted_replies import Fail, Say

SEEN = "Line chart; x axis: time in h, 0 to 5; y axis: zugspitze pressure in bar, peak 7.4 bar."


@pytest.fixture
def seeing(asking: Asking, settings) -> Asking:
    settings.LLM_VISION_MODEL = "scripted-eyes"
    return asking


def described(asking: Asking) -> Document:
    company = asking.company
    document = ingested(company.tenant, company.base, "manual.pdf", pdf())
    assert document.current_version_id is not None
    figures_describe(tenant_id=company.tenant.pk, version_id=document.current_version_id)
    return document


def figure_of(asking: Asking, document: Document) -> Figure:
    with tenant_transaction(asking.company.tenant):
        return Figure.objects.select_related("node").get(version__document=document)


def captions_paid(asking: Asking) -> list[tuple[str, int | None, bool]]:
    with tenant_transaction(asking.company.tenant):
        rows = UsageEntry.objects.filter(purpose="caption").order_by("pk")
        return list(rows.values_list("model", "prompt_tokens", "failed"))


def test_the_model_is_shown_the_picture_and_its_words_stand_in_the_ledger(seeing: Asking) -> None:
    seeing.script(Say(SEEN))
    document = described(seeing)
    figure = figure_of(seeing, document)
    assert (figure.description, figure.described_by) == (SEEN, "scripted-eyes")
    body: Mapping = seeing.server.chats[0].body
    system, user = body["messages"]
    for wish in ("axis", "unit", "numbers"):
        assert wish in system["content"]
    words, picture = user["content"]
    assert words["text"] == f"1. Maintenance\n\nCaption: {CAPTION}"
    head, _, data = picture["image_url"]["url"].partition(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(data) == bytes(figure.content)
    ((model, tokens, failed),) = captions_paid(seeing)
    assert (model, failed) == ("scripted-eyes", False)
    assert tokens


def test_a_figure_is_found_by_what_the_model_saw(seeing: Asking) -> None:
    seeing.script(Say(SEEN))
    document = described(seeing)
    company = seeing.company
    with tenant_transaction(company.tenant):
        scope = base_scope(Reader(company.tenant.pk, company.member), company.base.slug)
    first = search(scope=scope, query="zugspitze pressure").hits[0]
    assert first.path == figure_of(seeing, document).node.path
    assert first.page == 1


def test_no_citation_quotes_what_a_model_made_up(seeing: Asking) -> None:
    seeing.script(
        Say(SEEN),
        saying("zugspitze pressure in bar, peak 7.4 bar", "It peaks at 7.4 bar [1]."),
        saying("zugspitze pressure in bar, peak 7.4 bar", "It peaks at 7.4 bar [1]."),
    )
    described(seeing)
    run = seeing.ask("Where does the zugspitze pressure peak?")
    assert seeing.quotes(run) == []
    assert "[1]" not in run.answer
    asked = [str(chat.body["messages"]) for chat in seeing.server.chats[1:]]
    assert any(CAPTION in prompt for prompt in asked)
    assert not any("peak 7.4 bar" in prompt for prompt in asked)


def test_the_caption_of_a_found_figure_can_be_quoted(seeing: Asking) -> None:
    seeing.script(Say(SEEN), saying(CAPTION, "Over five hours [1]."))
    described(seeing)
    run = seeing.ask("How long is the zugspitze pressure shown?")
    assert seeing.quotes(run) == [CAPTION]


def test_a_server_that_fails_costs_no_document(seeing: Asking, settings) -> None:
    settings.LLM_TIMEOUT_S = 1
    seeing.script(*[Fail(503)] * 8)
    document = described(seeing)
    figure = figure_of(seeing, document)
    assert (figure.description, figure.attempts) == ("", 1)
    assert figure.due_at is not None
    assert [failed for *_, failed in captions_paid(seeing)] == [True]
    assert document.current_version is not None


def test_without_a_model_that_sees_nobody_is_asked(asking: Asking) -> None:
    assert set(models_for(asking.company.tenant)) == {"answer"}
    document = described(asking)
    figure = figure_of(asking, document)
    assert (figure.description, figure.due_at) == ("", None)
    assert bytes(figure.content) != png()
    assert asking.server.chats == []
