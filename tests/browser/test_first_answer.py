"""The whole road in a browser: sign in, upload, ask, open the sentence that the answer rests on."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from retrieval.agent.evidence import Context
from retrieval.agent.reasoner import Draft, Signals
from tests.browser.conftest import Site, sign_in
from tests.doubles import ScriptedReasoner, use_reasoner
from tests.web.conftest import HANDBOOK

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

QUESTION = "How many days of leave a year does everyone have?"


def upload_handbook(page: Page) -> None:
    page.get_by_label("Add documents").set_input_files(
        {"name": "handbook.md", "mimeType": "text/markdown", "buffer": HANDBOOK.encode()}
    )
    page.get_by_role("button", name="Upload").click()
    row = page.get_by_role("row").filter(has_text="handbook.md")
    expect(row.get_by_text("Ready")).to_be_visible()  # by polling, without a reload


def test_upload_ask_and_open_the_cited_sentence(page: Page, site: Site) -> None:
    sign_in(page, site)
    page.get_by_role("link", name="Documents of Handbook").click()
    upload_handbook(page)
    page.get_by_role("navigation", name="This base").get_by_role("link", name="Ask").click()
    page.get_by_label("Your question").fill(QUESTION)
    page.get_by_role("button", name="Ask").click()
    marker = page.get_by_role("link", name="Source 1", exact=True)
    marker.click()
    panel = page.get_by_role("complementary", name="Cited passage")
    expect(panel.locator("mark").first).to_be_in_viewport()
    assert "".join(panel.locator("mark").all_inner_texts()) == (
        "Everyone has 25 days of leave a year."
    )
    # The end of a stream replaces the marker whose passage is open; the focus must find it again.
    marker.evaluate("link => link.replaceWith(link.cloneNode(true))")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(marker).to_be_focused()
    page.reload()
    expect(page.get_by_role("log").get_by_text(QUESTION)).to_be_visible()
    expect(marker).to_be_visible()


def test_the_road_by_keyboard_alone(page: Page, site: Site) -> None:
    sign_in(page, site)
    page.goto(site.path(site.company.base.slug, "documents"))
    upload_handbook(page)
    page.goto(site.path(site.company.base.slug, "ask"))
    page.keyboard.type("How many days of leave")  # the box has the focus
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("a year does everyone have?")
    page.keyboard.press("Enter")
    marker = page.get_by_role("link", name="Source 1", exact=True)
    expect(marker).to_be_visible()
    marker.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#passage mark").first).to_be_visible()
    expect(page.locator("#passage")).to_be_focused()
    page.keyboard.press("Escape")
    expect(marker).to_be_focused()
    page.get_by_label("Your question").focus()
    page.keyboard.type("How far away is the moon?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The documents do not answer this")).to_be_visible()
    expect(page.get_by_label("Your question")).to_have_value("")
    expect(page.get_by_role("article")).to_have_count(2)


def test_without_scripts_a_question_is_answered_and_cited_too(page: Page, site: Site) -> None:
    browser = page.context.browser
    assert browser is not None
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    sign_in(plain, site)
    plain.goto(site.path(site.company.base.slug, "documents"))
    plain.get_by_label("Add documents").set_input_files(
        {"name": "handbook.md", "mimeType": "text/markdown", "buffer": HANDBOOK.encode()}
    )
    plain.get_by_role("button", name="Upload").click()
    for _ in range(40):
        if plain.get_by_text("Ready", exact=True).is_visible():
            break
        plain.wait_for_timeout(500)
        plain.goto(site.path(site.company.base.slug, "documents"))
    plain.goto(site.path(site.company.base.slug, "ask"))
    plain.get_by_label("Your question").fill(QUESTION)
    plain.get_by_role("button", name="Ask").click()
    plain.get_by_role("link", name="Show the answer").click()
    plain.get_by_role("link", name="Source 1", exact=True).click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("Staff handbook")
    assert "".join(plain.locator("mark").all_inner_texts()).endswith("days of leave a year.")
    context.close()


def test_an_answer_that_broke_is_asked_again_by_one_click(
    page: Page, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(page, site)
    page.goto(site.path(site.company.base.slug, "documents"))
    upload_handbook(page)
    page.goto(site.path(site.company.base.slug, "ask"))
    page.get_by_label("Your question").fill(QUESTION)
    with monkeypatch.context() as broken:
        use_reasoner(broken, ScriptedReasoner(_break))
        page.get_by_role("button", name="Ask").click()
        again = page.get_by_role("button", name="Ask again")
        expect(again).to_be_visible()  # it came by the stream, not with the page
    again.click()
    expect(page.get_by_role("link", name="Source 1", exact=True)).to_be_visible()
    expect(page.get_by_role("log").get_by_text(QUESTION)).to_have_count(2)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_scrolls_sideways_and_the_passage_is_a_sheet(
    scheme: str, page: Page, site: Site
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    sign_in(page, site)
    base = site.company.base.slug
    page.goto(site.path(base, "documents"))
    upload_handbook(page)
    assert not scrolls_sideways(page)
    page.goto(site.path(base, "ask"))
    page.get_by_label("Your question").fill(QUESTION)
    page.get_by_role("button", name="Ask").click()
    page.get_by_role("link", name="Source 1", exact=True).click()
    expect(page.locator("#passage mark").first).to_be_in_viewport()
    assert not scrolls_sideways(page)
    box = page.locator("#panel").bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (0, 390)
    page.get_by_role("button", name="Close the passage").click()
    page.get_by_role("button", name="Your conversations").click()
    expect(page.get_by_role("complementary", name="Your conversations")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("complementary", name="Your conversations")).to_be_hidden()


def test_the_chosen_theme_is_there_before_the_first_paint_of_the_next_page(
    page: Page, site: Site
) -> None:
    page.emulate_media(color_scheme="light")
    sign_in(page, site)
    page.get_by_role("button", name="Switch between light and dark").click()
    page.goto(site.path("conversations"), wait_until="commit")
    page.wait_for_selector("body", state="attached")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def _break(question: str, context: Context, signals: Signals) -> Draft:
    raise RuntimeError("What a test breaks.")


def scrolls_sideways(page: Page) -> bool:
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return bool(wide)
