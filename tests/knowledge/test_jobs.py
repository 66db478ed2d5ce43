"""Runs and their workers: killed, slow, given up for dead, poisoned, lost from the queue."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import numpy as np
import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.embedding.hashing import HashingEmbedder
from knowledge.ingest import parsers
from knowledge.ingest.preflight import Limits
from knowledge.models import Document, IndexEntry, IngestionRun
from knowledge.services import indexing
from knowledge.services.claims import Claim, LostClaim
from knowledge.services.deletion import document_delete
from knowledge.services.ingestion import MAX_ATTEMPTS, run_ingest
from knowledge.services.publishing import IncompleteIndex, version_publish
from knowledge.services.sweeping import runs_sweep
from knowledge.tasks import ingest
from tests.factories import (
    Company,
    ingest_queued,
    ingested,
    make_base,
    make_ingestion_run,
    uploaded,
)
from tests.knowledge.conftest import (
    HANDBOOK,
    EmbedderSpy,
    Interruption,
    assert_statistics_are_exact,
    run_of,
    set_back,
    stored,
    version_of,
)

HOUR_AGO = timedelta(hours=1)


def sections(count: int) -> str:
    """Return a document with as many passages."""
    return "# Notes\n\n" + "\n\n".join(
        f"## Note {number}\n\nThe fact number {number} stands here." for number in range(count)
    )


def worker_dies(tenant: Tenant, document: Document) -> None:
    """Let the run's last sign of life be an hour old."""
    run = run_of(tenant, document)
    if run.state == IngestionRun.State.RUNNING:
        set_back(tenant, run, heartbeat_at=timezone.now() - HOUR_AGO)


def sweep_and_ingest(tenant: Tenant, document: Document) -> None:
    worker_dies(tenant, document)
    runs_sweep(tenant=tenant)
    ingest_queued(tenant, document)


class Killer:
    """Kills before the n-th statement that writes.

    What is committed is the same at every statement in between.
    """

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, execute: Callable, sql: str, params, many: bool, context: dict):
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            self.left -= 1
            if self.left == 0:
                raise Interruption
        return execute(sql, params, many, context)


def test_a_run_killed_before_any_of_its_writes_goes_on_to_the_same_result(
    a: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "BATCH", 2)
    monkeypatch.setattr(indexing, "MOST", 2)
    first, second = sections(3), sections(5)
    ingested(a.tenant, a.base, "notes.md", first)
    undisturbed = stored(a.tenant, ingested(a.tenant, a.base, "notes.md", second))
    assert undisturbed["version"]["reused_vectors"] == 3
    at = 1
    while True:
        base = make_base(a.tenant)
        ingested(a.tenant, base, "notes.md", first)
        document = uploaded(a.tenant, base, "notes.md", second)
        killer = Killer(at)
        try:
            with connection.execute_wrapper(killer):
                ingest_queued(a.tenant, document)
        except Interruption:
            sweep_and_ingest(a.tenant, document)
        assert stored(a.tenant, document) == undisturbed, f"killed before write {at}"
        assert_statistics_are_exact(a.tenant, base)
        if killer.left > 0:
            break  # the run was over before: every write was tried
        at += 1
    assert at > 20


