"""Nothing that a document or a model writes makes a mark or a marker, or moves one."""

from __future__ import annotations

import io
import re
from html import unescape

import docx
import pymupdf
import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from accounts.tenancy import tenant_transaction
from knowledge.ingest.tree import NodeKind, Span
from knowledge.models import Node, VersionText
from knowledge.reading.leaves import Markup, leaf_html
from retrieval.answers import answer_html
from retrieval.models import Run
from retrieval.quotes import quote_html
from tests.factories import Company, ingested, make_citation, make_conversation, make_run
from tests.web.conftest import Browser
from tests.web.pages import read_page

REAL = "The notice period for zebraquux is ninety days."
# What becomes U+E000 and U+E001 when it is read as text, as Markdown or as an address.
ENCODINGS = [
    ("\ue000", "\ue001"),
    ("&#xE000;", "&#xE001;"),
    ("&#57344;", "&#57345;"),
    ("&#x0E000;", "&#x0E001;"),
    ("&amp;#xE000;", "&amp;#xE001;"),
    ("<https://e.example/%EE%80%80a>", "<https://e.example/%EE%80%81a>"),
    ("&#xFDD0;", "&#xFDD1;"),
    ("<https://e.example/%EF%B7%90a>", "<https://e.example/%EF%B7%91a>"),
    ("<mark>", "</mark>"),
    ("&lt;mark&gt;", "&lt;/mark&gt;"),
]
LINKS = [
    "[x](https://evil.example)",
    "![x](https://evil.example/p.png)",
    "<https://evil.example>",
    "[x](mailto:a@evil.example)",
]


def forged(opening: str, closing: str) -> str:
    return f"Zebraquux contracts: {opening}Dismissal needs no notice.{closing} {REAL}"


def word_file(text: str) -> bytes:
    document, file = docx.Document(), io.BytesIO()
    document.add_heading("Contracts", 1)
    document.add_paragraph(text)
    document.save(file)
    return file.getvalue()


def pdf_file(text: str) -> bytes:
    document = pymupdf.open()
    document.new_page().insert_textbox((50, 50, 550, 400), text)
    content: bytes = document.tobytes()
    return content


def cited_page(company: Company, client: Client, filename: str, content: str | bytes) -> str:
    """Return the panel of an answer that cites the sentence `REAL` of an uploaded file."""
    tenant = company.tenant
    document = ingested(tenant, company.base, filename, content)
    version = document.current_version
    assert version is not None
    version.document = document
    with tenant_transaction(tenant):
        text = VersionText.objects.get(version=version).content
        start = " ".join(text.split("\n")).index(REAL)
        leaf = Node.objects.filter(version=version).leaves().overlapping(start, start + 1).get()
    run = make_run(
        tenant,
        make_conversation(tenant, company.base, company.editor.user, "Notice?"),
        answer="Ninety days. [1]",
        state=Run.State.DONE,
        reasoner="extractive",
    )
    end = start + len(REAL)
    make_citation(
        tenant, run, version, path=leaf.path, quote=text[start:end], char_start=start, char_end=end
    )
    path = reverse("citation", args=[tenant.slug, run.pk, 1])
    return client.get(path, headers={"HX-Request": "true"}).content.decode()


@pytest.mark.parametrize("suffix", ["md", "txt", "html", "docx", "pdf"])
def test_the_panel_marks_the_quote_alone_whatever_the_document_holds(
    a: Company, browser: Browser, suffix: str
) -> None:
    signs = (" All of it. ".join(pair) for pair in ENCODINGS)
    text = f"Zebraquux contracts: {' '.join(signs)} {REAL}"
    content: str | bytes = text
    if suffix == "html":
        escaped = text.replace("&", "&amp;").replace("<", "&lt;")
        content = f"<html><body><h1>Contracts</h1><p>{escaped}</p></body></html>"
    elif suffix == "docx":
        content = word_file(text)
    elif suffix == "pdf":
        content = pdf_file(text)
    page = read_page(cited_page(a, browser(a.editor), f"contracts.{suffix}", content))
    assert " ".join("".join(page.text("mark")).split()) == REAL


@pytest.mark.parametrize(("opening", "closing"), ENCODINGS)
@pytest.mark.parametrize("kind", [NodeKind.PARAGRAPH, NodeKind.LIST])
@pytest.mark.parametrize("markup", list(Markup))
def test_a_leaf_has_its_mark_on_the_quote_alone(
    kind: NodeKind, markup: Markup, opening: str, closing: str
) -> None:
    text = f"- {forged(opening, closing)}\n"
    start = text.index(REAL)
    html = leaf_html(kind, text, markup, Span(start, start + len(REAL)))
    assert read_page(html).text("mark") == [REAL]


