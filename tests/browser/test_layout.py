"""A long conversation scrolls in its own pane; the window around it stays where it is."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, sign_in
from tests.factories import make_citation, make_conversation, make_event, make_run

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("width", [1280, 390])
def test_the_window_around_a_long_conversation_does_not_scroll(
    width: int, page: Page, site: Site
) -> None:
    company = site.company
    conversation = make_conversation(company.tenant, company.base, company.editor.user)
    for number in range(6):
        run = make_run(
            company.tenant, conversation, state="done", question=f"{number}?", answer="Nine. [1]"
        )
        make_event(company.tenant, run)
        make_citation(company.tenant, run)
    page.set_viewport_size({"width": width, "height": 800})
    sign_in(page, site)
    page.goto(site.path("conversations", str(conversation.pk)))
    expect(page.get_by_role("article").last).to_be_in_viewport()
    seen = page.evaluate("[scrollY, document.documentElement.scrollHeight - innerHeight]")
    assert seen == [0, 0]