def test_a_run_killed_between_batches_embeds_only_what_is_missing(
    a: Company, embedder: EmbedderSpy, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kill_at_third(number: int) -> None:
        if number == 3:
            raise Interruption

    monkeypatch.setattr(indexing, "MOST", 16)
    embedder.before = kill_at_third
    document = uploaded(a.tenant, a.base, "notes.md", sections(60))
    with pytest.raises(Interruption):
        ingest_queued(a.tenant, document)
    run = run_of(a.tenant, document)
    assert (run.stage, run.done, run.total) == ("embed", 32, 60)
    sweep_and_ingest(a.tenant, document)
    assert len(embedder.texts) == 60
    assert len(set(embedder.texts)) == 60
    assert version_of(a.tenant, document).state == "ready"
    assert run_of(a.tenant, document).attempts == 2


def test_nothing_is_found_before_a_version_is_published(a: Company, embedder: EmbedderSpy) -> None:
    def kill_at_second(number: int) -> None:
        if number == 2:
            raise Interruption

    embedder.before = kill_at_second
    document = uploaded(a.tenant, a.base, "notes.md", sections(30))
    with pytest.raises(Interruption):
        ingest_queued(a.tenant, document)
    with tenant_transaction(a.tenant):
        assert IndexEntry.objects.count() == 16
        assert IndexEntry.objects.current().count() == 0
    assert_statistics_are_exact(a.tenant, a.base)


def test_a_worker_that_lost_its_run_changes_nothing_when_it_comes_back(
    a: Company, b: Company, embedder: EmbedderSpy
) -> None:
    undisturbed = stored(b.tenant, ingested(b.tenant, b.base, "notes.md", sections(40)))
    document = uploaded(a.tenant, a.base, "notes.md", sections(40))

    def taken_over(number: int) -> None:
        embedder.before = lambda number: None
        sweep_and_ingest(a.tenant, document)

    embedder.before = taken_over
    ingest_queued(a.tenant, document)
    assert stored(a.tenant, document) == undisturbed
    run = run_of(a.tenant, document)
    assert (run.state, run.attempts) == ("done", 2)
    assert_statistics_are_exact(a.tenant, a.base)


def test_a_lost_claim_can_neither_report_nor_publish(a: Company) -> None:
    document = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    run = run_of(a.tenant, document)
    lost = Claim(a.tenant.pk, run.pk, run.version_id, "of nobody")
    with pytest.raises(LostClaim):
        lost.report("embed", 1, 2)
    with pytest.raises(LostClaim):
        version_publish(lost, title="Stolen")
    assert run_of(a.tenant, document).stage == "publish"


def test_a_run_that_is_over_or_running_or_absent_is_not_taken_again(
    a: Company, embedder: EmbedderSpy
) -> None:
    document = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    run = run_of(a.tenant, document)
    embedder.texts.clear()
    for state in ("done", "failed", "running"):
        set_back(a.tenant, run, state=state)
        ingest(a.tenant.pk, run.pk)
        run_ingest(tenant_id=a.tenant.pk, run_id=run.pk)
    ingest(a.tenant.pk, 10**9)
    assert embedder.texts == []
    assert run_of(a.tenant, document).attempts == 1


def test_a_second_run_over_a_ready_version_ends_at_once_and_leaves_it_ready(
    a: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    before = stored(a.tenant, document)
    read: list[str] = []
    monkeypatch.setattr(
        "knowledge.services.trees.parse", lambda content, filename, **limits: read.append(filename)
    )
    second = make_ingestion_run(a.tenant, version_of(a.tenant, document))
    run_ingest(tenant_id=a.tenant.pk, run_id=second.pk)
    run = run_of(a.tenant, document)
    assert (run.pk, run.state, run.message) == (second.pk, "done", "")
    assert run.finished_at is not None
    assert read == []
    assert stored(a.tenant, document) == before


def test_a_message_with_another_companys_run_does_nothing(
    a: Company, b: Company, embedder: EmbedderSpy
) -> None:
    document = uploaded(a.tenant, a.base, "handbook.md", HANDBOOK)
    ingest(b.tenant.pk, run_of(a.tenant, document).pk)
    assert run_of(a.tenant, document).state == "queued"
    assert embedder.texts == []


def test_a_file_that_kills_its_worker_ends_failed_and_blocks_nobody(
    a: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    parse = parsers.parse

    def deadly(content: bytes, filename: str, *, limits: Limits):
        if filename == "poison.md":
            raise Interruption
        return parse(content, filename, limits=limits)

    monkeypatch.setattr("knowledge.services.trees.parse", deadly)
    poison = uploaded(a.tenant, a.base, "poison.md", HANDBOOK)
    healthy = uploaded(a.tenant, a.base, "healthy.md", HANDBOOK)
    for _ in range(MAX_ATTEMPTS):
        with pytest.raises(Interruption):
            ingest_queued(a.tenant, poison)
        worker_dies(a.tenant, poison)
        runs_sweep(tenant=a.tenant)
    ingest_queued(a.tenant)
    version = version_of(a.tenant, poison)
    assert (version.state, version.verdict) == ("failed", "broken_off")
    assert version.message.endswith("You can try it again.")
    assert version_of(a.tenant, healthy).state == "ready"


def test_a_fault_of_ours_ends_in_a_sentence_with_a_reference_and_no_trace(
    a: Company, embedder: EmbedderSpy, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(number: int) -> None:
        raise RuntimeError("secret detail")

    embedder.before = broken
    document = uploaded(a.tenant, a.base, "handbook.md", HANDBOOK)
    for _ in range(MAX_ATTEMPTS):
        ingest_queued(a.tenant, document)
    message = version_of(a.tenant, document).message
    assert message.startswith("Something went wrong inside Cairn while reading this file (")
    assert "secret detail" not in message
    assert message[-10:-2] in caplog.text


def test_zero_vectors_are_not_published(a: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    def zeros(self: HashingEmbedder, texts: list[str]) -> np.ndarray:
        return np.zeros((len(texts), 384), dtype=np.float32)

    monkeypatch.setattr(HashingEmbedder, "passages", zeros)
    document = uploaded(a.tenant, a.base, "handbook.md", HANDBOOK)
    for _ in range(MAX_ATTEMPTS):
        ingest_queued(a.tenant, document)
    assert version_of(a.tenant, document).state == "failed"
    with tenant_transaction(a.tenant):
        assert not Document.objects.ready().exists()


@pytest.mark.parametrize("missing", [1, 3])
def test_a_version_with_too_few_entries_is_not_published(a: Company, missing: int) -> None:
    document = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    version, run = version_of(a.tenant, document), run_of(a.tenant, document)
    with tenant_transaction(a.tenant):
        Document.objects.filter(pk=document.pk).update(current_version=None)
        kept = IndexEntry.objects.filter(version=version, ordinal__lt=3 - missing)
        IndexEntry.objects.filter(version=version).exclude(pk__in=kept.values("pk")).delete()
    set_back(a.tenant, run, state="running", claim="ours")
    with pytest.raises(IncompleteIndex, match=f"{3 - missing} entries, 3 expected"):
        version_publish(Claim(a.tenant.pk, run.pk, version.pk, "ours"), title="Handbook")
    with tenant_transaction(a.tenant):
        assert not Document.objects.ready().exists()


def test_a_document_deleted_while_it_is_read_ends_its_run_quietly(
    a: Company, embedder: EmbedderSpy, caplog: pytest.LogCaptureFixture
) -> None:
    document = uploaded(a.tenant, a.base, "notes.md", sections(40))
    embedder.before = lambda number: document_delete(tenant=a.tenant, document=document)
    ingest_queued(a.tenant, document)
    with tenant_transaction(a.tenant):
        assert not Document.objects.exists()
        assert not IndexEntry.objects.exists()
    assert "Traceback" not in caplog.text
