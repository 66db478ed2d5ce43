"""From an upload to a published version, through the services."""

from __future__ import annotations

import pytest
from django_q.models import OrmQ

from accounts.tenancy import tenant_transaction
from knowledge.embedding import registry
from knowledge.embedding.hashing import HashingEmbedder
from knowledge.models import Document, DocumentVersion, IndexEntry, IngestionRun, Node, VersionText
from knowledge.services.ingestion import MAX_ATTEMPTS, run_ingest
from knowledge.services.uploads import Outcome, document_upload, version_retry
from tests.factories import Company, ingest_queued, ingested, uploaded
from tests.knowledge.conftest import (
    HANDBOOK,
    EmbedderSpy,
    assert_statistics_are_exact,
    run_of,
    stored,
    version_of,
)

CHANGED = HANDBOOK.replace("thirty days", "thirty-two days")


def upload(company: Company, name: str, content: bytes) -> Outcome:
    return document_upload(
        tenant=company.tenant, base=company.base, filename=name, content=content, by=None
    ).outcome


def test_a_file_becomes_a_tree_of_titled_sections_and_findable_passages(a: Company) -> None:
    document = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    made = stored(a.tenant, document)
    assert made["version"]["state"] == "ready"
    assert made["is_current"]
    assert document.title == "Handbook"
    assert made["text"] == HANDBOOK
    assert [(path, kind) for _, path, kind, *_ in made["nodes"]] == [
        ("handbook", "document"),
        ("handbook/hours", "section"),
        ("handbook/hours/p1", "paragraph"),
        ("handbook/leave", "section"),
        ("handbook/leave/p1", "paragraph"),
        ("handbook/travel", "section"),
        ("handbook/travel/p1", "paragraph"),
    ]
    paths = [entry[1] for entry in made["entries"]]
    assert paths == ["handbook/hours/c1", "handbook/leave/c1", "handbook/travel/c1"]
    assert made["version"]["chunks"] == 3
    assert run_of(a.tenant, document).state == "done"
    assert_statistics_are_exact(a.tenant, a.base)


def test_entries_are_embedded_with_their_heading_path_in_front_and_name_their_model(
    a: Company, embedder: EmbedderSpy
) -> None:
    document = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    assert embedder.texts[0].startswith("Handbook > Hours\nThe office opens")
    assert {entry[6] for entry in stored(a.tenant, document)["entries"]} == {HashingEmbedder.name}


def test_the_same_bytes_again_change_nothing(a: Company, embedder: EmbedderSpy) -> None:
    document = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    before, asked, queued = stored(a.tenant, document), len(embedder.texts), OrmQ.objects.count()
    assert upload(a, "handbook.md", HANDBOOK.encode()) == Outcome.UNCHANGED
    ingest_queued(a.tenant)
    assert stored(a.tenant, document) == before
    assert len(embedder.texts) == asked
    assert OrmQ.objects.count() == queued
    with tenant_transaction(a.tenant):
        assert (DocumentVersion.objects.count(), IngestionRun.objects.count()) == (1, 1)


def test_the_same_bytes_while_the_first_are_queued_change_nothing(a: Company) -> None:
    uploaded(a.tenant, a.base, "handbook.md", HANDBOOK)
    assert upload(a, "handbook.md", HANDBOOK.encode()) == Outcome.UNCHANGED
    with tenant_transaction(a.tenant):
        assert IngestionRun.objects.count() == 1


def test_changed_bytes_make_a_version_and_embed_only_the_changed_passage(
    a: Company, embedder: EmbedderSpy
) -> None:
    first = version_of(a.tenant, ingested(a.tenant, a.base, "handbook.md", HANDBOOK))
    embedder.texts.clear()
    document = ingested(a.tenant, a.base, "handbook.md", CHANGED)
    assert len(embedder.texts) == 1
    assert "thirty-two days" in embedder.texts[0]
    made = stored(a.tenant, document)
    assert (made["version"]["number"], made["version"]["reused_vectors"]) == (2, 2)
    assert made["is_current"]
    with tenant_transaction(a.tenant):
        assert {entry.version_id for entry in IndexEntry.objects.all()} != {first.pk}
        assert not IndexEntry.objects.filter(version=first).exists()
        assert VersionText.objects.get(version=first).content == HANDBOOK
        assert Node.objects.filter(version=first).count() == 7
    assert_statistics_are_exact(a.tenant, a.base)


def test_a_new_version_gives_the_same_result_as_a_first_upload_of_it(
    a: Company, b: Company
) -> None:
    ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    again = stored(a.tenant, ingested(a.tenant, a.base, "handbook.md", CHANGED))
    fresh = stored(b.tenant, ingested(b.tenant, b.base, "handbook.md", CHANGED))
    for made in (again, fresh):
        del made["version"]["number"], made["version"]["reused_vectors"]
    assert again == fresh


def test_earlier_bytes_come_back_as_a_version_of_their_own(a: Company) -> None:
    for content in (HANDBOOK, CHANGED, HANDBOOK):
        document = ingested(a.tenant, a.base, "handbook.md", content)
    assert stored(a.tenant, document)["version"]["number"] == 3
    assert stored(a.tenant, document)["text"] == HANDBOOK
    assert_statistics_are_exact(a.tenant, a.base)


