"""The preset of a conversation, chosen below the question box by keyboard and on a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, sign_in
from tests.factories import ingested, make_language_model
from tests.scripted_model import ScriptedModel
from tests.scripted_replies import say_json
from tests.web.conftest import HANDBOOK

BLANK = {"quotes": [], "missing": [], "sufficient": False, "answer": "", "is_blank": True}


@pytest.fixture
def modelled(site: Site) -> Iterator[Site]:
    """The site, where a model answers that finds nothing."""
    company = site.company
    with ScriptedModel(responder=lambda body: say_json(BLANK)) as server:
        make_language_model(
            company.tenant, role="answer", base_url=server.base_url, is_active=True, name="Large"
        )
        ingested(company.tenant, company.base, "handbook.md", HANDBOOK)
        yield site


@pytest.mark.parametrize("width", [1280, 390])
def test_a_preset_is_chosen_by_keyboard_and_kept_with_the_conversation(
    page: Page, modelled: Site, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    sign_in(page, modelled)
    page.goto(modelled.path(modelled.company.base.slug, "ask"))
    box = page.get_by_label("Your question")
    expect(box).to_be_focused()
    box.fill("How much leave is there?")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    choice = page.get_by_label("How to look for the answer")
    expect(choice).to_be_focused()
    expect(choice).to_have_value("")
    page.keyboard.type("Naive")
    expect(choice).to_have_value("naive")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box.press("Enter")
    expect(page.get_by_text("The documents do not answer this")).to_be_visible()
    expect(choice).to_have_value("naive")
    page.get_by_text("How this was found").click()
    expect(page.get_by_text("Preset naive: one search, one answer")).to_be_visible()
    choice.select_option("")
    box.fill("And how many desks?")
    box.press("Enter")
    expect(page.get_by_text("How this was found")).to_have_count(2)
    expect(choice).to_have_value("")
    page.get_by_text("How this was found").last.click()
    expect(page.get_by_text("Preset adaptive")).to_be_visible()
    page.reload()
    expect(choice).to_have_value("")
