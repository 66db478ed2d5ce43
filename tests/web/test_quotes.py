"""The cards of the sources: quotes look as they do in the document and stay harmless."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.tenancy import tenant_transaction
from knowledge.ingest.tree import NodeKind
from knowledge.models import Node
from knowledge.reading.leaves import Markup
from retrieval.quotes import quote_html
from tests.factories import ingested, make_citation
from tests.web.conftest import HANDBOOK, Asked, Browser
from tests.web.pages import read_page


def shown(quote: str, kind: str = NodeKind.PARAGRAPH, markup: Markup = Markup.MARKDOWN) -> str:
    return quote_html(quote, kind, markup)


def test_a_card_shows_rows_as_a_table_with_the_names_of_the_columns(
    asked: Asked, browser: Browser
) -> None:
    company, row = asked.company, "| Desk | 300 |"
    start = HANDBOOK.index(row)
    with tenant_transaction(company.tenant):
        leaf = Node.objects.get(version=asked.citation.version, kind=NodeKind.TABLE)
    make_citation(
        company.tenant,
        asked.run,
        asked.citation.version,
        number=2,
        path=leaf.path,
        quote=row,
        char_start=start,
        char_end=start + len(row),
    )
    path = reverse("conversation", args=[company.tenant.slug, asked.run.conversation_id])
    html = browser(company.editor).get(path).content.decode()
    page = read_page(html)
    assert page.text("th") == ["Item", "Price"]
    assert page.text("td") == ["Desk", "300"]
    assert "| Desk" not in html
    assert "<strong>25 days</strong>" in html


def test_a_quote_of_a_plain_file_or_of_code_is_shown_as_it_is_written() -> None:
    for kind, markup in ((NodeKind.PARAGRAPH, Markup.PLAIN), (NodeKind.CODE, Markup.MARKDOWN)):
        assert shown("call **kwargs** now", kind, markup) == "call **kwargs** now"


@pytest.mark.parametrize(
    "quote",
    [
        "<script>alert(1)</script>",
        "| <img src=x onerror=alert(1)> | [x](javascript:alert(1)) |",
        "![x](https://example.com/x.png) **[text](https://example.com)**",
    ],
)
@pytest.mark.parametrize("kind", [NodeKind.PARAGRAPH, NodeKind.TABLE, NodeKind.CODE])
@pytest.mark.parametrize("markup", list(Markup))
def test_no_markup_of_a_document_acts_on_a_card(quote: str, kind: NodeKind, markup: Markup) -> None:
    page = read_page(shown(quote, kind, markup))
    assert {tag for tag, _ in page.tags} <= {"strong", "table", "tbody", "tr", "td"}
    assert all(attributes == {} for _, attributes in page.tags)


def test_a_long_quote_is_cut_without_cutting_its_markup() -> None:
    html = shown(f"**{'word ' * 100}end**")
    assert html.endswith("…</strong>")
    assert len("".join(read_page(html).text("strong"))) <= 151


def test_a_source_that_has_later_versions_keeps_its_card(asked: Asked, browser: Browser) -> None:
    company = asked.company
    ingested(company.tenant, company.base, "handbook.md", "# Staff handbook\n\nNew.\n")
    path = reverse("conversation", args=[company.tenant.slug, asked.run.conversation_id])
    html = browser(company.editor).get(path).content.decode()
    assert "<strong>25 days</strong>" in html
