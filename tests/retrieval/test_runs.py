"""A question from asking to its stored end, whatever comes in between."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import GroupMember, Membership
from accounts.tenancy import tenant_transaction
from knowledge.embedding import EmbeddingUnavailable
from knowledge.embedding.hashing import HashingEmbedder
from knowledge.models import Document, Node
from knowledge.services.bases import base_delete
from knowledge.services.deletion import document_delete
from retrieval.agent.evidence import Context
from retrieval.agent.reasoner import Draft, Quote, Signals
from retrieval.models import Citation, Conversation, Run, RunEvent
from retrieval.services.runs import QuestionRefused, run_create, run_execute, run_stop
from retrieval.services.streaming import StreamFrame, run_stream
from retrieval.services.sweeping import answers_sweep
from tests.doubles import QuotingReasoner, ScriptedReasoner, use_reasoner
from tests.factories import Company, ingested, make_base, make_membership, make_tenant
from tests.retrieval.conftest import Library, library_of

QUESTION = "When does the office open?"
ANSWER = "The office opens at nine."


def asked(company: Company, membership: Membership | None = None, **fields) -> Run:
    return run_create(
        tenant=company.tenant,
        base=fields.pop("base", company.base),
        membership=membership or company.member,
        question=fields.pop("question", QUESTION),
        **fields,
    )


def executed(run: Run) -> Run:
    run_execute(tenant_id=run.tenant_id, run_id=run.pk)
    return now(run)


def now(run: Run) -> Run:
    with tenant_transaction(run.tenant_id):
        return Run.objects.select_related("conversation").get(pk=run.pk)


def kinds(run: Run) -> list[str]:
    with tenant_transaction(run.tenant_id):
        events = list(RunEvent.objects.filter(run=run).order_by("number"))
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    return [event.kind for event in events]


@pytest.fixture
def quoting(monkeypatch: pytest.MonkeyPatch) -> None:
    use_reasoner(monkeypatch, QuotingReasoner("nine"))


def test_a_question_ends_with_an_answer_its_events_and_a_pinned_citation(
    library: Library, quoting: None
) -> None:
    run = executed(asked(library.company))
    assert (run.state, run.answer, run.reasoner) == ("done", f"{ANSWER} [1]", "scripted")
    assert run.finished_at is not None
    assert not run.abstained
    steps = ["started", "searched", "assembled", "drafted", "judged"]
    assert kinds(run) == [*steps, "answer", "citation", "finished"]
    with tenant_transaction(run.tenant_id):
        citation = Citation.objects.select_related("version__document").get(run=run)
        text = citation.version.text.get().content
        assert citation.quote == ANSWER == text[citation.char_start : citation.char_end]
        assert citation.version_id == library.documents["handbook.md"].current_version_id
        assert (citation.path, citation.match) == ("handbook/hours/p1", "exact")


def test_a_first_question_opens_a_conversation_and_a_follow_up_joins_it(a: Company) -> None:
    first = asked(a, question="  When does\n the office   open? ")
    assert first.question == QUESTION
    conversation = now(first).conversation
    assert (conversation.title, conversation.user_id) == (QUESTION, a.member.user_id)
    second = asked(a, question="And on Sundays?", conversation=conversation)
    assert second.conversation_id == conversation.pk
    with tenant_transaction(a.tenant):
        assert Conversation.objects.get().updated_at > conversation.updated_at


@pytest.mark.parametrize("question", ["", "  \n ", "x" * 4001])
def test_an_empty_or_endless_question_is_refused_with_a_sentence(a: Company, question: str) -> None:
    with pytest.raises(QuestionRefused, match=r"\.$"):
        asked(a, question=question)
    with tenant_transaction(a.tenant):
        assert not Run.objects.exists()
        assert not Conversation.objects.exists()


def test_a_second_execute_does_nothing(library: Library, quoting: None) -> None:
    run = executed(asked(library.company))
    events = kinds(run)
    run_execute(tenant_id=run.tenant_id, run_id=run.pk)
    assert kinds(run) == events
    assert now(run).finished_at == run.finished_at
    run_execute(tenant_id=run.tenant_id, run_id=10**9)


def test_another_companys_run_is_not_executed(library: Library, b: Company) -> None:
    run = asked(library.company)
    run_execute(tenant_id=b.tenant.pk, run_id=run.pk)
    assert now(run).state == "queued"


def test_insufficient_evidence_ends_in_an_abstention_with_what_came_nearest(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_reasoner(monkeypatch, QuotingReasoner("xylophone"))
    run = executed(asked(library.company))
    assert (run.state, run.abstained, run.answer) == ("done", True, "")
    assert run.reason == "Nothing about that was found."
    assert kinds(run)[-1] == "abstained"
    with tenant_transaction(run.tenant_id):
        payload = RunEvent.objects.get(run=run, kind="abstained").payload
        assert payload["missing"] == ["it"]
        assert 0 < len(payload["nearest"]) <= 3
        for near in payload["nearest"]:
            document = Document.objects.get(pk=near["document_id"])
            assert near["headings"].split(" > ")[0] == document.title
            assert Node.objects.filter(version=document.current_version, path=near["path"]).exists()
        assert not Citation.objects.exists()


@pytest.mark.parametrize(
    "draft",
    [
        Draft("The office opens at nine. [1]", (Quote(1, "The office opens at eleven."),)),
        Draft("The office opens at nine. [9]", (Quote(1, ANSWER),)),
        Draft("The office opens at 11. [1]", (Quote(1, ANSWER),)),
        Draft("The office opens at nine.", ()),
        Draft("The office opens at nine. [1]", (Quote(99, ANSWER),)),
    ],
)
def test_an_answer_without_a_quote_that_holds_is_not_shown(
    library: Library, monkeypatch: pytest.MonkeyPatch, draft: Draft
) -> None:
    use_reasoner(monkeypatch, ScriptedReasoner(lambda question, context, signals: draft))
    run = executed(asked(library.company))
    assert (run.state, run.abstained, run.answer) == ("done", True, "")
    with tenant_transaction(run.tenant_id):
        assert not Citation.objects.exists()


def test_a_run_stopped_before_it_began_is_never_answered(library: Library) -> None:
    run = asked(library.company)
    run_stop(tenant=library.company.tenant, run=run)
    run = executed(run)
    assert (run.state, run.reason) == ("stopped", "Stopped.")
    assert kinds(run) == []


def test_a_run_stopped_on_its_way_ends_without_an_answer(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = asked(library.company)

    def stopped_meanwhile(question: str, context: Context, signals: Signals) -> Draft:
        run_stop(tenant=library.company.tenant, run=run)
        return QuotingReasoner("nine").answer(question, context, signals)

    use_reasoner(monkeypatch, ScriptedReasoner(stopped_meanwhile))
    run = executed(run)
    assert (run.state, run.answer) == ("stopped", "")
    with tenant_transaction(run.tenant_id):
        assert not Citation.objects.exists()


def test_stopping_a_finished_run_changes_nothing(library: Library, quoting: None) -> None:
    run = executed(asked(library.company))
    run_stop(tenant=library.company.tenant, run=run)
    again = now(run)
    assert (again.state, again.stop_requested, again.answer) == ("done", False, run.answer)


def test_a_failure_ends_with_a_sentence_and_a_reference_and_its_trace_in_the_log(
    library: Library, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(question: str, context: Context, signals: Signals) -> Draft:
        raise RuntimeError("secret detail")

    use_reasoner(monkeypatch, ScriptedReasoner(broken))
    run = executed(asked(library.company))
    assert run.state == "failed"
    assert run.reason.startswith("Something went wrong while answering (")
    assert "secret detail" not in run.reason
    assert run.reason.partition("(")[2][:8] in caplog.text
    assert kinds(run)[-1] == "failed"


def test_an_embedder_that_does_not_answer_ends_with_a_sentence(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(self: HashingEmbedder, text: str) -> None:
        raise EmbeddingUnavailable("http://10.0.0.1 refused")

    monkeypatch.setattr(HashingEmbedder, "query", silent)
    run = executed(asked(library.company))
    assert run.state == "failed"
    assert run.reason.endswith(".")
    assert "10.0.0.1" not in run.reason


def lose_group(company: Company) -> None:
    with tenant_transaction(company.tenant):
        GroupMember.objects.all().delete()


def lose_membership(company: Company) -> None:
    with tenant_transaction(company.tenant):
        Membership.objects.filter(pk=company.insider.pk).delete()


@pytest.mark.parametrize("lose", [lose_group, lose_membership])
def test_who_lost_access_after_asking_gets_no_answer(a: Company, quoting: None, lose) -> None:
    ingested(a.tenant, a.restricted, "secret.md", f"# Secret\n\n{ANSWER}\n")
    run = asked(a, a.insider, base=a.restricted)
    lose(a)
    run = executed(run)
    assert (run.state, run.answer) == ("failed", "")
    assert run.reason == "There is no knowledge base board-papers."
    with tenant_transaction(a.tenant):
        assert not RunEvent.objects.filter(kind="searched").exists()


def test_a_base_deleted_after_asking_takes_its_runs_along(library: Library) -> None:
    run = asked(library.company)
    base_delete(tenant=library.company.tenant, base=library.base)
    run_execute(tenant_id=run.tenant_id, run_id=run.pk)
    with tenant_transaction(run.tenant_id):
        assert not Run.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_document_deleted_while_it_is_quoted_leaves_no_answer_without_a_source(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tenant = make_tenant()
    base = make_base(tenant)
    document = ingested(tenant, base, "handbook.md", f"# Handbook\n\n{ANSWER}\n")

    def deleted_meanwhile(question: str, context: Context, signals: Signals) -> Draft:
        document_delete(tenant=tenant, document=document)
        return QuotingReasoner("nine").answer(question, context, signals)

    use_reasoner(monkeypatch, ScriptedReasoner(deleted_meanwhile))
    run = executed(run_create(tenant=tenant, base=base, membership=None, question=QUESTION))
    assert run.state == "failed"
    assert run.reason
    with tenant_transaction(run.tenant_id):
        assert not Citation.objects.exists()
        assert not RunEvent.objects.filter(payload__icontains=ANSWER).exists()


def frames(run: Run) -> list[StreamFrame]:
    return list(run_stream(tenant_id=run.tenant_id, run_id=run.pk))


def test_a_finished_run_is_replayed_from_its_stored_events_as_often_as_asked(
    library: Library, quoting: None
) -> None:
    run = executed(asked(library.company))
    first = frames(run)
    assert [frame.kind for frame in first] == [*["step"] * 5, "answer", "answer", "step", "done"]
    assert first[0].text == "Searching"
    assert first[5].answer == f"{ANSWER} [1]"
    assert (first[5].citations, first[6].citations) == ((), (1,))
    assert first[7].text == "Answered with 1 verified quote"
    assert frames(run) == first


def test_a_failed_a_stopped_and_an_absent_run_end_their_stream(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(question: str, context: Context, signals: Signals) -> Draft:
        raise RuntimeError

    use_reasoner(monkeypatch, ScriptedReasoner(broken))
    failed = executed(asked(library.company))
    assert frames(failed)[-1].kind == "failed"
    stopped = asked(library.company)
    run_stop(tenant=library.company.tenant, run=stopped)
    assert [frame.kind for frame in frames(stopped)] == ["done"]
    with tenant_transaction(failed.tenant_id):
        Run.objects.filter(pk=stopped.pk).delete()
    assert [frame.kind for frame in frames(stopped)] == ["done"]


def test_a_run_whose_process_crashed_is_marked_interrupted_for_who_follows_it(
    library: Library,
) -> None:
    run = asked(library.company)
    with tenant_transaction(run.tenant_id):
        Run.objects.filter(pk=run.pk).update(
            state="running", claim="c", heartbeat_at=timezone.now() - timedelta(hours=1)
        )
    assert answers_sweep(tenant=library.company.tenant) == 1
    assert [frame.kind for frame in frames(run)] == ["done"]
    assert now(run).state == "interrupted"


@pytest.mark.django_db(transaction=True)
def test_no_connection_is_held_while_the_embedder_or_the_reasoner_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tenant = make_tenant()
    base = make_base(tenant)
    membership = make_membership(tenant)
    ingested(tenant, base, "handbook.md", f"# Handbook\n\n{ANSWER}\n")
    held: dict[str, bool] = {}
    query = HashingEmbedder.query

    def spied(self: HashingEmbedder, text: str):
        held["embedder"] = connection.connection is not None
        return query(self, text)

    def watching(question: str, context: Context, signals: Signals) -> Draft:
        held["reasoner"] = connection.connection is not None
        return QuotingReasoner("nine").answer(question, context, signals)

    monkeypatch.setattr(HashingEmbedder, "query", spied)
    use_reasoner(monkeypatch, ScriptedReasoner(watching))
    run = run_create(tenant=tenant, base=base, membership=membership, question=QUESTION)
    # The whole road: claimed by the stream, executed in the pool of threads.
    seen = []
    for frame in run_stream(tenant_id=tenant.pk, run_id=run.pk):
        held["stream"] = held.get("stream", False) or connection.connection is not None
        seen.append(frame.kind)
    assert seen[-1] == "done"
    assert "answer" in seen
    assert held == {"embedder": False, "reasoner": False, "stream": False}


def test_a_run_of_one_company_finds_nothing_of_the_other(
    a: Company, b: Company, quoting: None
) -> None:
    library_of(b)
    run = executed(asked(a))
    assert run.abstained
    with tenant_transaction(a.tenant):
        assert RunEvent.objects.get(kind="searched").payload["hits"] == 0
