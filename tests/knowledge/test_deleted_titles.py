"""Why a question got no answer is said without the title of a document that was deleted."""

from __future__ import annotations

import pytest

from accounts.tenancy import tenant_transaction
from knowledge.models import Document
from knowledge.services.deletion import document_delete
from retrieval.agent.evidence import Context
from retrieval.agent.reasoner import Draft, Signals
from retrieval.agent.sufficiency import INSUFFICIENT
from retrieval.models import Run, RunEvent
from retrieval.services.answering import NEAREST
from retrieval.services.runs import run_create, run_execute
from tests.doubles import ScriptedReasoner, use_reasoner
from tests.factories import (
    Company,
    ingested,
    make_company,
    make_conversation,
    make_event,
    make_run,
)
from tests.knowledge.test_deletion import MARK, SECRET, tables_holding


def naming(question: str, context: Context, signals: Signals) -> Draft:
    titles = {block.document_title for block in context.blocks}
    return Draft("", (), sufficient=False, reason=f"Nothing. Near are: {'; '.join(titles)}.")


def test_why_there_was_no_answer_is_said_without_the_title_of_a_deleted_document(
    a: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = ingested(a.tenant, a.base, "minerals.md", f"# {MARK}\n\nMined in June.\n")
    use_reasoner(monkeypatch, ScriptedReasoner(naming))
    run = run_create(tenant=a.tenant, base=a.base, membership=a.member, question="What in June?")
    run_execute(tenant_id=a.tenant.pk, run_id=run.pk)
    assert MARK in now(a, run).reason
    document_delete(tenant=a.tenant, document=document)
    assert now(a, run).reason == INSUFFICIENT
    with tenant_transaction(a.tenant):
        assert RunEvent.objects.get(run=run, kind="abstained").payload["reason"] == INSUFFICIENT


def test_a_reason_stays_when_a_document_is_deleted_whose_title_is_a_word_of_it(
    a: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingested(a.tenant, a.base, "minerals.md", SECRET)
    use_reasoner(monkeypatch, ScriptedReasoner(naming))
    run = run_create(tenant=a.tenant, base=a.base, membership=a.member, question="What in June?")
    run_execute(tenant_id=a.tenant.pk, run_id=run.pk)
    before = now(a, run).reason
    assert "a" in before
    document_delete(tenant=a.tenant, document=ingested(a.tenant, a.base, "a.md", "# a\n\nB.\n"))
    assert now(a, run).reason == before


def test_a_reason_of_an_earlier_version_is_said_without_the_title_too(a: Company) -> None:
    document = ingested(a.tenant, a.base, "minerals.md", f"# {MARK}\n\nMined in June.\n")
    conversation = make_conversation(a.tenant, a.base, a.member.user)
    run = make_run(a.tenant, conversation, abstained=True, reason=f"The nearest are: {MARK}.")
    make_event(a.tenant, run, kind="abstained", payload={"reason": run.reason, "nearest": []})
    document_delete(tenant=a.tenant, document=document)
    assert now(a, run).reason == INSUFFICIENT
    assert tables_holding(MARK) == set()


def test_a_document_goes_from_a_reason_that_names_it_behind_the_nearest(
    a: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "# {}\n\nMined in June in the {} mine.\n"
    for number in range(NEAREST + 2):
        ingested(a.tenant, a.base, f"{number}.md", text.format(f"Mine {number}", "old " * number))
    use_reasoner(monkeypatch, ScriptedReasoner(naming))
    run = run_create(tenant=a.tenant, base=a.base, membership=a.member, question="Mined in June?")
    run_execute(tenant_id=a.tenant.pk, run_id=run.pk)
    with tenant_transaction(a.tenant):
        nearest = RunEvent.objects.get(run=run, kind="abstained").payload["nearest"]
        near = {one["document_id"] for one in nearest}
        document = Document.objects.exclude(pk__in=near).first()
    assert document is not None
    assert document.title in now(a, run).reason
    document_delete(tenant=a.tenant, document=document)
    assert now(a, run).reason == INSUFFICIENT


@pytest.mark.django_db(transaction=True)
def test_what_came_near_and_was_deleted_before_the_run_ended_is_not_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    a = make_company("aurora")
    document = ingested(a.tenant, a.base, "minerals.md", f"# {MARK}\n\nMined in June.\n")

    def deleted_meanwhile(question: str, context: Context, signals: Signals) -> Draft:
        document_delete(tenant=a.tenant, document=document)
        return naming(question, context, signals)

    use_reasoner(monkeypatch, ScriptedReasoner(deleted_meanwhile))
    run = run_create(tenant=a.tenant, base=a.base, membership=a.member, question="What in June?")
    run_execute(tenant_id=a.tenant.pk, run_id=run.pk)
    assert now(a, run).reason == INSUFFICIENT
    with tenant_transaction(a.tenant):
        payload = RunEvent.objects.get(run=run, kind="abstained").payload
    assert (payload["nearest"], payload["reason"]) == ([], INSUFFICIENT)


def now(company: Company, run: Run) -> Run:
    with tenant_transaction(company.tenant):
        return Run.objects.get(pk=run.pk)
