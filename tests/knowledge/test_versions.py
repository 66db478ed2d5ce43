"""Going back to an earlier version: what is used then, what it costs, and who comes last."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.tenancy import tenant_transaction
from knowledge.models import Document, DocumentVersion, IndexEntry, IngestionRun, Node, VersionText
from knowledge.services.bases import base_delete
from knowledge.services.deletion import document_delete
from knowledge.services.ingestion import run_ingest
from knowledge.services.uploads import Outcome, document_upload
from knowledge.services.versions import RestoreRefused, version_restore
from tests.factories import Company, ingest_queued, ingested, make_company, uploaded
from tests.knowledge.conftest import (
    HANDBOOK,
    EmbedderSpy,
    Interruption,
    assert_statistics_are_exact,
)
from tests.retrieval.test_asking_a_deleted_base import meanwhile

pytestmark = pytest.mark.django_db

CHANGED = HANDBOOK.replace("thirty days", "thirty-two days")
THIRD = HANDBOOK.replace("at nine", "at eight")


def numbered(company: Company, document: Document, number: int) -> DocumentVersion:
    with tenant_transaction(company.tenant):
        return DocumentVersion.objects.get(document=document, number=number)


def current(company: Company, document: Document) -> int:
    """Return the number of the version in use, after a look at entries and statistics."""
    assert_statistics_are_exact(company.tenant, company.base)
    with tenant_transaction(company.tenant):
        version = Document.objects.get(pk=document.pk).current_version
        entries = IndexEntry.objects.filter(document=document)
        assert set(entries.values_list("version_id", flat=True)) == {version.pk}
        assert entries.count() == version.chunks
        number: int = version.number
        return number


def restore(company: Company, document: Document, number: int) -> None:
    version_restore(tenant=company.tenant, version=numbered(company, document, number))


def queued_runs(company: Company) -> list[int]:
    with tenant_transaction(company.tenant):
        runs = IngestionRun.objects.filter(state=IngestionRun.State.QUEUED).order_by("pk")
        return list(runs.values_list("pk", flat=True))


@pytest.fixture
def document(a: Company) -> Document:
    """Return a handbook whose second version is in use."""
    ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    return ingested(a.tenant, a.base, "handbook.md", CHANGED)


def test_an_earlier_version_is_used_again_and_the_later_one_stays(
    a: Company, document: Document
) -> None:
    restore(a, document, 1)
    assert current(a, document) == 2
    ingest_queued(a.tenant)
    assert current(a, document) == 1
    with tenant_transaction(a.tenant):
        texts = VersionText.objects.filter(version__document=document).order_by("version__number")
        assert list(texts.values_list("content", flat=True)) == [HANDBOOK, CHANGED]
        assert {v.state for v in DocumentVersion.objects.filter(document=document)} == {"ready"}
        assert Document.objects.get(pk=document.pk).latest_version.number == 2


def test_going_back_embeds_only_what_the_later_version_does_not_share(
    a: Company, document: Document, embedder: EmbedderSpy
) -> None:
    restore(a, document, 1)
    ingest_queued(a.tenant)
    assert len(embedder.texts) == 1
    assert "thirty days" in embedder.texts[0]
    version = numbered(a, document, 1)
    assert (version.reused_vectors, version.chunks) == (2, 3)
    assert 0 < version.reused_tokens < version.tokens
    assert version.seconds is not None
    assert version.seconds >= 0


def test_nodes_of_an_earlier_version_are_the_same_rows_after_going_back(
    a: Company, document: Document
) -> None:
    def nodes() -> list[int]:
        with tenant_transaction(a.tenant):
            rows = Node.objects.filter(version__document=document, version__number=1)
            return list(rows.order_by("pk").values_list("pk", flat=True))

    before = nodes()
    restore(a, document, 1)
    ingest_queued(a.tenant)
    assert nodes() == before


def test_uploading_the_newer_bytes_again_uses_the_newer_version_again(
    a: Company, document: Document
) -> None:
    restore(a, document, 1)
    ingest_queued(a.tenant)
    upload = document_upload(
        tenant=a.tenant, base=a.base, filename="handbook.md", content=CHANGED.encode(), by=None
    )
    assert (upload.outcome, upload.version.number) == (Outcome.RESTORED, 2)
    ingest_queued(a.tenant)
    assert current(a, document) == 2


def test_uploading_the_bytes_in_use_changes_nothing_after_going_back(
    a: Company, document: Document
) -> None:
    restore(a, document, 1)
    ingest_queued(a.tenant)
    upload = document_upload(
        tenant=a.tenant, base=a.base, filename="handbook.md", content=HANDBOOK.encode(), by=None
    )
    assert (upload.outcome, upload.version.number) == (Outcome.UNCHANGED, 1)
    assert queued_runs(a) == []


def test_new_bytes_after_going_back_get_the_next_number(a: Company, document: Document) -> None:
    restore(a, document, 1)
    ingest_queued(a.tenant)
    ingested(a.tenant, a.base, "handbook.md", THIRD)
    assert current(a, document) == 3


@pytest.mark.parametrize("order", [1, -1])
def test_the_last_wish_wins_whichever_worker_is_first(
    order: int, a: Company, document: Document
) -> None:
    restore(a, document, 1)
    uploaded(a.tenant, a.base, "handbook.md", THIRD)
    for run_id in queued_runs(a)[::order]:
        run_ingest(tenant_id=a.tenant.pk, run_id=run_id)
    assert current(a, document) == 3


@pytest.mark.parametrize("order", [1, -1])
def test_the_bytes_in_use_uploaded_over_a_wish_to_go_back_take_it_back(
    order: int, a: Company, document: Document
) -> None:
    restore(a, document, 1)
    uploaded(a.tenant, a.base, "handbook.md", CHANGED)
    for run_id in queued_runs(a)[::order]:
        run_ingest(tenant_id=a.tenant.pk, run_id=run_id)
    assert current(a, document) == 2


def test_a_worker_killed_while_going_back_leaves_the_version_in_use(
    a: Company, document: Document, embedder: EmbedderSpy
) -> None:
    def kill(number: int) -> None:
        raise Interruption

    embedder.before = kill
    restore(a, document, 1)
    with pytest.raises(Interruption):
        ingest_queued(a.tenant)
    with tenant_transaction(a.tenant):
        assert Document.objects.get(pk=document.pk).current_version.number == 2
        assert numbered(a, document, 1).state == "ready"


def test_an_embedder_that_fails_leaves_both_versions_ready(
    a: Company, document: Document, embedder: EmbedderSpy
) -> None:
    def fail(number: int) -> None:
        raise RuntimeError("no")

    embedder.before = fail
    restore(a, document, 1)
    for _ in range(5):
        ingest_queued(a.tenant)
    assert queued_runs(a) == []
    with tenant_transaction(a.tenant):
        assert Document.objects.get(pk=document.pk).current_version.number == 2
        assert numbered(a, document, 1).state == "ready"
        assert IngestionRun.objects.order_by("-pk")[0].state == "failed"


def test_a_file_that_is_read_differently_now_becomes_a_version_of_its_own(
    a: Company, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tenant_transaction(a.tenant):
        DocumentVersion.objects.filter(document=document, number=1).update(parser_version="old")
    restore(a, document, 1)
    ingest_queued(a.tenant)
    ingest_queued(a.tenant)
    assert current(a, document) == 3
    with tenant_transaction(a.tenant):
        versions = list(DocumentVersion.objects.filter(document=document).order_by("number"))
        assert versions[0].sha256 == versions[2].sha256
        assert versions[0].parser_version == "old"
        assert VersionText.objects.get(version=versions[0]).content == HANDBOOK
        assert Node.objects.filter(version=versions[0]).count() == 7


def test_a_file_that_is_read_differently_now_does_not_undo_a_later_upload(
    a: Company, document: Document
) -> None:
    with tenant_transaction(a.tenant):
        DocumentVersion.objects.filter(document=document, number=1).update(parser_version="old")
    restore(a, document, 1)
    uploaded(a.tenant, a.base, "handbook.md", THIRD)
    while queued_runs(a):
        ingest_queued(a.tenant)
    assert current(a, document) == 3
    with tenant_transaction(a.tenant):
        text = VersionText.objects.get(version__document=document, version__number=3)
        assert text.content == THIRD
        assert DocumentVersion.objects.filter(document=document).count() == 3


def test_going_back_is_refused_with_a_sentence_where_it_makes_no_sense(
    a: Company, document: Document
) -> None:
    with pytest.raises(RestoreRefused, match="in use already"):
        restore(a, document, 2)
    ingested(a.tenant, a.base, "handbook.md", b"\n \n")
    with pytest.raises(RestoreRefused, match="never ready"):
        restore(a, document, 3)
    restore(a, document, 1)
    with pytest.raises(RestoreRefused, match="being read"):
        restore(a, document, 1)


def test_another_company_is_not_touched(a: Company, b: Company, document: Document) -> None:
    with pytest.raises(RestoreRefused, match="deleted"):
        version_restore(tenant=b.tenant, version=numbered(a, document, 1))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("delete", [document_delete, base_delete])
def test_going_back_during_a_deletion_is_refused_with_a_sentence(
    delete: Callable[..., object],
) -> None:
    company = make_company("aurora")
    document = ingested(company.tenant, company.base, "handbook.md", HANDBOOK)
    ingested(company.tenant, company.base, "handbook.md", CHANGED)
    first = numbered(company, document, 1)
    gone = {"document": document} if delete is document_delete else {"base": company.base}
    with tenant_transaction(company.tenant):
        delete(tenant=company.tenant, **gone)
        thread, errors = meanwhile(lambda: version_restore(tenant=company.tenant, version=first))
    thread.join()
    assert [repr(error) for error in errors] == [repr(RestoreRefused("The document was deleted."))]
