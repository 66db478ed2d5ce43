"""What is only seen in a browser: what scrolls, what is cut, and which colour says what."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, sign_in
from tests.factories import (
    PASSWORD,
    ingested,
    make_citation,
    make_conversation,
    make_event,
    make_group,
    make_membership,
    make_run,
    make_user,
)

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


def test_a_table_that_is_too_wide_scrolls_and_one_that_can_wrap_is_not_cut(
    page: Page, site: Site
) -> None:
    company = site.company
    names = ["Version", "Released", "Supported until", "Lowest firmware SL-420", "Lowest other"]
    tables = []
    for columns in (names, names * 4):
        lines = (columns, ["---"] * len(columns), ["9 March 2026"] * len(columns))
        tables.append("\n".join(f"| {' | '.join(cells)} |" for cells in lines))
    document = ingested(
        company.tenant, company.base, "t.md", f"# T\n\n{tables[0]}\n\n{tables[1]}\n"
    )
    sign_in(page, site)
    page.goto(site.path(company.base.slug, "documents", str(document.pk)))
    regions = page.get_by_role("region", name="Table")
    hidden = "region => region.scrollWidth - region.clientWidth"
    assert regions.first.evaluate(hidden) == 0
    assert regions.last.evaluate(hidden) > 500
    regions.last.evaluate("region => region.scrollTo(9999, 0)")
    expect(regions.last.get_by_role("columnheader").last).to_be_in_viewport()
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_a_file_that_cannot_be_read_is_not_first_shown_as_good(page: Page, site: Site) -> None:
    sign_in(page, site)
    page.goto(site.path(site.company.base.slug, "documents"))
    page.get_by_label("Add documents").set_input_files(
        {"name": "empty.md", "mimeType": "text/markdown", "buffer": b""}
    )
    page.get_by_role("button", name="Upload").click()
    received = page.get_by_role("listitem").filter(has_text="was received")
    expect(received).to_be_visible()
    colours = received.evaluate(
        "line => [getComputedStyle(line).color, getComputedStyle(document.body).color]"
    )
    assert colours[0] == colours[1]


def test_the_pages_of_an_owner_fit_a_phone(page: Page, site: Site) -> None:
    """They have the longest bar, and names and addresses as long as they come."""
    company = site.company
    company.owner.user.set_password(PASSWORD)
    company.owner.user.save()
    person = make_membership(company.tenant, make_user(f"{'x' * 60}@example.com"))
    make_group(company.tenant, "y" * 100)
    page.set_viewport_size({"width": 390, "height": 844})
    sign_in(page, site, "owner")
    base = company.base.slug
    for parts in (
        ("people",),
        ("people", str(person.pk)),
        ("people", str(person.pk), "remove"),
        ("people", "groups", str(company.group.pk)),
        (base, "settings"),
        (base, "documents"),
    ):
        page.goto(site.path(*parts))
        assert page.evaluate("document.documentElement.scrollWidth") == 390, parts


def test_the_list_of_conversations_on_a_phone_opens_and_closes_by_touch(
    page: Page, site: Site
) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    sign_in(page, site)
    page.goto(site.path(site.company.base.slug, "ask"))
    drawer = page.locator("#history")
    expect(drawer).to_be_hidden()
    page.get_by_role("button", name="Your conversations", exact=True).click()
    expect(drawer).to_be_visible()
    page.get_by_role("button", name="Close your conversations").click()
    expect(drawer).to_be_hidden()