def test_a_vector_is_never_taken_from_another_base_or_model(
    a: Company, embedder: EmbedderSpy, monkeypatch: pytest.MonkeyPatch, settings
) -> None:
    class Renamed(HashingEmbedder):
        name = "renamed@1"

    ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    embedder.texts.clear()
    ingested(a.tenant, a.restricted, "handbook.md", HANDBOOK)
    assert len(embedder.texts) == 3
    embedder.texts.clear()
    monkeypatch.delitem(registry._EMBEDDERS, "hashing")
    monkeypatch.setitem(registry._EMBEDDERS, "renamed", Renamed)
    settings.EMBEDDER = "renamed"
    document = ingested(a.tenant, a.base, "handbook.md", CHANGED)
    assert len(embedder.texts) == 3
    assert {entry[6] for entry in stored(a.tenant, document)["entries"]} == {"renamed@1"}


def test_an_upload_that_failed_can_be_sent_again(a: Company, embedder: EmbedderSpy) -> None:
    def refuse(number: int) -> None:
        raise RuntimeError("out of order")

    embedder.before = refuse
    document = uploaded(a.tenant, a.base, "handbook.md", HANDBOOK)
    for _ in range(MAX_ATTEMPTS):
        ingest_queued(a.tenant, document)
    assert version_of(a.tenant, document).state == "failed"
    embedder.before = lambda number: None
    assert upload(a, "handbook.md", HANDBOOK.encode()) == Outcome.RETRIED
    assert version_of(a.tenant, document).message == ""
    ingest_queued(a.tenant, document)
    made = stored(a.tenant, document)
    assert (made["version"]["state"], made["version"]["number"]) == ("ready", 1)
    assert made["is_current"]


def test_a_failed_version_can_be_retried_with_fresh_attempts_and_a_ready_one_is_left_alone(
    a: Company,
) -> None:
    failed = ingested(a.tenant, a.base, "blank.md", "  \n\n\t ")
    ready = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    for document in (failed, ready):
        version_retry(tenant=a.tenant, version=version_of(a.tenant, document))
    assert (run_of(a.tenant, failed).state, run_of(a.tenant, failed).attempts) == ("queued", 0)
    with tenant_transaction(a.tenant):
        assert IngestionRun.objects.filter(version__document=ready).count() == 1


def test_a_failed_new_version_leaves_the_old_one_findable(a: Company) -> None:
    ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    document = ingested(a.tenant, a.base, "handbook.md", "   ")
    assert document.latest_version.state == "failed"
    assert document.current_version.number == 1
    with tenant_transaction(a.tenant):
        assert IndexEntry.objects.current().count() == 3
    assert_statistics_are_exact(a.tenant, a.base)


def test_a_blank_file_does_not_keep_the_next_one_from_being_read(a: Company) -> None:
    blank = uploaded(a.tenant, a.base, "blank.md", " \n \n")
    good = uploaded(a.tenant, a.base, "handbook.md", HANDBOOK)
    ingest_queued(a.tenant)
    assert version_of(a.tenant, blank).state == "failed"
    assert version_of(a.tenant, blank).message == ("The document holds no text, only blank space.")
    assert version_of(a.tenant, good).state == "ready"


def test_a_short_file_is_findable_after_its_first_upload(a: Company) -> None:
    document = ingested(a.tenant, a.base, "short.txt", "Lunch is at noon.")
    assert stored(a.tenant, document)["version"]["chunks"] == 1


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_later_of_two_queued_versions_stays_current_whichever_is_read_first(
    a: Company, order: tuple[int, int]
) -> None:
    uploaded(a.tenant, a.base, "handbook.md", HANDBOOK)
    document = uploaded(a.tenant, a.base, "handbook.md", CHANGED)
    with tenant_transaction(a.tenant):
        runs = list(IngestionRun.objects.order_by("pk"))
    for index in order:
        run_ingest(tenant_id=a.tenant.pk, run_id=runs[index].pk)
    with tenant_transaction(a.tenant):
        document = Document.objects.select_related("current_version").get(pk=document.pk)
        assert document.current_version.number == 2
        assert {entry.version_id for entry in IndexEntry.objects.all()} == {
            document.current_version_id
        }
        assert {version.state for version in DocumentVersion.objects.all()} == {"ready"}
    assert_statistics_are_exact(a.tenant, a.base)


def test_equal_files_in_two_companies_know_nothing_of_each_other(
    a: Company, b: Company, embedder: EmbedderSpy
) -> None:
    first = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    second = ingested(b.tenant, b.base, "handbook.md", HANDBOOK)
    assert len(embedder.texts) == 6
    assert stored(a.tenant, first) == stored(b.tenant, second)
    assert_statistics_are_exact(a.tenant, a.base)
    assert_statistics_are_exact(b.tenant, b.base)


def test_a_file_that_repeats_itself_embeds_its_one_passage_for_the_first_batch_only(
    a: Company, embedder: EmbedderSpy
) -> None:
    document = ingested(a.tenant, a.base, "line.txt", "lorem ipsum dolor " * 30_000)
    assert document.latest_version.state == "ready"
    assert document.latest_version.chunks > 300
    assert len(embedder.texts) < 40
