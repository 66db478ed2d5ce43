"""The page a citation stands on, as a picture beside the passage."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Semaphore

import pymupdf
import pytest
from django.test import Client
from django.urls import reverse

from accounts.tenancy import tenant_transaction
from knowledge.ingest.sandbox import Sandbox
from knowledge.ingest.sandbox import client as client_module
from knowledge.ingest.tree import Span
from knowledge.models import Document, VersionSource, VersionText
from knowledge.reading.page_views import PlacedLeaf, pages_of
from knowledge.services import page_images
from knowledge.services.drawing_slots import MOST_WAITING, Busy, DrawingSlots
from tests.factories import Company, ingested, make_citation, make_conversation, make_run
from tests.picture_files import QUOTE, pdf


@pytest.fixture
def company(a: Company) -> Company:
    return a


@pytest.fixture
def manual(company: Company) -> Document:
    return ingested(company.tenant, company.base, "manual.pdf", pdf(pages=2))


def place_of(company: Company, document: Document, quote: str) -> Span:
    with tenant_transaction(company.tenant):
        text = VersionText.objects.get(version_id=document.current_version_id).content
    start = text.index(quote)
    return Span(start, start + len(quote))


def signed_in(company: Company) -> Client:
    client = Client()
    client.force_login(company.member.user)
    return client


def picture_url(company: Company, document: Document, page: int) -> str:
    names = [company.tenant.slug, company.base.slug, document.pk, 1, page]
    return reverse("page_picture", args=names)


def cited(company: Company, document: Document, span: Span) -> str:
    """Return the panel of a citation of that span, as htmx asks for it."""
    user = company.member.user
    conversation = make_conversation(company.tenant, company.base, user)
    run = make_run(company.tenant, conversation, state="done", answer="Ninety days. [1]")
    version = document.current_version
    version.document = document
    make_citation(
        company.tenant, run, version, quote=QUOTE, char_start=span.start, char_end=span.end, page=1
    )
    url = reverse("citation", args=[company.tenant.slug, run.pk, 1])
    return signed_in(company).get(url, headers={"HX-Request": "true"}).content.decode()


def test_a_citation_in_a_pdf_offers_the_page_with_the_quote_marked(
    company: Company, manual: Document
) -> None:
    span = place_of(company, manual, QUOTE)
    html = cited(company, manual, span)
    address = f"{picture_url(company, manual, 1)}?start={span.start}&amp;end={span.end}"
    assert html.count(f'src="{address}"') == 1
    assert 'loading="lazy"' in html
    assert f"Page 1 of {manual} with the quote marked: {QUOTE}" in html
    assert picture_url(company, manual, 2) not in html
    response = signed_in(company).get(address.replace("&amp;", "&"))
    assert response.headers["Content-Type"] == "image/png"
    assert response.headers["Cache-Control"].startswith("private")
    pixmap = pymupdf.Pixmap(response.content)
    assert pixmap.width == 1190
    bare = signed_in(company).get(picture_url(company, manual, 1))
    assert bare.content != response.content


def test_a_citation_in_a_text_without_pages_offers_none(company: Company) -> None:
    document = ingested(company.tenant, company.base, "manual.md", f"# Pumps\n\n{QUOTE}\n")
    html = cited(company, document, place_of(company, document, QUOTE))
    assert "<mark>" in html
    assert "page-view" not in html
    assert signed_in(company).get(picture_url(company, document, 1)).status_code == 404


@pytest.mark.parametrize("page", [0, 3, 10**12])
def test_a_page_that_is_not_there_is_not_found(
    company: Company, manual: Document, page: int
) -> None:
    assert signed_in(company).get(picture_url(company, manual, page)).status_code == 404


@pytest.mark.parametrize(
    "query", ["?start=5", "?start=9&end=2", "?start=x&end=y", "?start=-1&end=9"]
)
def test_a_nonsensical_span_marks_nothing(company: Company, manual: Document, query: str) -> None:
    client, url = signed_in(company), picture_url(company, manual, 1)
    assert client.get(url + query).content == client.get(url).content


def test_a_page_is_read_as_text_while_nothing_can_draw_it(
    company: Company, manual: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    monkeypatch.setattr(client_module, "_SANDBOX", Sandbox())
    response = signed_in(company).get(picture_url(company, manual, 1))
    assert response.status_code == 503
    assert b"cannot be drawn at the moment" in response.content


def test_a_page_too_large_to_be_drawn_says_so(company: Company) -> None:
    document = pymupdf.open()
    document.new_page(width=60_000, height=60_000).insert_text((99, 99), QUOTE, fontsize=40)
    huge = ingested(company.tenant, company.base, "plan.pdf", document.tobytes())
    response = signed_in(company).get(picture_url(company, huge, 1))
    assert response.status_code == 422
    assert response.content == b"The page is too large to be drawn."


def slow_pdf() -> bytes:
    """Return a PDF of two pages, of which the first takes half a minute to draw."""
    document = pymupdf.open()
    document.new_page()
    document.new_page().insert_text((99, 99), QUOTE)
    strokes = b"".join(b"%d 0 m 0 %d l S\n" % (n % 595, n % 842) for n in range(400_000))
    xref = document.get_new_xref()
    document.update_object(xref, "<<>>")
    document.update_stream(xref, strokes)
    document[0].set_contents(xref)
    return bytes(document.tobytes(deflate=True))


def test_a_page_that_takes_too_long_is_tried_once(
    company: Company, manual: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tenant_transaction(company.tenant):
        sources = VersionSource.objects.filter(version_id=manual.current_version_id)
        sources.update(content=slow_pdf())
    monkeypatch.setattr(page_images, "TIMEOUT_S", 2.0)
    client, url = signed_in(company), picture_url(company, manual, 1)
    first = client.get(url)
    assert first.status_code == 422
    monkeypatch.setattr(page_images, "TIMEOUT_S", 20.0)
    assert client.get(picture_url(company, manual, 2)).status_code == 200
    monkeypatch.setattr(sys, "executable", "/bin/false")
    monkeypatch.setattr(client_module, "_SANDBOX", Sandbox())
    again = client.get(f"{url}?start=1&end=2")
    assert (again.status_code, again.content) == (422, first.content)
    assert client.get(picture_url(company, manual, 2)).status_code == 503


def test_one_company_has_one_page_drawn_at_a_time_and_leaves_the_other_slots() -> None:
    slots = DrawingSlots(2)
    with slots.taken(1, wait_s=0):
        with pytest.raises(Busy), slots.taken(1, wait_s=0.01):
            pass
        with slots.taken(2, wait_s=0), pytest.raises(Busy), slots.taken(3, wait_s=0.01):
            pass
        with slots.taken(3, wait_s=0):
            pass
    with slots.taken(1, wait_s=0):
        pass


def test_few_requests_of_a_company_wait_and_all_that_wait_are_served() -> None:
    slots, asked, came = DrawingSlots(2), MOST_WAITING + 4, Semaphore(0)

    def wait(_: int) -> bool:
        try:
            with slots.taken(1, wait_s=60):
                return True
        except Busy:
            came.release()
            return False

    with ThreadPoolExecutor(asked) as pool:
        with slots.taken(1, wait_s=0):
            served = pool.map(wait, range(asked))
            for _ in range(4):  # those that find the queue full
                assert came.acquire(timeout=30)
            with slots.taken(2, wait_s=0):
                pass
        assert sum(served) == MOST_WAITING


def test_a_table_over_many_pages_shows_those_the_rows_stand_on() -> None:
    boxes = tuple((float(page), 0.0, 0.0, 9.0, 9.0) for page in range(11, 21))
    table = PlacedLeaf(Span(0, 1_000), boxes)
    assert pages_of(Span(0, 20), [table]) == (11,)
    assert pages_of(Span(540, 560), [table]) == (15, 16, 17)
    assert pages_of(Span(980, 1_000), [table])[-1] == 20
    assert pages_of(Span(0, 1_000), [table]) == (11, 12, 13)


def test_a_paragraph_over_two_pages_shows_both() -> None:
    leaf = PlacedLeaf(Span(10, 40), ((3.0, 0, 0, 1, 1), (4.0, 0, 0, 1, 1)))
    assert pages_of(Span(12, 20), [leaf]) == (3, 4)
    assert pages_of(Span(12, 20), [PlacedLeaf(Span(10, 40), ())]) == ()
