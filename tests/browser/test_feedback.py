"""A verdict on an answer that has just been written, by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from accounts.tenancy import tenant_transaction
from retrieval.models import Feedback
from tests.browser.conftest import Site, sign_in
from tests.factories import ingested
from tests.web.conftest import HANDBOOK

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


# Runs before the browser can do anything else once the button has come into the page.
PRESS_AT_ONCE = """
  new MutationObserver((changes, observer) => {
    const button = document.querySelector("[aria-label^='What do you think'] button");
    if (!button) return;
    observer.disconnect();
    button.click();
  }).observe(document, { childList: true, subtree: true });
"""


def write_question(page: Page, site: Site) -> None:
    company = site.company
    ingested(company.tenant, company.base, "handbook.md", HANDBOOK)
    sign_in(page, site)
    page.goto(site.path(company.base.slug, "ask"))
    page.get_by_label("Your question").fill("How many days of leave a year does everyone have?")


def test_a_button_pressed_the_moment_it_appears_works_without_loading_the_page_again(
    page: Page, site: Site
) -> None:
    write_question(page, site)
    page.add_init_script(PRESS_AT_ONCE)
    loaded: list[str] = []
    page.on("request", lambda one: loaded.append(one.url) if one.is_navigation_request() else None)
    page.get_by_role("button", name="Ask").click()
    good = page.get_by_role("button", name="Good answer", exact=True)
    expect(good).to_have_attribute("aria-pressed", "true")
    assert not [url for url in loaded if "feedback" in url]


def test_a_verdict_is_given_and_changed_by_keyboard_and_the_focus_stays(
    page: Page, site: Site
) -> None:
    write_question(page, site)
    page.get_by_role("button", name="Ask").click()
    good = page.get_by_role("button", name="Good answer", exact=True)
    wrong = page.get_by_role("button", name="Wrong source")
    good.focus()
    page.keyboard.press("Enter")
    expect(good).to_have_attribute("aria-pressed", "true")
    expect(good).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(wrong).to_have_attribute("aria-pressed", "true")
    expect(wrong).to_be_focused()
    expect(good).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(wrong).to_have_attribute("aria-pressed", "true")
    with tenant_transaction(site.company.tenant):
        assert Feedback.objects.get().verdict == "wrong_source"
