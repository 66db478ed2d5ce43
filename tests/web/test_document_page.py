"""The page of a document and those of its versions: history, comparison, going back, adding one."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from accounts.tenancy import tenant_transaction
from knowledge.models import Document, DocumentVersion
from knowledge.services.versions import version_restore
from tests.factories import Company, ingest_queued, ingested, uploaded
from tests.web.conftest import HANDBOOK, Asked, Browser
from tests.web.pages import read_page
from tests.web.test_every_page import check

CHANGED = HANDBOOK.replace("25 days", "30 days")


@pytest.fixture
def document(a: Company) -> Document:
    """Return a handbook whose second version is in use."""
    ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    return ingested(a.tenant, a.base, "handbook.md", CHANGED)


def url(a: Company, name: str, document: Document, *more: int) -> str:
    return reverse(name, args=[a.tenant.slug, a.base.slug, document.pk, *more])


def current(a: Company, document: Document) -> int:
    with tenant_transaction(a.tenant):
        number: int = Document.objects.get(pk=document.pk).current_version.number
        return number


def test_the_page_reports_how_the_document_was_read(
    a: Company, document: Document, browser: Browser
) -> None:
    html = browser(a.member).get(url(a, "document", document)).content.decode()
    check(html)
    facts = read_page(html).text("dd")
    assert {"Ready", "Markdown", "English", "handbook.md"} <= set(facts)
    assert any(fact.startswith("67 % of the passages, ") for fact in facts)
    assert any(fact.endswith(" s") for fact in facts)
    assert "It was read without problems." in html


def test_the_outline_is_a_tree_that_can_be_folded(a: Company, browser: Browser) -> None:
    text = "# T\n\n## A\n\n### B\n\n#### C\n\nText.\n\n## D\n\nText.\n"
    page = read_page(
        browser(a.member)
        .get(url(a, "document", ingested(a.tenant, a.base, "t.md", text)))
        .content.decode()
    )
    summaries = [summary for summary in page.text("summary") if summary in ("A", "B", "C", "D")]
    assert summaries == ["A", "B"]
    assert [link for link in page.text("a") if link in ("A", "B", "C", "D")] == list("ABCD")


def test_members_read_and_editors_change(a: Company, document: Document, browser: Browser) -> None:
    for name, arguments in (
        ("document", []),
        ("document_version", [1]),
        ("document_versions", []),
        ("document_compare", []),
    ):
        html = browser(a.member).get(url(a, name, document, *arguments)).content.decode()
        assert "Use" not in read_page(html).text("button"), name
        assert 'method="post" action="/t/' not in html.replace("/logout/", ""), name
    html = browser(a.editor).get(url(a, "document_versions", document)).content.decode()
    assert "Use again version 1" in read_page(html).text("button")
    assert browser(a.member).post(url(a, "document_restore", document, 1)).status_code == 403
    assert current(a, document) == 2


def test_an_editor_goes_back_and_the_page_shows_it(
    a: Company, document: Document, browser: Browser
) -> None:
    editor = browser(a.editor)
    response = editor.post(url(a, "document_restore", document, 1), follow=True)
    html = response.content.decode()
    assert "Version 1 is used again as soon as it is indexed." in html
    assert "hx-get" in html
    assert "Use again" not in html
    waiting = editor.get(url(a, "document", document)).content.decode()
    assert "Version 1 is being indexed to be used again; version 2 is used until then." in waiting
    ingest_queued(a.tenant)
    part = editor.get(url(a, "document_versions", document), headers={"HX-Request": "true"})
    assert "hx-get" not in part.content.decode()
    assert "<html" not in part.content.decode()
    assert current(a, document) == 1
    assert "25 days" in editor.get(url(a, "document", document)).content.decode()
    again = editor.post(url(a, "document_restore", document, 1), follow=True)
    assert "Version 1 is in use already." in again.content.decode()
    assert editor.post(url(a, "document_restore", document, 7)).status_code == 404


def test_the_comparison_shows_the_words(a: Company, document: Document, browser: Browser) -> None:
    member = browser(a.member)
    html = member.get(url(a, "document_compare", document)).content.decode()
    check(html)
    page = read_page(html)
    assert (page.text("del"), page.text("ins")) == (["25"], ["30"])
    assert page.text("h2") == ["Leave"]
    backwards = read_page(
        member.get(url(a, "document_compare", document), {"old": 2, "new": 1}).content.decode()
    )
    assert (backwards.text("del"), backwards.text("ins")) == (["30"], ["25"])


def test_words_of_a_document_are_shown_and_not_run(a: Company, browser: Browser) -> None:
    ingested(a.tenant, a.base, "t.md", "# T\n\nHello.\n")
    document = ingested(
        a.tenant, a.base, "t.md", "# T\n\n## <b>S</b>\n\n`<script>alert(1)</script>`\n"
    )
    html = browser(a.member).get(url(a, "document_compare", document)).content.decode()
    check(html)
    assert "&lt;script&gt;" in html.replace("</ins><ins>", "").replace("&lt;</ins>", "&lt;")


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"old": "2", "new": "2"}, "Choose two different versions"),
        ({"old": "1", "new": "3"}, "There is nothing to compare"),
        ({"old": "x"}, None),
        ({"old": "0"}, None),
        ({"new": "9"}, None),
        ({"new": "9" * 50}, None),
    ],
)
def test_a_comparison_that_makes_no_sense_says_so(
    query: dict[str, str],
    sentence: str | None,
    a: Company,
    document: Document,
    browser: Browser,
) -> None:
    ingested(a.tenant, a.base, "handbook.md", b"")
    response = browser(a.member).get(url(a, "document_compare", document), query)
    if sentence is None:
        assert response.status_code == 404
    else:
        check(response.content.decode())
        assert sentence in response.content.decode()


def test_a_document_of_one_version_has_nothing_to_compare(a: Company, browser: Browser) -> None:
    document = ingested(a.tenant, a.base, "t.md", "# T\n\nHello.\n")
    html = browser(a.member).get(url(a, "document_compare", document)).content.decode()
    assert "There is one version only" in html


def test_files_that_differ_in_nothing_that_is_read_say_so(a: Company, browser: Browser) -> None:
    ingested(a.tenant, a.base, "t.md", "# T\n\nHello.\n")
    document = ingested(a.tenant, a.base, "t.md", "# T\n\nHello.\n\n\n")
    html = browser(a.member).get(url(a, "document_compare", document)).content.decode()
    assert "The text is the same" in html


def test_a_file_of_any_name_becomes_a_version(
    a: Company, document: Document, browser: Browser
) -> None:
    file = SimpleUploadedFile("Handbook 2027 (final).MD", HANDBOOK.replace("25", "28").encode())
    response = browser(a.editor).post(
        url(a, "document_versions", document), {"document": file}, follow=True
    )
    assert "Version 3 was received and is being read." in response.content.decode()
    ingest_queued(a.tenant)
    assert current(a, document) == 3
    with tenant_transaction(a.tenant):
        assert Document.objects.filter(base=a.base).count() == 1


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("notes.txt", b"Hello", "must be one too"),
        ("handbook", b"Hello", "must be one too"),
        ("handbook.md", b"x" * 2_000, "larger than"),
    ],
)
def test_a_file_that_cannot_be_a_version_is_refused_in_a_sentence(
    name: str,
    content: bytes,
    sentence: str,
    a: Company,
    document: Document,
    browser: Browser,
    settings,
) -> None:
    settings.UPLOAD_MAX_BYTES = 1_000
    response = browser(a.editor).post(
        url(a, "document_versions", document), {"document": SimpleUploadedFile(name, content)}
    )
    assert response.status_code == 422
    check(response.content.decode())
    assert sentence in response.content.decode()
    with tenant_transaction(a.tenant):
        assert DocumentVersion.objects.filter(document=document).count() == 2


def test_a_newer_version_that_failed_is_told_and_tried_again(
    a: Company, document: Document, browser: Browser
) -> None:
    failed = ingested(a.tenant, a.base, "handbook.md", b"x\n" * 300_001).latest_version
    assert "lines" in failed.message
    html = browser(a.editor).get(url(a, "document", document)).content.decode()
    check(html)
    assert f"Version 3 failed: {failed.message} Version 2 is still used." in html
    assert "Try again" in read_page(html).text("button")
    assert "30 days" in html
    html = browser(a.editor).get(url(a, "document_versions", document)).content.decode()
    assert "Try again version 3" in read_page(html).text("button")


def test_a_document_that_is_being_read_says_so(a: Company, browser: Browser) -> None:
    document = uploaded(a.tenant, a.base, "t.md", "# T\n\nHello.\n")
    for name in ("document", "document_versions"):
        html = browser(a.member).get(url(a, name, document)).content.decode()
        check(html)
        assert "It is being read" in html or "Waiting for a worker" in html


# What a citation of an earlier version says of the current one.


def test_a_passage_that_stayed_leads_to_it(asked: Asked, browser: Browser) -> None:
    company = asked.company
    moved = HANDBOOK.replace("## Leave\n", "## News\n\nNone.\n\n## Holidays\n")
    ingested(company.tenant, company.base, "handbook.md", moved)
    html = _citation(asked, browser)
    assert "This passage is still in it." in html
    _follow(asked, browser, html, "25 days")


def test_a_passage_that_reads_differently_leads_to_its_place(
    asked: Asked, browser: Browser
) -> None:
    company = asked.company
    ingested(company.tenant, company.base, "handbook.md", CHANGED)
    html = _citation(asked, browser)
    assert "There the passage reads differently." in html
    assert "25 days" in html
    _follow(asked, browser, html, "30 days")


def test_a_passage_that_is_gone_says_so(asked: Asked, browser: Browser) -> None:
    company = asked.company
    gone = HANDBOOK[: HANDBOOK.index("## Leave")]
    ingested(company.tenant, company.base, "handbook.md", gone)
    html = _citation(asked, browser)
    assert "This passage is no longer in the current version." in html
    assert "25 days" in html


def test_a_citation_is_current_again_after_going_back(asked: Asked, browser: Browser) -> None:
    company = asked.company
    ingested(company.tenant, company.base, "handbook.md", CHANGED)
    version_restore(tenant=company.tenant, version=asked.citation.version)
    ingest_queued(company.tenant)
    assert "The source has changed since" not in _citation(asked, browser)


def _citation(asked: Asked, browser: Browser) -> str:
    path = reverse("citation", args=[asked.company.tenant.slug, asked.run.pk, 1])
    html = browser(asked.company.editor).get(path).content.decode()
    check(html)
    return html


def _follow(asked: Asked, browser: Browser, html: str, words: str) -> None:
    """Follow the link to the current version; the words stand at its anchor."""
    link = next(link for link in read_page(html).links() if "/documents/" in link and "?" in link)
    path, _, anchor = link.partition("#")
    page = browser(asked.company.editor).get(path).content.decode()
    assert words in page[page.index(f'id="{anchor}"') :].partition('class="leaf"')[0]


def test_the_list_names_the_version_in_use(
    a: Company, document: Document, browser: Browser
) -> None:
    listed = reverse("documents", args=[a.tenant.slug, a.base.slug])
    assert "version 2" in browser(a.member).get(listed).content.decode()
    with tenant_transaction(a.tenant):
        first = DocumentVersion.objects.get(document=document, number=1)
    version_restore(tenant=a.tenant, version=first)
    ingest_queued(a.tenant)
    assert "version 1" in browser(a.member).get(listed).content.decode()
