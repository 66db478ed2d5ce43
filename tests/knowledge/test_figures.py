"""Figures: their pictures are kept with their version, described after it, and found by that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

import pymupdf
import pytest
from django.utils import timezone

from accounts.tenancy import tenant_transaction
from knowledge import figure_describers
from knowledge.figure_describers import FigureView, NotDescribed
from knowledge.models import Document, DocumentVersion, Figure, IndexEntry, KnowledgeBase, Node
from knowledge.models.index import FIGURE_ENTRY
from knowledge.services.deletion import document_delete
from knowledge.services.descriptions import MAX_ATTEMPTS, figures_describe, figures_sweep
from knowledge.services.uploads import version_retry
from knowledge.services.versions import version_restore
from tests.factories import Company, ingest_queued, ingested
from tests.ingest.docx.making import docx, p, picture, r
from tests.picture_files import BLUE, CAPTION, RED, pdf, png

WORDS = "A line chart of pressure in bar; it peaks at 7.4 bar after three hours (zugspitze)."


@dataclass(slots=True)
class Describer:
    """Says `says`, or raises it; keeps what it was shown."""

    says: str | NotDescribed = WORDS
    name: str = "seer"
    shown: list[FigureView] = field(default_factory=list)

    def describe(self, figure: FigureView) -> str:
        self.shown.append(figure)
        if isinstance(self.says, NotDescribed):
            raise self.says
        return self.says


@pytest.fixture
def describer(monkeypatch: pytest.MonkeyPatch) -> Describer:
    found = Describer()
    monkeypatch.setattr(figure_describers, "_factory", lambda base: found)
    return found


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figure_describers, "_factory", lambda base: None)


def figures_of(company: Company, document: Document) -> list[Figure]:
    with tenant_transaction(company.tenant):
        rows = Figure.objects.filter(version__document=document).select_related("node")
        return list(rows.order_by("version", "number"))


def entries_of(company: Company, document: Document) -> list[IndexEntry]:
    with tenant_transaction(company.tenant):
        return list(IndexEntry.objects.filter(document=document, kind=FIGURE_ENTRY))


def describe(company: Company, document: Document) -> None:
    """Do what the queue has been told to do."""
    assert document.current_version_id is not None
    figures_describe(tenant_id=company.tenant.pk, version_id=document.current_version_id)


def counted(company: Company) -> tuple[int, int]:
    """Return how many entries the base says it has, and how many there are."""
    with tenant_transaction(company.tenant):
        base = KnowledgeBase.objects.get(pk=company.base.pk)
        return base.entry_count, IndexEntry.objects.current().filter(base=base).count()


def test_the_pictures_of_a_pdf_are_kept_with_their_captions(nobody: None, a: Company) -> None:
    document = ingested(a.tenant, a.base, "manual.pdf", pdf(pages=2))
    rows = figures_of(a, document)
    assert [(row.number, row.node.text, row.node.page) for row in rows] == [
        (1, CAPTION, 1),
        (2, CAPTION, 2),
    ]
    pixmap = pymupdf.Pixmap(bytes(rows[0].content))
    assert pixmap.pixel(pixmap.width // 2, pixmap.height // 2) == RED
    assert rows[0].due_at is None
    assert entries_of(a, document) == []


def test_the_pictures_of_a_word_document_are_kept(nobody: None, a: Company) -> None:
    body = p("Pumps.") + p(runs=r(inside=picture("A pump"))) + p(runs=r(inside=picture("", "b")))
    parts = {"word/media/image1.png": png(colour=BLUE), "word/media/b.png": b"<svg></svg>"}
    document = ingested(a.tenant, a.base, "manual.docx", docx(body, parts))
    (row,) = figures_of(a, document)
    assert (row.number, bytes(row.content), row.media_type) == (1, png(colour=BLUE), "image/png")
    assert document.current_version is not None
    assert (
        "1 picture cannot be shown: drawn in EMF, WMF or SVG." in document.current_version.warnings
    )


def test_a_figure_is_described_after_its_document_can_be_asked(
    describer: Describer, a: Company
) -> None:
    document = ingested(a.tenant, a.base, "manual.pdf", pdf())
    assert document.current_version_id
    assert describer.shown == []
    describe(a, document)
    (row,) = figures_of(a, document)
    assert (row.description, row.described_by, row.due_at) == (WORDS, "seer", None)
    (view,) = describer.shown
    assert (view.data, view.caption) == (bytes(row.content), CAPTION)
    assert view.headings == ("1. Maintenance",)
    describe(a, document)
    assert len(describer.shown) == 1


def test_a_described_figure_is_found_but_only_its_caption_can_be_quoted(
    describer: Describer, a: Company
) -> None:
    document = ingested(a.tenant, a.base, "manual.pdf", pdf())
    before = counted(a)
    describe(a, document)
    (entry,) = entries_of(a, document)
    with tenant_transaction(a.tenant):
        text = DocumentVersion.objects.get(pk=entry.version_id).text.get().content
        node = Node.objects.get(version=entry.version_id, path=entry.path)
    assert text[entry.char_start : entry.char_end] == node.text == CAPTION
    assert "zugspitze" not in text
    assert "zugspitze" in entry.index_text
    assert "generated description" in entry.preview
    assert counted(a) == (before[0] + 1, before[1] + 1)


def test_a_model_that_fails_is_asked_three_times_and_no_more(
    describer: Describer, a: Company
) -> None:
    describer.says = NotDescribed("busy", is_final=False)
    document = ingested(a.tenant, a.base, "manual.pdf", pdf())
    for attempt in range(1, MAX_ATTEMPTS + 3):
        describe(a, document)
        describe(a, document)  # too early
        assert len(describer.shown) == min(attempt, MAX_ATTEMPTS)
        later(a)
    (row,) = figures_of(a, document)
    assert (row.description, row.due_at) == ("", None)
    assert document.current_version is not None
    assert document.current_version.state == "ready"


def test_a_model_that_refuses_is_not_asked_again(describer: Describer, a: Company) -> None:
    describer.says = NotDescribed("cannot see", is_final=True)
    document = ingested(a.tenant, a.base, "manual.pdf", pdf())
    describe(a, document)
    later(a)
    describe(a, document)
    assert len(describer.shown) == 1


def test_the_sweeper_sends_what_was_left(
    describer: Describer, a: Company, queued: list[tuple[object, ...]]
) -> None:
    describer.says = NotDescribed("busy", is_final=False)
    document = ingested(a.tenant, a.base, "manual.pdf", pdf())
    message = ("knowledge.tasks.describe_figures", a.tenant.pk, document.current_version_id)
    assert message in queued
    describe(a, document)
    assert figures_sweep(tenant=a.tenant) == 0
    later(a)
    queued.clear()
    assert figures_sweep(tenant=a.tenant) == 1
    assert queued == [message]


def test_an_equal_picture_in_a_new_version_is_not_paid_for_again(
    describer: Describer, a: Company
) -> None:
    document = ingested(a.tenant, a.base, "manual.pdf", pdf())
    describe(a, document)
    document = ingested(a.tenant, a.base, "manual.pdf", pdf(quote="The pump is serviced weekly."))
    describe(a, document)
    assert len(describer.shown) == 1
    assert [row.description for row in figures_of(a, document)] == [WORDS, WORDS]
    (entry,) = entries_of(a, document)
    assert entry.version_id == document.current_version_id
    assert counted(a)[0] == counted(a)[1]


def test_a_version_that_is_used_again_is_found_by_its_figures_again(
    describer: Describer, a: Company
) -> None:
    document = ingested(a.tenant, a.base, "manual.pdf", pdf())
    first = document.current_version
    assert first is not None
    describe(a, document)
    ingested(a.tenant, a.base, "manual.pdf", pdf(quote="No pump at all.", figure=False))
    assert entries_of(a, document) == []
    version_restore(tenant=a.tenant, version=first)
    ingest_queued(a.tenant, document)
    describe(a, document)
    (entry,) = entries_of(a, document)
    assert entry.version_id == first.pk
    assert len(describer.shown) == 1


def test_nothing_of_a_deleted_document_is_left(describer: Describer, a: Company) -> None:
    document = ingested(a.tenant, a.base, "manual.pdf", pdf())
    describe(a, document)
    document_delete(tenant=a.tenant, document=document)
    assert figures_of(a, document) == []
    assert counted(a) == (0, 0)
    describe(a, document)


def test_a_tree_that_is_read_anew_takes_its_pictures_with_it(nobody: None, a: Company) -> None:
    document = ingested(a.tenant, a.base, "manual.pdf", pdf())
    with tenant_transaction(a.tenant):
        DocumentVersion.objects.filter(document=document).update(state="failed", parser_version="0")
        Document.objects.filter(pk=document.pk).update(current_version=None)
        IndexEntry.objects.filter(document=document).delete()
    assert document.current_version is not None
    version_retry(tenant=a.tenant, version=document.current_version)
    ingest_queued(a.tenant, document)
    (row,) = figures_of(a, document)
    assert row.node.text == CAPTION


def later(company: Company) -> None:
    with tenant_transaction(company.tenant):
        waiting = Figure.objects.filter(due_at__isnull=False)
        waiting.update(due_at=timezone.now() - timedelta(seconds=1))


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """Return the messages that are sent about figures to a queue that is empty."""
    sent: list[tuple[object, ...]] = []
    record: Callable[..., None] = lambda *message: sent.append(message)  # noqa: E731
    monkeypatch.setattr("knowledge.services.descriptions.async_task", record)
    monkeypatch.setattr("knowledge.services.descriptions.queue_length", lambda: 0)
    return sent
