"""Documents are read as their base says, and again when it says otherwise by now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from accounts.tenancy import tenant_transaction
from knowledge import abstract_writers
from knowledge.ingest.reading_options import ReadingOptions
from knowledge.models import (
    Abstract,
    Document,
    DocumentVersion,
    IngestionRun,
    KnowledgeBase,
    Node,
    VersionText,
)
from knowledge.services import rereading
from knowledge.services.bases import base_abstracts_as, base_read_as
from knowledge.services.rereading import (
    Rereading,
    base_reread,
    base_rereading,
    document_reread,
)
from knowledge.services.sweeping import runs_sweep
from tests.factories import Company, ingest_queued, ingested, uploaded
from tests.ingest.docx.inlines import changed
from tests.ingest.docx.making import docx, p
from tests.knowledge.conftest import (
    HANDBOOK,
    EmbedderSpy,
    assert_statistics_are_exact,
    run_of,
    stored,
    version_of,
)
from tests.knowledge.test_abstracts import MANUAL, Writer

ACCEPTED = "The fee is $7m a year."
MARKED = "The fee is [deleted: $5m][inserted: $7m] a year."


@pytest.fixture
def writer() -> Iterator[Writer]:
    made = Writer()
    before = abstract_writers._factory
    abstract_writers.set_writers(lambda base: made)
    yield made
    abstract_writers.set_writers(before)


def choose(company: Company, **options: Any) -> None:
    chosen = ReadingOptions(**options)
    base_read_as(tenant=company.tenant, base=company.base, options=chosen)


def reread(company: Company) -> int:
    """Queue what there is to read again, and do the worker's work."""
    queued = base_reread(tenant=company.tenant, base=company.base)
    for _ in range(2):  # a version that reads differently queues its own run
        ingest_queued(company.tenant)
    return queued


def progress_of(company: Company) -> Rereading:
    with tenant_transaction(company.tenant):
        return base_rereading(company.base)


def texts_of(company: Company, document: Document) -> list[str]:
    """Return the texts of the document's versions, the oldest first."""
    with tenant_transaction(company.tenant):
        texts = VersionText.objects.filter(version__document=document)
        return list(texts.order_by("version__number").values_list("content", flat=True))


def count_versions(company: Company) -> int:
    with tenant_transaction(company.tenant):
        return DocumentVersion.objects.count()


@pytest.mark.parametrize(
    ("policy", "text", "told"),
    [
        ("accepted", ACCEPTED, "Tracked changes: 1 insertion kept, 1 deletion left out."),
        ("marked", MARKED, "Tracked changes: 1 insertion and 1 deletion are marked in the text."),
    ],
)
def test_a_document_is_read_as_its_base_says_and_the_report_tells_what_came_of_it(
    policy: str, text: str, told: str, a: Company
) -> None:
    choose(a, tracked_changes=policy)
    document = ingested(a.tenant, a.base, "fee.docx", changed())
    assert texts_of(a, document) == [text]
    assert version_of(a.tenant, document).remarks == [told]


def test_a_document_without_changes_has_nothing_told_of_them(a: Company) -> None:
    document = ingested(a.tenant, a.base, "fee.docx", docx(p(ACCEPTED)))
    assert version_of(a.tenant, document).remarks == []


def test_what_was_read_before_stays_until_it_is_read_again(a: Company) -> None:
    document = ingested(a.tenant, a.base, "fee.docx", changed())
    choose(a, tracked_changes="marked")
    assert texts_of(a, document) == [ACCEPTED]
    assert reread(a) == 1
    assert texts_of(a, document) == [ACCEPTED, MARKED]
    version = version_of(a.tenant, document)
    assert (version.number, version.state) == (2, "ready")
    assert version.document.current_version_id == version.pk
    with tenant_transaction(a.tenant):
        assert DocumentVersion.objects.values("sha256").distinct().count() == 1
    assert_statistics_are_exact(a.tenant, a.base)


def test_a_document_that_reads_as_before_is_left_as_it_is(
    a: Company, embedder: EmbedderSpy
) -> None:
    document = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    before, asked = stored(a.tenant, document), len(embedder.texts)
    assert reread(a) == 1
    assert stored(a.tenant, document) == before
    assert len(embedder.texts) == asked
    assert run_of(a.tenant, document).state == "done"
    assert count_versions(a) == 1


def test_passages_that_stayed_equal_are_not_embedded_again(
    a: Company, embedder: EmbedderSpy
) -> None:
    long = "".join(p(f"Clause {number} holds. " * 60) for number in range(12))
    document = ingested(a.tenant, a.base, "fee.docx", changed(long))
    embedder.texts.clear()
    choose(a, tracked_changes="original")
    reread(a)
    version = version_of(a.tenant, document)
    assert version.number == 2
    assert version.reused_vectors > 0
    assert len(embedder.texts) == version.chunks - version.reused_vectors


