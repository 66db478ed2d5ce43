"""A base changes to another embedding model while the index of the one before serves."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import count

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from accounts.tenancy import tenant_transaction
from knowledge.embedding import ServerOptions, Vectors
from knowledge.embedding.openai_compatible import OpenAICompatibleEmbedder
from knowledge.models import EntryVector, IndexEntry, KnowledgeBase, Reembedding
from knowledge.services import reembedding_batch, reembedding_run
from knowledge.services.reembedding import (
    MAX_ATTEMPTS,
    reembedding_pause,
    reembedding_start,
    reembeddings_sweep,
)
from knowledge.services.reembedding_run import run_reembed
from retrieval.services.scopes import Reader, Scope
from retrieval.services.search import SearchResult, search
from tests.factories import Company, ingest_queued, ingested, uploaded
from tests.knowledge.conftest import Interruption, assert_statistics_are_exact
from tests.scripted_model import ScriptedModel
from tests.scripted_replies import Fail
from tests.scripted_replies import Vectors as Scripted

OLD, NEXT, THIRD = 48, 96, 3_072
QUESTION = "What does the fact number 140 tell?"
NOTES = "# Notes\n\n" + "\n\n".join(
    f"## Fact {number}\n\nThe fact number {number} tells of {word}."
    for number, word in zip(
        range(100, 180), ["trains", "leave", "meals", "phones"] * 20, strict=True
    )
)
TABLE = "# Prices\n\n| Item | Price |\n| --- | --- |\n| Tea | 2 |\n| Soup | 5 |\n"


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with ScriptedModel() as model:
        yield model


def configure(settings, server: ScriptedModel, dimensions: int) -> str:
    """Choose a model of this length; return the name its vectors are stored under."""
    settings.EMBEDDING_SERVER = ServerOptions(
        base_url=server.base_url, model=f"model-{dimensions}", dimensions=dimensions
    )
    return f"openai/model-{dimensions}@{dimensions}"


@pytest.fixture
def notes(a: Company, settings, server: ScriptedModel) -> Company:
    """Return a company with a base of 80 passages that the old model serves."""
    configure(settings, server, OLD)
    ingested(a.tenant, a.base, "notes.md", NOTES)
    return a


def found(company: Company, question: str = QUESTION) -> SearchResult:
    return search(scope=Scope(Reader(company.tenant.pk), company.base), query=question)


def dense_of(result: SearchResult) -> list[tuple[str, float | None]]:
    return [(hit.path, hit.dense) for hit in result.hits]


def models_of(company: Company) -> set[tuple[str, int]]:
    """Return the models of all entries, with the lengths of their vectors."""
    with tenant_transaction(company.tenant):
        entries = IndexEntry.objects.filter(base=company.base)
        return {(entry.embedding_model, len(entry.dense)) for entry in entries}


def change_of(company: Company) -> Reembedding:
    with tenant_transaction(company.tenant):
        return Reembedding.objects.get(base=company.base)


def vectors_waiting(company: Company) -> int:
    with tenant_transaction(company.tenant):
        return EntryVector.objects.filter(base=company.base).count()


def serving(company: Company) -> str:
    with tenant_transaction(company.tenant):
        return KnowledgeBase.objects.get(pk=company.base.pk).serving_model


def is_noted(company: Company) -> bool:
    """Return whether the base says that it is searched by words alone."""
    with tenant_transaction(company.tenant):
        return KnowledgeBase.objects.get(pk=company.base.pk).words_only_since is not None


def start(company: Company) -> Reembedding:
    change = reembedding_start(tenant=company.tenant, base=company.base)
    assert change is not None
    return change


def work(company: Company) -> Reembedding:
    """Do the worker's work on the change, one message; return how it stands."""
    run_reembed(tenant_id=company.tenant.pk, change_id=change_of(company).pk)
    return change_of(company)


