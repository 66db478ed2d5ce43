"""What stands where on a phone, and that nothing lies over what is being read."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.tenancy import tenant_transaction
from knowledge.models import Document
from tests.browser.conftest import Site, sign_in
from tests.factories import (
    ingested,
    make_citation,
    make_conversation,
    make_document,
    make_event,
    make_ingestion_run,
    make_run,
    make_version,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ROWS = [f"| Part {number} | {number} |" for number in range(300)]
WIDE_ROWS = [f"| Part {n} | A part of great use | {n} | {n} | 3 | 36 | Annex |" for n in range(60)]
WIDE_HEAD = "| Part | Description | Weight | Price | Delivery | Warranty | Remarks |"
WIDE = "\n".join(("# Prices", "", WIDE_HEAD, "|---" * 7 + "|", *WIDE_ROWS, ""))
TABLE = "\n".join(("# Prices", "", "| Part | Price |", "|---|---|", *ROWS, ""))


def _box(place: Locator) -> dict[str, float]:
    box = place.bounding_box()
    assert box is not None
    return {**box, "bottom": box["y"] + box["height"]}  # type: ignore[dict-item]  # FloatRect


def _asked(
    site: Site, answer: str = "It costs 250. [1]", table: str = TABLE, row: str = ROWS[250]
) -> str:
    """Return the address of the conversation of a question about a row far down in a table."""
    company = site.company
    document = ingested(company.tenant, company.base, "prices.md", table)
    version = document.current_version
    assert version is not None
    version.document = document
    conversation = make_conversation(
        company.tenant, company.base, company.editor.user, "How much is part 250?"
    )
    run = make_run(company.tenant, conversation, state="done", answer=answer, reasoner="large-1")
    make_event(company.tenant, run)
    start = table.index(row)
    make_citation(
        company.tenant,
        run,
        version,
        quote=row,
        char_start=start,
        char_end=start + len(row),
    )
    return site.path("conversations", str(conversation.pk))


@pytest.mark.parametrize("width", [1280, 390])
def test_the_document_opens_at_the_cited_row_and_marks_it_alone(
    width: int, page: Page, site: Site
) -> None:
    conversation = _asked(site)
    page.set_viewport_size({"width": width, "height": 800})
    sign_in(page, site)
    page.goto(conversation)
    page.get_by_role("link", name="Source 1", exact=True).click()
    page.get_by_role("link", name="Open in the document").click()
    row = page.get_by_role("row", name="Part 250 250")
    expect(row).to_be_in_viewport(ratio=1)
    paint = "place => getComputedStyle(place).backgroundColor"
    clear = page.get_by_role("row", name="Part 249 249").evaluate(paint)
    assert row.evaluate(paint) != clear == "rgba(0, 0, 0, 0)"
    assert page.locator(".leaf-cited").evaluate(paint) == clear
    assert page.locator("mark").all_text_contents() == ["Part 250", "250"]


@pytest.mark.parametrize("height", [600, 660, 720])
def test_the_end_of_an_answer_that_fits_is_not_under_the_box(
    height: int, page: Page, site: Site
) -> None:
    conversation = _asked(site, "It costs 250. [1] " + "And so on for a while. " * 6)
    page.set_viewport_size({"width": 390, "height": height})
    sign_in(page, site)
    page.goto(conversation)
    verdicts = _box(page.get_by_role("button", name="Wrong source"))
    assert verdicts["bottom"] <= _box(page.locator("#composer"))["y"]
    bar, answer = _box(page.locator(".chat-head")), _box(page.locator(".answer"))
    assert answer["y"] >= bar["bottom"] - 1
    expect(page.get_by_role("link", name="Delete").last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])
def test_the_box_of_a_first_question_lies_over_nothing(
    width: int, height: int, page: Page, site: Site
) -> None:
    company = site.company
    for number in range(6):
        sections = "".join(f"## Chapter {number}.{one}\n\nText.\n\n" for one in range(4))
        ingested(company.tenant, company.base, f"manual{number}.md", f"# M{number}\n\n{sections}")
    page.set_viewport_size({"width": width, "height": height})
    sign_in(page, site)
    page.goto(site.path(company.base.slug, "ask"))
    box, listed = page.locator(".composer-dock"), page.locator(".suggestions")
    expect(box).to_be_in_viewport(ratio=1)
    assert _box(box)["bottom"] <= _box(listed)["y"]
    listed.get_by_role("link").last.click()
    assert _box(box)["bottom"] <= _box(listed)["y"]
    expect(page.get_by_label("Your question")).to_be_focused()


def test_lists_on_a_phone_keep_together_what_belongs_together(page: Page, site: Site) -> None:
    company = site.company
    _asked(site)
    version = make_version(company.tenant, make_document(company.tenant, company.base))
    progress = {"state": "running", "stage": "embed", "total": 1, "done": 0}
    make_ingestion_run(company.tenant, version, **progress)
    with tenant_transaction(company.tenant):
        Document.objects.filter(pk=version.document_id).update(latest_version=version)
    page.set_viewport_size({"width": 390, "height": 844})
    sign_in(page, site)
    page.goto(site.path(company.base.slug, "documents"))
    count = page.get_by_text("0 of 1", exact=True)
    assert count.evaluate("line => line.getClientRects().length") == 1
    page.goto(site.path("conversations"))
    title, delete = page.get_by_role("link", name="How much"), page.get_by_role("link", name="Del")
    assert abs(_box(title.first)["y"] - _box(delete)["y"]) < 8
    card = _box(page.get_by_role("row").last)
    assert card["height"] < 90
    assert card["x"] + card["width"] - _box(delete)["x"] - _box(delete)["width"] < 20


@pytest.mark.parametrize("width", [1280, 390])
def test_a_wide_table_in_the_panel_scrolls_sideways_within_itself_at_the_cited_row(
    width: int, page: Page, site: Site
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    sign_in(page, site)
    page.goto(_asked(site, table=WIDE, row=WIDE_ROWS[50]))
    page.locator("a.cite").first.click()
    body, table = page.locator("#passage"), page.locator("#passage .table-scroll")
    row = page.locator("#passage .cited-row")
    expect(row).to_be_in_viewport()
    view, box = _box(body), _box(table)
    assert box["x"] >= view["x"]
    assert box["x"] + box["width"] <= view["x"] + view["width"]
    assert view["y"] <= box["y"]  # its header and its own bar for scrolling sideways
    assert box["bottom"] <= view["bottom"]
    assert _box(table.locator("th").first)["bottom"] <= _box(row)["y"]
    assert _box(row)["bottom"] <= box["bottom"]
    assert body.evaluate("pane => pane.scrollWidth <= pane.clientWidth")
    table.evaluate("pane => pane.scrollTo({left: pane.scrollWidth})")
    expect(row.locator("td").last).to_be_in_viewport(ratio=1)
