"""The page a citation stands on, unfolded by keyboard, and the figures beside it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Site, sign_in
from tests.factories import ingested, make_citation, make_conversation, make_run
from tests.picture_files import CAPTION, QUOTE, pdf


def _asked(site: Site) -> str:
    """Return the address of a conversation whose answer cites the first page of a manual."""
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
    return site.path("conversations", str(conversation.pk))


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_is_drawn_once_it_is_unfolded(page: Page, site: Site, width: int) -> None:
    address = _asked(site)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_viewport_size({"width": width, "height": 800})
    sign_in(page, site)
    page.goto(address)
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
    picture = page.get_by_role(
        "img", name=f"Page 1 of 1. Maintenance with the quote marked: {QUOTE}"
    )
    expect(picture).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("comes", [True, False])
def test_words_stand_where_a_page_is_until_it_has_come(
    page: Page, site: Site, *, comes: bool
) -> None:
    held: list[Route] = []
    page.route("**/pages/1.png*", lambda route: held.append(route))
    sign_in(page, site)
    page.goto(_asked(site))
    page.locator("a.cite").first.click()
    page.locator(".page-view summary").click()
    view = page.locator(".page-view")
    expect(view.get_by_text("Loading the page…")).to_be_visible()
    while not held:
        page.wait_for_timeout(50)
    if comes:
        held[0].continue_()
        expect(view.get_by_text("Loading the page…")).to_have_count(0)
        expect(view.get_by_role("img")).to_be_visible()
    else:
        held[0].fulfill(body="no picture", content_type="text/plain")
        expect(view.get_by_text("This page cannot be shown just now.")).to_be_visible()
        expect(view.get_by_role("img")).to_have_count(0)