def test_a_second_click_queues_nothing_that_is_queued(a: Company) -> None:
    for name in ("one.md", "two.md"):
        ingested(a.tenant, a.base, name, f"# {name}\n\nThe office opens.\n")
    uploaded(a.tenant, a.base, "two.md", "# two\n\nThe office closes.\n")
    uploaded(a.tenant, a.base, "three.md", "# three\n\nIt was never ready.\n")
    assert base_reread(tenant=a.tenant, base=a.base) == 1  # two is being read, three was never
    assert base_reread(tenant=a.tenant, base=a.base) == 0
    assert progress_of(a) == Rereading(waiting=1, failed=0)
    ingest_queued(a.tenant)
    assert progress_of(a) == Rereading()
    assert base_reread(tenant=a.tenant, base=a.base) == 3


def test_a_version_that_was_replaced_meanwhile_is_not_read_again(a: Company) -> None:
    document = ingested(a.tenant, a.base, "fee.docx", changed())
    choose(a, tracked_changes="marked")
    assert document_reread(tenant=a.tenant, document=document)
    late = run_of(a.tenant, document)
    later = uploaded(a.tenant, a.base, "fee.docx", docx(p("No fee.")))
    with tenant_transaction(a.tenant):
        IngestionRun.objects.filter(pk=late.pk).update(state="running")  # another worker is slow
    ingest_queued(a.tenant)
    with tenant_transaction(a.tenant):
        IngestionRun.objects.filter(pk=late.pk).update(state="queued")
    ingest_queued(a.tenant)
    assert texts_of(a, later) == [ACCEPTED, "No fee."]
    assert version_of(a.tenant, later).document.current_version_id == later.latest_version_id
    assert_statistics_are_exact(a.tenant, a.base)


def test_a_document_that_cannot_be_read_any_more_stays_in_use_and_is_told_of(
    a: Company, settings
) -> None:
    document = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    before = stored(a.tenant, document)
    settings.UPLOAD_MAX_BYTES = 10
    reread(a)
    assert stored(a.tenant, document) == before
    progress = progress_of(a)
    assert (progress.waiting, progress.failed) == (0, 1)
    (failure,) = progress.failures
    assert (failure.document_id, failure.title) == (document.pk, "Handbook")
    assert "at most" in failure.message
    settings.UPLOAD_MAX_BYTES = 1_000_000
    reread(a)
    assert progress_of(a) == Rereading()


def test_an_equal_text_with_other_sections_is_another_reading(a: Company) -> None:
    document = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    with tenant_transaction(a.tenant):
        sections = Node.objects.filter(version__document=document, kind="section")
        sections.filter(title="Leave").update(kind="paragraph")
    reread(a)
    version = version_of(a.tenant, document)
    assert (version.number, version.sections) == (2, 3)


def test_abstracts_that_a_base_wants_by_now_come_without_a_new_version(
    a: Company, writer: Writer
) -> None:
    ingested(a.tenant, a.base, "manual.md", MANUAL)
    assert writer.titles == []
    base_abstracts_as(tenant=a.tenant, base=a.base, abstracts="eager")
    reread(a)
    assert len(writer.titles) == 3
    assert count_versions(a) == 1
    with tenant_transaction(a.tenant):
        assert Abstract.objects.filter(generator="model-1").count() == 3
    reread(a)
    assert len(writer.titles) == 3


def test_a_cost_above_the_limit_waits_for_approval_while_the_version_stays_in_use(
    a: Company, writer: Writer
) -> None:
    document = ingested(a.tenant, a.base, "manual.md", MANUAL)
    with tenant_transaction(a.tenant):
        bases = KnowledgeBase.objects.filter(pk=a.base.pk)
        bases.update(abstracts="eager", approval_tokens=0)
    reread(a)
    run = run_of(a.tenant, document)
    assert (run.state, version_of(a.tenant, document).state) == ("approval", "ready")
    assert writer.titles == []


def test_a_large_base_is_left_to_the_sweeper_to_send(
    a: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rereading, "SENT_AT_ONCE", 2)
    for number in range(3):
        ingested(a.tenant, a.base, f"{number}.md", f"# {number}\n\nThe office opens.\n")
    OrmQ.objects.all().delete()
    assert base_reread(tenant=a.tenant, base=a.base) == 3
    assert OrmQ.objects.count() == 2
    assert runs_sweep(tenant=a.tenant) == 1
    assert OrmQ.objects.count() == 3
    with tenant_transaction(a.tenant):
        assert not IngestionRun.objects.filter(not_before__gt=timezone.now()).exists()