def kill_at_batch(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Kill the worker between two batches, once."""
    calls, embed = count(1), reembedding_batch.entries_embed

    def embed_or_die(*args: object) -> None:
        if next(calls) == number:
            raise Interruption
        embed(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(reembedding_run, "entries_embed", embed_or_die)
    monkeypatch.setattr(reembedding_run, "next_size", lambda size, took_s: 16)


def killed_in_the_middle(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin the change and kill its worker after 32 entries."""
    start(company)
    kill_at_batch(monkeypatch, 3)
    with pytest.raises(Interruption):
        work(company)
    assert vectors_waiting(company) == 32


def silent(company: Company) -> None:
    with tenant_transaction(company.tenant):
        Reembedding.objects.update(heartbeat_at=timezone.now() - timedelta(hours=1))


@pytest.mark.parametrize("dimensions", [NEXT, THIRD])
def test_a_search_is_the_same_until_the_switch_and_works_after_it(
    notes: Company, settings, server, monkeypatch, dimensions: int
) -> None:
    before = found(notes)
    assert before.hits
    old = serving(notes)
    new = configure(settings, server, dimensions)
    assert dense_of(found(notes)) == dense_of(before)
    killed_in_the_middle(notes, monkeypatch)
    during = found(notes)
    assert (dense_of(during), during.plan) == (dense_of(before), "exact")
    assert serving(notes) == old
    silent(notes)
    reembeddings_sweep(tenant=notes.tenant)
    assert work(notes).state == "done"
    assert serving(notes) == new
    assert models_of(notes) == {(new, dimensions)}
    assert vectors_waiting(notes) == 0
    after = found(notes)
    assert after.hits[0].path == before.hits[0].path
    assert after.plan == "exact"
    assert all(hit.dense is not None for hit in after.hits[:3])
    assert_statistics_are_exact(notes.tenant, notes.base)


def test_the_new_vectors_are_those_that_ingestion_makes(notes: Company, settings, server) -> None:
    ingested(notes.tenant, notes.base, "prices.md", TABLE)
    configure(settings, server, NEXT)
    start(notes)
    assert work(notes).state == "done"
    for name, text in (("notes.md", NOTES), ("prices.md", TABLE)):
        ingested(notes.tenant, notes.restricted, name, text)
    with tenant_transaction(notes.tenant):
        changed, fresh = (
            [
                (entry.path, entry.input_hash, list(entry.dense), entry.embedding_model)
                for entry in IndexEntry.objects.filter(base=base).order_by("path")
            ]
            for base in (notes.base, notes.restricted)
        )
    assert changed == fresh


def test_a_killed_worker_loses_no_vector_and_makes_none_twice(
    notes: Company, settings, server, monkeypatch
) -> None:
    new = configure(settings, server, NEXT)
    embedded = len(server.embedded)
    killed_in_the_middle(notes, monkeypatch)
    silent(notes)
    assert reembeddings_sweep(tenant=notes.tenant) == 1
    change = work(notes)
    assert (change.state, change.done, change.total) == ("done", 80, 80)
    assert change.tokens_done == change.tokens_total > 0
    sent = [
        text
        for one in server.embedded[embedded:]
        if one.body.get("dimensions") == NEXT  # the first is sent again, asking for the length
        for text in one.body["input"]
    ]
    assert len(sent) == len(set(sent)) == 80
    assert models_of(notes) == {(new, NEXT)}


def test_a_second_change_in_the_middle_starts_anew(
    notes: Company, settings, server, monkeypatch
) -> None:
    configure(settings, server, NEXT)
    killed_in_the_middle(notes, monkeypatch)
    third = configure(settings, server, THIRD)
    assert reembeddings_sweep(tenant=notes.tenant) == 1
    assert vectors_waiting(notes) == 0
    assert found(notes).plan == "exact"
    assert work(notes).state == "done"
    assert models_of(notes) == {(third, THIRD)}


def test_going_back_to_the_old_settings_ends_the_change(
    notes: Company, settings, server, monkeypatch
) -> None:
    configure(settings, server, NEXT)
    killed_in_the_middle(notes, monkeypatch)
    old = configure(settings, server, OLD)
    reembeddings_sweep(tenant=notes.tenant)
    assert change_of(notes).state == "cancelled"
    assert vectors_waiting(notes) == 0
    assert models_of(notes) == {(old, OLD)}
    assert reembeddings_sweep(tenant=notes.tenant) == 0


def test_a_document_that_comes_meanwhile_is_found_before_and_after(
    notes: Company, settings, server, monkeypatch
) -> None:
    old = serving(notes)
    new = configure(settings, server, NEXT)
    killed_in_the_middle(notes, monkeypatch)
    ingested(notes.tenant, notes.base, "rules.md", "# Rules\n\nA taxi needs a receipt.\n")
    assert models_of(notes) == {(old, OLD)}
    assert found(notes, "taxi receipt").hits[0].document_title == "Rules"
    ingested(notes.tenant, notes.base, "notes.md", NOTES.replace("trains", "buses"))
    silent(notes)
    reembeddings_sweep(tenant=notes.tenant)
    assert work(notes).state == "done"
    assert models_of(notes) == {(new, NEXT)}
    best = found(notes, "taxi receipt").hits[0]
    assert best.document_title == "Rules"
    assert best.dense is not None
    assert_statistics_are_exact(notes.tenant, notes.base)


def test_a_switch_between_two_batches_of_a_version_mixes_no_models(
    notes: Company, settings, server, monkeypatch
) -> None:
    new = configure(settings, server, NEXT)
    start(notes)
    long = "# Long\n\n" + "\n\n".join(f"## Part {n}\n\nOf part {n}." for n in range(40))
    document = uploaded(notes.tenant, notes.base, "long.md", long)
    passages, calls = OpenAICompatibleEmbedder.passages, count(1)

    def switch_at_second(self: OpenAICompatibleEmbedder, texts: list[str]) -> Vectors:
        if self.name != new and next(calls) == 2:
            assert work(notes).state == "done"
        return passages(self, texts)

    monkeypatch.setattr(OpenAICompatibleEmbedder, "passages", switch_at_second)
    ingest_queued(notes.tenant, document)
    assert next(calls) > 2
    with tenant_transaction(notes.tenant):
        entries = IndexEntry.objects.current().filter(document=document)
        assert entries.count() == 40
    assert models_of(notes) == {(new, NEXT)}


def test_without_the_old_model_words_are_searched_and_the_plan_says_so(
    a: Company, settings, server
) -> None:
    with ScriptedModel() as gone:
        configure(settings, gone, OLD)
        ingested(a.tenant, a.base, "notes.md", NOTES)
        old = serving(a)
    new = configure(settings, server, NEXT)
    result = found(a)
    assert result.hits[0].path == "notes/fact-140/c1"
    assert {hit.dense for hit in result.hits} == {None}
    assert result.plan == f"by words only: {old}, which made the vectors, does not answer"
    assert is_noted(a)  # for the pages
    # A new document cannot wait for a model that is gone.
    ingested(a.tenant, a.base, "rules.md", "# Rules\n\nA taxi needs a receipt.\n")
    assert found(a, "taxi receipt").hits[0].document_title == "Rules"
    start(a)
    assert work(a).state == "done"
    assert models_of(a) == {(new, NEXT)}
    assert not is_noted(a)
    assert found(a).plan == "exact"


def test_a_model_that_answers_again_takes_the_notice_away(notes: Company, settings, server) -> None:
    with tenant_transaction(notes.tenant):
        KnowledgeBase.objects.filter(pk=notes.base.pk).update(words_only_since=timezone.now())
    assert found(notes).plan == "exact"
    assert not is_noted(notes)


def test_a_vector_of_another_length_ends_the_change_and_the_old_index_serves(
    notes: Company, settings
) -> None:
    before = dense_of(found(notes))
    with ScriptedModel(embeddings=[Scripted(dimensions=10)] * 4) as wrong:
        configure(settings, wrong, NEXT)
        start(notes)
        change = work(notes)
    assert change.state == "failed"
    assert "10 numbers, but CAIRN_EMBEDDING_DIMENSIONS is 96" in change.message
    assert reembeddings_sweep(tenant=notes.tenant) == 0
    assert dense_of(found(notes)) == before


def test_a_new_model_that_does_not_answer_is_tried_a_bounded_number_of_times(
    notes: Company, settings
) -> None:
    with ScriptedModel(embeddings=[Fail(503, "asleep")] * 99) as asleep:
        configure(settings, asleep, NEXT)
        start(notes)
        for attempt in range(MAX_ATTEMPTS):
            change = work(notes)
            assert change.attempts == attempt + 1
            with tenant_transaction(notes.tenant):
                Reembedding.objects.update(not_before=timezone.now() - timedelta(seconds=1))
    assert change.state == "failed"
    assert "does not answer" in change.message
    assert found(notes).plan == "exact"


def test_a_pause_keeps_what_is_done_and_lasts_until_it_is_ended(
    notes: Company, settings, server, monkeypatch
) -> None:
    configure(settings, server, NEXT)
    killed_in_the_middle(notes, monkeypatch)
    reembedding_pause(tenant=notes.tenant, base=notes.base)
    silent(notes)
    assert reembeddings_sweep(tenant=notes.tenant) == 0
    assert work(notes).state == "paused"
    start(notes)
    assert vectors_waiting(notes) == 32
    assert work(notes).state == "done"


def test_the_sweeper_begins_what_the_settings_demand_once(notes: Company, settings, server) -> None:
    assert reembeddings_sweep(tenant=notes.tenant) == 0
    new = configure(settings, server, NEXT)
    OrmQ.objects.all().delete()
    assert reembeddings_sweep(tenant=notes.tenant) == 1
    assert reembeddings_sweep(tenant=notes.tenant) == 0
    (message,) = OrmQ.objects.all()
    assert message.task["args"] == (notes.tenant.pk, change_of(notes).pk)
    assert work(notes).state == "done"
    assert serving(notes) == new
    assert reembeddings_sweep(tenant=notes.tenant) == 0


def test_a_worker_of_other_settings_leaves_the_change_to_others(
    notes: Company, settings, server
) -> None:
    configure(settings, server, NEXT)
    start(notes)
    configure(settings, server, OLD)
    change = work(notes)
    assert (change.state, change.attempts) == ("queued", 0)
    assert change.not_before is not None


def test_a_long_change_gives_way_after_a_while(
    notes: Company, settings, server, monkeypatch
) -> None:
    configure(settings, server, NEXT)
    start(notes)
    monkeypatch.setattr(reembedding_run, "SLICE_S", 0.0)
    OrmQ.objects.all().delete()
    assert work(notes).state == "queued"
    assert OrmQ.objects.count() == 1


def test_another_server_never_gets_the_key(a: Company, settings) -> None:
    with ScriptedModel() as first, ScriptedModel() as second:
        configure(settings, first, OLD)
        ingested(a.tenant, a.base, "notes.md", NOTES)
        settings.EMBEDDING_SERVER = ServerOptions(
            base_url=second.base_url, model="x", dimensions=NEXT, api_key="secret-of-the-second"
        )
        found(a)
        headers = [one.headers.get("authorization", "") for one in first.embedded]
    assert not [header for header in headers if "secret" in header]
