"""The passage behind a citation: highlighted, in the panel and as a page, and when it changed."""

from __future__ import annotations

import pytest
from django.urls import reverse

from knowledge.services.deletion import document_delete
from tests.factories import ingested, make_citation
from tests.web.conftest import HANDBOOK, QUOTE, Asked, Browser
from tests.web.pages import Page, read_page

HTMX = {"HX-Request": "true"}


def test_the_page_highlights_the_quote_in_its_section(asked: Asked, browser: Browser) -> None:
    page = read_page(browser(asked.company.editor).get(_path(asked)).content.decode())
    assert "".join(page.text("mark")).replace(" ", "") == "Everyonehas25daysofleaveayear."
    assert page.text("h1") == ["Staff handbook"]
    assert "Leave" in page.text("span")
    assert any(attributes.get("id") == "cited" for _, attributes in page.tags)


def test_the_panel_gets_the_passage_alone(asked: Asked, browser: Browser) -> None:
    response = browser(asked.company.editor).get(_path(asked), headers=HTMX)
    assert "<html" not in response.content.decode()
    assert "<mark>" in response.content.decode()
    assert "HX-Request" in response["Vary"]


def test_the_passage_leads_to_its_place_in_the_document(asked: Asked, browser: Browser) -> None:
    editor = browser(asked.company.editor)
    page = read_page(editor.get(_path(asked), headers=HTMX).content.decode())
    path, _, anchor = page.links()[-1].partition("#")
    document = read_page(editor.get(path).content.decode())
    assert any(attributes.get("id") == anchor for _, attributes in document.tags)


@pytest.mark.parametrize(
    ("quote", "marked"),
    [(QUOTE, "Everyone has 25 days of leave a year."), ("| Chair | 120 |", "Chair 120")],
)
def test_the_document_marks_what_is_cited_as_the_panel_does(
    quote: str, marked: str, asked: Asked, browser: Browser
) -> None:
    """The sentence and no other of its paragraph, the row and no other of its table."""
    company, version = asked.company, asked.citation.version
    start = HANDBOOK.index(quote)
    make_citation(
        company.tenant,
        asked.run,
        version,
        number=3,
        quote=quote,
        char_start=start,
        char_end=start + len(quote),
    )
    editor = browser(company.editor)
    passage = read_page(editor.get(_path(asked, 3)).content.decode())
    document = read_page(editor.get(passage.links()[-1]).content.decode())
    assert " ".join(" ".join(document.text("mark")).split()) == marked
    assert document.text("mark") == passage.text("mark")
    rows = [[one for one in _classes(page, "tr") if one] for page in (document, passage)]
    assert rows[0] == rows[1]
    assert [one for one in _classes(document, "div") if "leaf-cited" in one] == ["leaf leaf-cited"]


def test_a_later_version_of_the_document_is_not_marked(asked: Asked, browser: Browser) -> None:
    company = asked.company
    editor = browser(company.editor)
    opened = read_page(editor.get(_path(asked)).content.decode()).links()[-1]
    ingested(company.tenant, company.base, "handbook.md", HANDBOOK.replace("25 days", "30 days"))
    assert "25 days" in read_page(editor.get(opened).content.decode()).text("mark")
    span = opened.partition("?")[2].partition("#")[0]
    names = [company.tenant.slug, company.base.slug, asked.document.pk]
    for path in (reverse("document", args=names), reverse("document_version", args=[*names, 2])):
        assert "30 days" in editor.get(path).content.decode()
    now = editor.get(f"{reverse('document', args=names)}?{span}").content.decode()
    assert read_page(now).text("mark") == []


@pytest.mark.parametrize(
    "span", ["start=x&end=9", "start=9&end=3", "start=9", f"start=0&end={'9' * 30}"]
)
def test_characters_that_are_none_mark_nothing(span: str, asked: Asked, browser: Browser) -> None:
    names = [asked.company.tenant.slug, asked.company.base.slug, asked.document.pk, 1]
    response = browser(asked.company.member).get(
        f"{reverse('document_version', args=names)}?{span}"
    )
    assert read_page(response.content.decode()).text("mark") == []


def test_a_source_that_has_changed_says_so_and_shows_what_was_cited(
    asked: Asked, browser: Browser
) -> None:
    company = asked.company
    ingested(company.tenant, company.base, "handbook.md", HANDBOOK.replace("25 days", "30 days"))
    html = browser(company.editor).get(_path(asked)).content.decode()
    assert "The source has changed since" in html
    assert "25 days" in html
    version = reverse(
        "document_version", args=[company.tenant.slug, company.base.slug, asked.document.pk, 1]
    )
    assert version in html


def test_a_deleted_source_says_so(asked: Asked, browser: Browser) -> None:
    company = asked.company
    document_delete(tenant=company.tenant, document=asked.document)
    editor = browser(company.editor)
    response = editor.get(_path(asked))
    assert response.status_code == 200
    assert "The source was deleted" in response.content.decode()
    conversation = reverse("conversation", args=[company.tenant.slug, asked.run.conversation_id])
    assert "deleted since" in editor.get(conversation).content.decode()


def test_a_number_that_the_answer_does_not_have_is_not_found(
    asked: Asked, browser: Browser
) -> None:
    assert browser(asked.company.editor).get(_path(asked, 7)).status_code == 404


def _path(asked: Asked, number: int = 1) -> str:
    return reverse("citation", args=[asked.company.tenant.slug, asked.run.pk, number])


def _classes(page: Page, tag: str) -> list[str]:
    return [attributes.get("class", "") for attributes in page.attributes(tag)]
