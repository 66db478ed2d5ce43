"""After a deletion nothing of a document is left anywhere, and nothing else is gone."""

from __future__ import annotations

import threading

import pytest
from django.apps import apps
from django.db import connection
from django_q.models import OrmQ

from accounts.tenancy import TenantForeignKey, TenantOwned, tenant_transaction
from knowledge.models import Document, DocumentVersion, IndexEntry, KnowledgeBase, LexicalTerm
from knowledge.services.bases import base_delete
from knowledge.services.claims import Claim, LostClaim
from knowledge.services.deletion import document_delete
from knowledge.services.publishing import version_publish
from retrieval.models import Run, RunEvent
from retrieval.services.runs import run_create, run_execute
from tests.doubles import QuotingReasoner, use_reasoner
from tests.experience_factories import make_experience_edge, make_experience_question
from tests.factories import (
    Company,
    ingest_queued,
    ingested,
    make_abstract,
    make_base,
    make_conversation,
    make_entry_vector,
    make_event,
    make_figure,
    make_node,
    make_run,
    make_tenant,
    uploaded,
)
from tests.knowledge.conftest import (
    HANDBOOK,
    EmbedderSpy,
    Interruption,
    assert_statistics_are_exact,
    at_once,
    run_of,
    stored,
    version_of,
)

MARK = "zanzibarite"
SECRET = (
    f"# Minerals\n\n## Rare\n\nThe {MARK} is mined in June.\n\n| A | B |\n|---|---|\n| x | y |\n"
)


def paths_to_document() -> dict[type[TenantOwned], str]:
    """Return, for every owned model from which foreign keys lead to a document, the look-up."""
    found: dict[type[TenantOwned], str] = {Document: "pk"}
    owned = [model for model in apps.get_models() if issubclass(model, TenantOwned)]
    while True:
        more = {
            model: field.name if found[target] == "pk" else f"{field.name}__{found[target]}"
            for model in owned
            if model not in found
            for field in model._meta.concrete_fields
            if isinstance(field, TenantForeignKey) and (target := field.related_model) in found
        }
        if not more:
            return found
        found |= more


def tables_holding(word: str) -> set[str]:
    """Return all tables of the database with a row that holds the word, also in bytes."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = [table for (table,) in cursor.fetchall()]
        holding = set()
        for table in tables:
            cursor.execute(
                f'SELECT EXISTS (SELECT FROM "{table}" t WHERE t::text ILIKE %s'  # noqa: S608
                " OR t::text ILIKE %s)",
                [f"%{word}%", f"%{word.encode().hex()}%"],
            )
            if cursor.fetchone()[0]:
                holding.add(table)
    return holding


def asked(company: Company, monkeypatch: pytest.MonkeyPatch, question: str) -> Run:
    """Return an answered run of the company's member."""
    use_reasoner(monkeypatch, QuotingReasoner(MARK))
    run = run_create(
        tenant=company.tenant,
        base=company.base,
        membership=company.member,
        question=question,
    )
    run_execute(tenant_id=company.tenant.pk, run_id=run.pk)
    with tenant_transaction(company.tenant):
        return Run.objects.get(pk=run.pk)


def test_the_paths_reach_what_is_known_to_belong_to_a_document() -> None:
    names = {model.__name__ for model in paths_to_document()}
    assert names == {
        "Abstract",
        "Citation",
        "Document",
        "DocumentVersion",
        "EntryVector",
        "ExperienceEdge",
        "Figure",
        "IndexEntry",
        "IngestionRun",
        "Node",
        "VersionSource",
        "VersionText",
    }


