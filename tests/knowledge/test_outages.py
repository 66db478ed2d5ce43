"""An embedder that is away for a while: files wait for it, and not for ever."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from knowledge.embedding import EmbeddingUnavailable, ServerOptions, TextRefused
from knowledge.models import Document
from knowledge.services.ingestion import MAX_ATTEMPTS, run_ingest
from knowledge.services.sweeping import runs_sweep
from tests.factories import Company, ingest_queued, uploaded
from tests.knowledge.conftest import HANDBOOK, EmbedderSpy, run_of, set_back, stored, version_of
from tests.scripted_model import ScriptedModel
from tests.scripted_replies import Vectors


@pytest.fixture
def waiting(a: Company, embedder: EmbedderSpy) -> Document:
    """Return a document whose first attempt met no embedder, and leave the queue empty."""

    def silent(number: int) -> None:
        raise EmbeddingUnavailable("http://10.0.0.1 refused")

    embedder.before = silent
    document = uploaded(a.tenant, a.base, "handbook.md", HANDBOOK)
    OrmQ.objects.all().delete()
    ingest_queued(a.tenant, document)
    return document


def time_comes(company: Company, document: Document) -> None:
    run = run_of(company.tenant, document)
    set_back(company.tenant, run, not_before=timezone.now() - timedelta(seconds=1))


def test_a_file_that_met_no_embedder_waits_and_says_until_when(
    a: Company, waiting: Document
) -> None:
    run = run_of(a.tenant, waiting)
    assert (run.state, run.stage, run.attempts) == ("queued", "waiting", 1)
    assert version_of(a.tenant, waiting).state == "queued"
    at = timezone.localtime(run.not_before)
    assert run.message == f"The embedding model does not answer; trying again at {at:%H:%M}."
    assert OrmQ.objects.count() == 0


def test_a_file_with_a_passage_that_the_embedder_refuses_fails_and_names_it(
    a: Company, embedder: EmbedderSpy
) -> None:
    def refuse(number: int) -> None:
        raise TextRefused("the server of the embeddings refuses the text 'The office': bad input")

    embedder.before = refuse
    document = uploaded(a.tenant, a.base, "handbook.md", HANDBOOK)
    ingest_queued(a.tenant, document)
    assert version_of(a.tenant, document).state == "failed"
    assert "'The office'" in version_of(a.tenant, document).message
    assert run_of(a.tenant, document).attempts == 1


def test_vectors_of_another_length_end_the_file_with_the_setting_to_change(
    a: Company, settings
) -> None:
    with ScriptedModel(dimensions=48, embeddings=[Vectors(dimensions=48)] * 9) as server:
        settings.EMBEDDING_SERVER = ServerOptions(
            base_url=server.base_url, model="scripted", dimensions=64
        )
        document = uploaded(a.tenant, a.base, "handbook.md", HANDBOOK)
        ingest_queued(a.tenant, document)
        assert len(server.embedded) == 2
    version = version_of(a.tenant, document)
    assert version.state == "failed"
    assert "48 numbers, but CAIRN_EMBEDDING_DIMENSIONS is 64" in version.message
    assert run_of(a.tenant, document).attempts == 1


def test_nobody_takes_a_waiting_run_before_its_time(a: Company, waiting: Document) -> None:
    run = run_of(a.tenant, waiting)
    set_back(a.tenant, run, enqueued_at=timezone.now() - timedelta(hours=1))
    assert runs_sweep(tenant=a.tenant) == 0
    run_ingest(tenant_id=a.tenant.pk, run_id=run.pk)  # by a message that was sent twice
    assert run_of(a.tenant, waiting).attempts == 1
    assert OrmQ.objects.count() == 0


def test_the_sweeper_sends_a_waiting_run_once_when_its_time_comes(
    a: Company, waiting: Document, embedder: EmbedderSpy
) -> None:
    time_comes(a, waiting)
    assert runs_sweep(tenant=a.tenant) == 1
    assert runs_sweep(tenant=a.tenant) == 0
    (message,) = OrmQ.objects.all()
    assert message.task["args"] == (a.tenant.pk, run_of(a.tenant, waiting).pk)
    embedder.before = lambda number: None
    ingest_queued(a.tenant, waiting)
    run = run_of(a.tenant, waiting)
    assert (run.state, run.attempts, run.not_before, run.message) == ("done", 2, None, "")
    assert stored(a.tenant, waiting)["version"]["state"] == "ready"


def test_a_run_whose_time_has_come_needs_no_sweeper(
    a: Company, waiting: Document, embedder: EmbedderSpy
) -> None:
    time_comes(a, waiting)
    embedder.before = lambda number: None
    ingest_queued(a.tenant, waiting)
    assert run_of(a.tenant, waiting).state == "done"


def test_the_attempts_are_spread_over_an_hour_and_then_end_in_a_sentence(
    a: Company, waiting: Document
) -> None:
    waits: list[timedelta] = []
    while (run := run_of(a.tenant, waiting)).state == "queued":
        assert run.not_before is not None
        waits.append(run.not_before - timezone.now())
        time_comes(a, waiting)
        ingest_queued(a.tenant, waiting)
    assert len(waits) == MAX_ATTEMPTS - 1
    assert waits == sorted(waits)
    assert timedelta(minutes=50) < sum(waits, timedelta()) < timedelta(minutes=90)
    assert (run.state, run.attempts, run.error_code) == ("failed", MAX_ATTEMPTS, "embedding")
    assert version_of(a.tenant, waiting).message == (
        "The passages could not be indexed: the embedding model does not answer."
    )
