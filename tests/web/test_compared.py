"""The page of what changed: tables, lists and footnotes in words, not in the signs of Markdown."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.factories import Company, ingested
from tests.web.conftest import Browser
from tests.web.pages import Page, read_page

HTML = """<html><body><h1>Handbook</h1>
<table><tr><th>Part</th><th>Weight</th></tr><tr><td>Desk</td><td>2,000 g</td></tr></table>
<ul><li>One key</li><li>Two doors</li></ul>
<p>Leave is 25 days.<sup><a href="#fn1" id="r1">1</a></sup></p>
<ol class="footnotes"><li id="fn1">Since May. <a href="#r1">back</a></li></ol></body></html>"""
HTML_AFTER = HTML.replace("2,000", "2,500").replace("doors", "gates").replace("25", "30")
MARKDOWN = """# Handbook

| Part | Weight |
| --- | ---: |
| Desk | 2,000 g |

Leave is **25 days**.[^1]

[^1]: Since May.
"""
MARKDOWN_AFTER = MARKDOWN.replace("2,000", "2,500").replace("25", "30").replace("May", "June")


def compared(a: Company, browser: Browser, name: str, before: str, after: str) -> Page:
    ingested(a.tenant, a.base, name, before)
    document = ingested(a.tenant, a.base, name, after)
    path = reverse("document_compare", args=[a.tenant.slug, a.base.slug, document.pk])
    return read_page(browser(a.member).get(path).content.decode())


def edits(page: Page) -> list[str]:
    return [text for text in page.text("p") if "Desk" in text or "key" in text or "Leave" in text]


def test_a_web_page_is_compared_without_any_markdown(a: Company, browser: Browser) -> None:
    page = compared(a, browser, "handbook.html", HTML, HTML_AFTER)
    assert edits(page) == [
        "Part · Weight Desk · 2,000 2,500 g",
        "• One key • Two doorsgates",
        "Leave is 25 30 days.¹",
    ]
    assert page.text("del") == ["2,000", "doors", "25"]
    assert page.text("ins") == ["2,500", "gates", "30"]


def test_a_markdown_file_keeps_its_words_and_its_tables_are_rows(
    a: Company, browser: Browser
) -> None:
    page = compared(a, browser, "handbook.md", MARKDOWN, MARKDOWN_AFTER)
    shown = " ".join(page.text("main"))
    assert edits(page) == ["Part · Weight Desk · 2,000 2,500 g", "Leave is **25 30 days**.¹"]
    assert "¹ Since MayJune." in shown
    assert "|" not in shown
    assert "[^" not in shown


def test_a_mark_in_code_is_compared_as_it_is_written(a: Company, browser: Browser) -> None:
    before = "The key `x[^1]` has 25 bits.[^1]\n\n[^1]: Since May.\n"
    page = compared(a, browser, "t.md", before, before.replace("25", "30"))
    assert edits(page) == ["The key `x[^1]` has 25 30 bits.¹"]


@pytest.mark.parametrize("sign", ["|", "[^1]", "- ", "**"])
def test_signs_that_a_document_holds_itself_are_its_own(
    a: Company, browser: Browser, sign: str
) -> None:
    before = f"<html><body><h1>T</h1><p>A {sign} Leave one.</p></body></html>"
    page = compared(a, browser, "t.html", before, before.replace("one", "two"))
    if sign != "[^1]":  # the marks of footnotes look the same in every document
        assert edits(page)[-1] == f"A {sign} Leave onetwo.".replace("  ", " ")


def test_a_plain_text_is_compared_as_it_is(a: Company, browser: Browser) -> None:
    page = compared(a, browser, "t.txt", "- Leave [^1] is 25.\n", "- Leave [^1] is 30.\n")
    assert edits(page) == ["- Leave [^1] is 2530."]
