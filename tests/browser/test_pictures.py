"""The page a citation stands on, unfolded by keyboard, and the figures beside it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, sign_in
from tests.factories import ingested, make_citation, make_conversation, make_run
from tests.picture_files import CAPTION, QUOTE, pdf


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_is_drawn_once_it_is_unfolded(page: Page, site: Site, width: int) -> None:
    company = site.company
    document = ingested(company.tenant, company.base, "manual.pdf", pdf())
    conversation = make_conversation(company.tenant, company.base, company.editor.user)
    run = make_run(company.tenant, conversation, state="done", answer="Every ninety days. [1]")
    version = document.current_version
    assert version is not None
    version.document = document
    start = len("1. Maintenance\n\n")
    make_citation(
        company.tenant, run, version, quote=QUOTE, char_start=start, char_end=start + len(QUOTE)
    )
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_viewport_size({"width": width, "height": 800})
    sign_in(page, site)
    page.goto(site.path("conversations", str(conversation.pk)))
    page.locator("a.cite").first.click()
    figure = page.get_by_role("img", name=f"Picture: {CAPTION}")
    expect(figure).to_be_visible()
    summary = page.locator(".page-view summary")
    expect(summary).to_be_visible()
    assert not any("/pages/" in url for url in asked)
    summary.focus()
    with page.expect_response(lambda response: "/pages/1.png" in response.url) as drawn:
        page.keyboard.press("Enter")
    assert drawn.value.status == 200
    picture = page.get_by_role("img", name=f"Page 1 of {document} with the quote marked: {QUOTE}")
    expect(picture).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