def test_nothing_of_a_deleted_document_is_left(a: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    other = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    kept = stored(a.tenant, other)
    ingested(a.tenant, a.base, "minerals.md", SECRET)
    document = ingested(a.tenant, a.base, "minerals.md", SECRET + "\nMore of it.\n")
    run = asked(a, monkeypatch, "What is mined in June?")
    assert run.state == "done"
    with tenant_transaction(a.tenant):
        entry = IndexEntry.objects.select_related("node__version__document__base").get(
            document=document
        )
    make_entry_vector(a.tenant, entry)
    make_abstract(a.tenant, entry.node)
    make_figure(a.tenant, entry.node)
    question = make_experience_question(a.tenant, a.base, "What is mined?")
    make_experience_edge(a.tenant, question, entry.node.version)
    with tenant_transaction(a.tenant):
        before = {
            model.__name__: model.all_tenants.filter(**{look_up: document.pk}).count()
            for model, look_up in paths_to_document().items()
        }
    assert all(before.values()), before  # or nothing would be proved

    document_delete(tenant=a.tenant, document=document)

    with tenant_transaction(a.tenant):
        after = {
            model.__name__: model.all_tenants.filter(**{look_up: document.pk}).count()
            for model, look_up in paths_to_document().items()
        }
        assert not any(after.values()), after
        # The answer stays with those who asked, as a letter stays with who got it.
        assert tables_holding(MARK) <= {"retrieval_run", "retrieval_runevent"}
        events = RunEvent.objects.filter(payload__icontains=MARK)
        assert {event.kind for event in events} == {"answer", "finished"}
    assert stored(a.tenant, other) == kept
    assert_statistics_are_exact(a.tenant, a.base)


def test_deleting_the_conversation_too_leaves_no_word(
    a: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = ingested(a.tenant, a.base, "minerals.md", SECRET)
    run = asked(a, monkeypatch, "What is mined in June?")
    document_delete(tenant=a.tenant, document=document)
    with tenant_transaction(a.tenant):
        run.conversation.delete()
        assert tables_holding(MARK) == set()


def test_what_came_near_without_answering_forgets_a_deleted_document(
    a: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    document = ingested(a.tenant, a.base, "minerals.md", SECRET.replace("Rare", MARK))
    use_reasoner(monkeypatch, QuotingReasoner("nowhere"))
    run = run_create(
        tenant=a.tenant, base=a.base, membership=a.member, question="What is mined in June?"
    )
    run_execute(tenant_id=a.tenant.pk, run_id=run.pk)

    def nearest() -> list[dict[str, object]]:
        with tenant_transaction(a.tenant):
            event = RunEvent.objects.get(run=run, kind="abstained")
        places: list[dict[str, object]] = event.payload["nearest"]
        return places

    before = nearest()
    assert document.pk in {near["document_id"] for near in before}
    document_delete(tenant=a.tenant, document=document)
    assert nearest() == [near for near in before if near["document_id"] != document.pk]
    assert tables_holding(MARK) == set()


def test_a_quote_of_a_run_that_died_before_its_end_goes_with_its_document(a: Company) -> None:
    document = ingested(a.tenant, a.base, "minerals.md", SECRET)
    run = make_run(a.tenant, make_conversation(a.tenant, a.base, a.member.user))
    payload = {"document_id": document.pk, "quote": MARK}
    make_event(a.tenant, run, kind="citation", payload=payload)
    document_delete(tenant=a.tenant, document=document)
    assert tables_holding(MARK) == set()


def test_deleting_twice_finds_nothing_to_do(a: Company) -> None:
    document = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    document_delete(tenant=a.tenant, document=document)
    document_delete(tenant=a.tenant, document=document)
    assert_statistics_are_exact(a.tenant, a.base)


def test_deleting_a_base_twice_finds_nothing_to_do(a: Company) -> None:
    document = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    with tenant_transaction(a.tenant):
        clicks = [KnowledgeBase.objects.get(pk=a.base.pk) for _ in range(2)]
    for base in clicks:
        base_delete(tenant=a.tenant, base=base)
    document_delete(tenant=a.tenant, document=document)
    with tenant_transaction(a.tenant):
        assert [base.pk for base in KnowledgeBase.objects.all()] == [a.restricted.pk]


def test_a_base_deleted_while_a_document_is_read_ends_its_run_quietly(
    a: Company, embedder: EmbedderSpy, caplog: pytest.LogCaptureFixture
) -> None:
    embedder.before = lambda number: base_delete(tenant=a.tenant, base=a.base)
    uploaded(a.tenant, a.base, "handbook.md", HANDBOOK)
    ingest_queued(a.tenant)
    assert "Traceback" not in caplog.text


def test_a_run_whose_base_is_gone_when_it_would_publish_ends_quietly(a: Company) -> None:
    document = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    version, run = version_of(a.tenant, document), run_of(a.tenant, document)
    base_delete(tenant=a.tenant, base=a.base)
    with pytest.raises(LostClaim):
        version_publish(Claim(a.tenant.pk, run.pk, version.pk, "ours"), title="Handbook")


def test_a_document_that_waits_for_a_worker_can_be_deleted(a: Company) -> None:
    document = uploaded(a.tenant, a.base, "handbook.md", HANDBOOK)
    document_delete(tenant=a.tenant, document=document)
    assert OrmQ.objects.count() == 1  # it names a run that is no more: harmless
    ingest_queued(a.tenant)
    with tenant_transaction(a.tenant):
        assert not DocumentVersion.objects.exists()


def test_a_half_indexed_document_can_be_deleted(a: Company, embedder: EmbedderSpy) -> None:
    ingested(a.tenant, a.base, "handbook.md", HANDBOOK)

    def kill(number: int) -> None:
        raise Interruption

    embedder.before = kill
    document = uploaded(a.tenant, a.base, "handbook.md", HANDBOOK + "\n## More\n\nMore text.\n")
    with pytest.raises(Interruption):
        ingest_queued(a.tenant, document)
    document_delete(tenant=a.tenant, document=document)
    with tenant_transaction(a.tenant):
        assert not IndexEntry.objects.exists()
        assert not LexicalTerm.objects.exists()
    assert_statistics_are_exact(a.tenant, a.base)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("stage", ["knowledge_node", "knowledge_indexentry"])
def test_a_document_is_deleted_while_a_worker_writes_to_it(
    stage: str, caplog: pytest.LogCaptureFixture
) -> None:
    tenant = make_tenant()
    base = make_base(tenant)
    document = uploaded(tenant, base, "handbook.md", HANDBOOK)
    worker_writes, nodes_are_gone = threading.Event(), threading.Event()

    def before_writing(execute, sql, params, many, context):
        if sql.startswith(f'INSERT INTO "{stage}"'):
            worker_writes.set()
            nodes_are_gone.wait(timeout=2)  # it never comes if the deletion waits for the worker
        return execute(sql, params, many, context)

    def after_deleting(execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        if sql.startswith('DELETE FROM "knowledge_node"'):
            nodes_are_gone.set()
        return result

    def work() -> None:
        with connection.execute_wrapper(before_writing):
            ingest_queued(tenant, document)

    def delete() -> None:
        worker_writes.wait(timeout=30)
        with connection.execute_wrapper(after_deleting):
            document_delete(tenant=tenant, document=document)

    assert at_once(work, delete) == []
    assert "Traceback" not in caplog.text  # a deadlock would end the worker's transaction
    with tenant_transaction(tenant):
        assert not Document.objects.exists()
        assert not IndexEntry.objects.exists()
    assert_statistics_are_exact(tenant, base)


def test_a_deleted_name_can_be_uploaded_again(a: Company) -> None:
    document = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    document_delete(tenant=a.tenant, document=document)
    again = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    assert again.path == "handbook"
    assert version_of(a.tenant, again).number == 1


def test_deleting_a_base_leaves_nothing_of_it_and_all_of_the_others(
    a: Company, b: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingested(a.tenant, a.base, "minerals.md", SECRET)
    asked(a, monkeypatch, "What is mined in June?")
    own = ingested(a.tenant, a.restricted, "handbook.md", HANDBOOK)
    foreign = ingested(b.tenant, b.base, "handbook.md", HANDBOOK)
    kept = stored(a.tenant, own), stored(b.tenant, foreign)
    base_delete(tenant=a.tenant, base=a.base)
    with tenant_transaction(a.tenant):
        assert tables_holding(MARK) == set()
        assert [base.pk for base in KnowledgeBase.objects.all()] == [a.restricted.pk]
    assert (stored(a.tenant, own), stored(b.tenant, foreign)) == kept


def test_another_companys_document_cannot_be_deleted(a: Company, b: Company) -> None:
    document = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    document_delete(tenant=b.tenant, document=document)
    with tenant_transaction(a.tenant):
        assert Document.objects.ready().count() == 1


def test_a_large_tree_goes_in_a_few_statements(a: Company, django_assert_max_num_queries) -> None:
    document = ingested(a.tenant, a.base, "handbook.md", HANDBOOK)
    version = version_of(a.tenant, document)
    for number in range(30):
        make_node(a.tenant, version, ordinal=100 + number, path=f"handbook/x{number}")
    with django_assert_max_num_queries(34):
        document_delete(tenant=a.tenant, document=document)