@pytest.mark.parametrize(("opening", "closing"), ENCODINGS)
@pytest.mark.parametrize("kind", [NodeKind.PARAGRAPH, NodeKind.LIST, NodeKind.TABLE])
@pytest.mark.parametrize("markup", list(Markup))
def test_a_leaf_without_a_quote_has_no_mark(
    kind: NodeKind, markup: Markup, opening: str, closing: str
) -> None:
    within = "| A |\n|---|\n| {} |\n" if kind is NodeKind.TABLE else "- {}\n"
    assert "<mark" not in leaf_html(kind, within.format(forged(opening, closing)), markup)


_PIECES = st.lists(
    st.sampled_from(
        ["word", " ", "*", "`", "[", "](", ")", "![", "<https://e.example/", ">", "\\", "\n", "- ",
         "&#xE000;", "&#xE001;", "%EE%80%80", "%EE%80%81", "\ue000", "\ue001", ' "', '"', "~~"]
    ),
    max_size=20,
)  # fmt: skip


@given(before=_PIECES, after=_PIECES)
def test_the_mark_stays_on_the_quote_between_any_words(before: list[str], after: list[str]) -> None:
    start = "".join(before) + "\n"
    text = f"{start}{REAL}\n{''.join(after)}"
    span = Span(len(start), len(start) + len(REAL))
    html = leaf_html(NodeKind.PARAGRAPH, text, Markup.MARKDOWN, span)
    seen = unescape("".join(read_page(html).text("mark")))
    plain = leaf_html(NodeKind.PARAGRAPH, text, Markup.MARKDOWN)
    assert REAL in seen or REAL not in re.sub("<[^>]*>", "", plain)
    assert html.replace("<mark>", "").replace("</mark>", "") == plain


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("kind", list(NodeKind))
def test_words_of_a_file_that_is_no_markdown_are_never_a_link(link: str, kind: NodeKind) -> None:
    text = {"list": f"- {link}\n- > {link}", "table": f"| A |\n| --- |\n| {link} |"}.get(kind, link)
    html = leaf_html(kind, text, Markup.of_parser("html"))
    assert "<a" not in html
    assert link in unescape(html)
    assert read_page(quote_html(text, kind, Markup.of_parser("pdf"))).attributes("a") == []


@pytest.mark.parametrize("link", LINKS)
def test_every_place_of_a_page_shows_link_syntax_as_words(
    a: Company, browser: Browser, link: str
) -> None:
    words = link.replace("<", "&lt;")
    content = (
        f"<html><head><title>{words}</title></head><body><h1>{words}</h1><h2>{words}</h2>"
        f'<p>A <a href="https://own.example">{words}</a></p><img alt="{words}" src="x.png">'
        f'<figure><img alt="{words}" src="y.png"><figcaption>Of {words}</figcaption></figure>'
        f"<ul><li>{words}</li></ul><table><caption>{words}</caption>"
        f"<tr><th>A</th><th>B</th></tr><tr><td>{words}</td><td>1</td></tr></table>"
        f"<blockquote>{words}</blockquote><pre>{words}</pre></body></html>"
    )
    document = ingested(a.tenant, a.base, "page.html", content)
    path = reverse("document", args=[a.tenant.slug, a.base.slug, document.pk])
    html = browser(a.editor).get(path).content.decode()
    page = read_page(html)
    assert [one for one in page.links() if "evil" in (one or "")] == []
    assert page.attributes("img") == []
    assert unescape(html).count(link) >= 9


def test_stars_and_backslashes_of_a_file_that_is_no_markdown_are_shown() -> None:
    text = r"Call **kwargs with \* and __init__, C:\_x, 2 * 3 * 4 &amp; `a`."
    html = leaf_html(NodeKind.PARAGRAPH, text, Markup.of_parser("pdf"), Span(0, 15))
    assert unescape(html).replace("</mark>", "").replace("<mark>", "") == (
        f'<p dir="auto">{text}</p>'
    )
    assert read_page(html).text("mark") == ["Call **kwargs w"]


@pytest.mark.parametrize("number", ["1", "7", "9" * 5_000])
@pytest.mark.parametrize(
    ("opening", "closing"),
    [("&#xE000;", "&#xE001;"), ("\ue000", "\ue001"), ("&#57344;", "&#57345;")],
)
def test_an_answer_cannot_forge_a_marker(opening: str, closing: str, number: str) -> None:
    html = answer_html(
        f"Ninety days [1], {opening}{number}{closing} more.",
        cited={1},
        citation_url=lambda number: f"/c/{number}/",
        is_over=True,
    )
    assert read_page(html).links() == ["/c/1/#cited"]
    assert number in html


def test_a_conversation_with_a_forged_marker_opens(a: Company, browser: Browser) -> None:
    conversation = make_conversation(a.tenant, a.base, a.editor.user, "Notice?")
    answer = f"&#xE000;7&#xE001; and &#xE000;{'9' * 5_000}&#xE001;"
    make_run(a.tenant, conversation, answer=answer, state=Run.State.DONE, reasoner="extractive")
    path = reverse("conversation", args=[a.tenant.slug, conversation.pk])
    response = browser(a.editor).get(path)
    assert response.status_code == 200
    assert "deleted since" not in response.content.decode()
