"""One document: facts, text in parts, versions, and the original as an attachment."""

from __future__ import annotations

from django.urls import reverse

from tests.factories import Company, ingested
from tests.web.conftest import HANDBOOK, Asked, Browser
from tests.web.pages import read_page


def test_a_document_shows_its_facts_outline_and_text(asked: Asked, browser: Browser) -> None:
    path = _path("document", asked)
    html = browser(asked.company.member).get(path).content.decode()
    page = read_page(html)
    assert page.text("h1") == ["Staff handbook"]
    assert {"Leave", "Prices"} <= set(page.text("h2"))
    assert "25 days" in page.text("strong")
    assert "300" in page.text("td")
    assert "2 sections" in html
    assert any(link.startswith("#n") for link in page.links())


def test_a_long_document_is_read_in_parts_that_cover_it(a: Company, browser: Browser) -> None:
    paragraphs = [f"Paragraph number {number}. " + "Words. " * 60 for number in range(300)]
    text = "# Long\n\n" + "".join(
        f"## Section {number}\n\n{paragraph}\n\n" for number, paragraph in enumerate(paragraphs)
    )
    document = ingested(a.tenant, a.base, "long.md", text)
    client = browser(a.member)
    path = reverse("document", args=[a.tenant.slug, a.base.slug, document.pk])
    seen, query = "", ""
    for _ in range(20):
        html = client.get(path + query, headers={"HX-Request": "true"}).content.decode()
        seen += html
        following = [link for link in read_page(html).links() if link.startswith("?from=")]
        if not following:
            break
        query = following[0]
    positions = [seen.index(f"Paragraph number {number}.") for number in range(300)]
    assert positions == sorted(positions)
    assert seen.count("Paragraph number 77.") == 1
    assert "Earlier text" in client.get(f"{path}{query}").content.decode()


def test_a_start_that_is_no_number_is_the_beginning(asked: Asked, browser: Browser) -> None:
    for start in ("x", "-1", "9" * 30, "²"):
        response = browser(asked.company.member).get(_path("document", asked), {"from": start})
        assert "The company has 40 employees" in response.content.decode()


def test_an_older_version_is_kept_and_says_what_it_is(asked: Asked, browser: Browser) -> None:
    company = asked.company
    ingested(company.tenant, company.base, "handbook.md", HANDBOOK.replace("25 days", "30 days"))
    client = browser(company.member)
    now = client.get(_path("document", asked)).content.decode()
    assert "30 days" in now
    assert "2 versions" in now
    then = client.get(_path("document_version", asked, 1)).content.decode()
    assert "25 days" in then
    assert "This is version 1" in then
    assert client.get(_path("document_version", asked, 3)).status_code == 404


def test_the_original_comes_back_byte_for_byte_and_is_never_run(
    a: Company, browser: Browser
) -> None:
    content = "# T\n\n<script>alert(1)</script>\n\r\n"
    document = ingested(a.tenant, a.base, 'Отчёт "2026".md', content)
    path = reverse("document_download", args=[a.tenant.slug, a.base.slug, document.pk])
    response = browser(a.member).get(path)
    assert response.content == content.encode()
    assert response["Content-Type"] == "application/octet-stream"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Disposition"].startswith("attachment; filename")
    for version, status in (("1", 200), ("2", 404), ("x", 404), ("9" * 40, 404)):
        assert browser(a.member).get(path, {"version": version}).status_code == status, version


def test_markup_of_a_document_is_shown_and_not_run(a: Company, browser: Browser) -> None:
    text = (
        "# T\n\n<script>alert(1)</script>\n\n<img src=x onerror=alert(1) alt=x>\n\n"
        "<p>&lt;script>alert(2)&lt;/script> &lt;img src=x onerror=alert(2)></p>\n\n"
        "![picture](https://elsewhere.example/p.png) and [link](javascript:alert(1)).\n"
    )
    document = ingested(a.tenant, a.base, "t.md", text)
    path = reverse("document", args=[a.tenant.slug, a.base.slug, document.pk])
    page = read_page(browser(a.member).get(path).content.decode())
    assert page.attributes("img") == []
    assert [text for text in page.text("script") if text] == []
    assert "<script>alert(2)</script> <img src=x" in " ".join(page.text("p"))
    assert not [link for link in page.links() if link.startswith("javascript")]


def test_plain_text_is_not_read_as_markdown(a: Company, browser: Browser) -> None:
    document = ingested(a.tenant, a.base, "t.txt", "These are *not* emphasised.\n")
    path = reverse("document", args=[a.tenant.slug, a.base.slug, document.pk])
    assert "*not*" in browser(a.member).get(path).content.decode()


def test_a_failed_document_says_why(a: Company, browser: Browser) -> None:
    document = ingested(a.tenant, a.base, "torn.pdf", b"%PDF-1.7\nnothing")
    path = reverse("document", args=[a.tenant.slug, a.base.slug, document.pk])
    html = browser(a.member).get(path).content.decode()
    assert document.latest_version is not None
    assert document.latest_version.message in html
    assert "Try again" not in html
    assert "Try again" in browser(a.editor).get(path).content.decode()


def _path(name: str, asked: Asked, *more: int) -> str:
    company = asked.company
    return reverse(name, args=[company.tenant.slug, company.base.slug, asked.document.pk, *more])
