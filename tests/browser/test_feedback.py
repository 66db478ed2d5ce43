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


def test_a_verdict_is_given_and_changed_by_keyboard_and_the_focus_stays(
    page: Page, site: Site
) -> None:
    company = site.company
    ingested(company.tenant, company.base, "handbook.md", HANDBOOK)
    sign_in(page, site)
    page.goto(site.path(company.base.slug, "ask"))
    page.get_by_label("Your question").fill("How many days of leave a year does everyone have?")
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
    with tenant_transaction(company.tenant):
        assert Feedback.objects.get().verdict == "wrong_source"
