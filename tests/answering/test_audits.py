"""Shadow audits: answers of one round, asked once more of the agent in the background."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from knowledge.services.deletion import document_delete
from retrieval.models import ExperienceSettings, Run, ShadowAudit, UsageEntry
from retrieval.services.experience.audit_queue import audits_draw, audits_hand_over, is_drawn
from retrieval.services.experience.auditing import CHANGED, audit_execute
from retrieval.services.experience.calibrating import audit_rate
from retrieval.services.experience.sweeping import experience_sweep
from tests.answering.conftest import BLANK, HANDBOOK, Asking, saying
from tests.experience_factories import make_audit, make_experience_settings
from tests.factories import ingested
from tests.scripted_replies import Call, Fail, Say, say_json

QUESTION = "How long is the warranty of the SL-420?"
QUOTE = "The SL-420 has a warranty of 36 months."
OTHER = "The SL-300 has a warranty of 24 months."
ELSEWHERE = "The travel allowance is 45 euros a day."
READ = Say(calls=(Call("read", {"uris": ["kb://handbook/handbook"]}),))


@pytest.fixture
def audited(asking: Asking) -> Asking:
    """All answers of the base are audited."""
    make_experience_settings(asking.company.tenant, asking.company.base, audit_share=1.0)
    return asking


def answered(asking: Asking, **changes: Any) -> Run:
    asking.script(saying(QUOTE, "It is 36 months [1].", **changes))
    return asking.ask(QUESTION)


def drawn(asking: Asking, run: Run) -> ShadowAudit:
    assert audits_draw(tenant=asking.company.tenant, run_ids=[run.pk]) == 1
    with tenant_transaction(asking.company.tenant):
        return ShadowAudit.objects.get(run=run)


def done(asking: Asking, audit: ShadowAudit) -> ShadowAudit:
    audit_execute(tenant_id=asking.company.tenant.pk, audit_id=audit.pk)
    with tenant_transaction(asking.company.tenant):
        return ShadowAudit.objects.get(pk=audit.pk)


def changed(asking: Asking, audit: ShadowAudit, **fields: Any) -> None:
    with tenant_transaction(asking.company.tenant):
        ShadowAudit.objects.filter(pk=audit.pk).update(**fields)


def test_the_agent_is_asked_the_same_and_its_agreement_is_stored(audited: Asking) -> None:
    run = answered(audited, value="36", unit="months")
    audit = drawn(audited, run)
    audited.script(READ, saying(QUOTE, "36 months [1].", value="36 months"))
    audit = done(audited, audit)
    assert (audit.state, audit.agrees, audit.attempts) == ("done", True, 1)
    assert (audit.answer, audit.paths) == ("36 months [1].", ["handbook/warranty/p1"])
    assert audit.confidence == run.confidence
    assert 0 < (run.confidence or 0) <= 1
    assert audit.tokens


def test_what_an_audit_takes_stands_in_the_ledger_and_is_not_the_askers(audited: Asking) -> None:
    audit = drawn(audited, answered(audited))
    audited.script(READ, saying(QUOTE, "36 months [1]."))
    done(audited, audit)
    with tenant_transaction(audited.company.tenant):
        rows = UsageEntry.objects.filter(purpose="audit")
        assert [(row.run_number, row.user_id) for row in rows] == [(audit.run_id, None)] * 2


@pytest.mark.parametrize(
    ("quote", "value", "agrees"),
    [
        (OTHER, "24 months", False),
        (OTHER, "36 months", True),  # the same number, from elsewhere
        (OTHER, "", True),  # in the same leaf
        (ELSEWHERE, "", False),
        (ELSEWHERE, "three years", False),
    ],
)
def test_another_value_or_other_places_are_a_false_non_escalation(
    audited: Asking, quote: str, value: str, agrees: bool
) -> None:
    run = answered(audited, value="36", unit="months")
    audit = drawn(audited, run)
    audited.script(READ, saying(quote, "So it is [1].", value=value))
    audit = done(audited, audit)
    assert audit.agrees is agrees
    assert audit.reason.endswith(".")
    with tenant_transaction(audited.company.tenant):
        rate = audit_rate(audited.company.base)
    assert (rate.compared, rate.false) == (1, int(not agrees))
    assert rate.rate.low <= rate.rate.mean <= rate.rate.high


def test_an_agent_that_finds_nothing_confirms_nothing(audited: Asking) -> None:
    audit = drawn(audited, answered(audited))
    audited.script(say_json(BLANK))
    audit = done(audited, audit)
    assert (audit.state, audit.agrees, audit.answer) == ("done", None, "")
    with tenant_transaction(audited.company.tenant):
        assert audit_rate(audited.company.base).unclear == 1


def test_an_answer_whose_document_was_deleted_is_not_compared(audited: Asking) -> None:
    run = answered(audited)
    audit = drawn(audited, run)
    tenant = audited.company.tenant
    with tenant_transaction(tenant):
        document = run.citations.select_related("document").get().document
    document_delete(tenant=tenant, document=document)
    ingested(tenant, audited.company.base, "other.md", HANDBOOK)
    audited.script(READ, saying(ELSEWHERE, "45 euros [1]."))
    audit = done(audited, audit)
    assert (audit.state, audit.agrees, audit.reason) == ("done", None, CHANGED)
    with tenant_transaction(tenant):
        assert audit_rate(audited.company.base).compared == 0


def test_the_reader_sees_nothing_of_an_audit(audited: Asking) -> None:
    run = answered(audited)
    audit = drawn(audited, run)
    before = audited.events(run)
    audited.script(READ, saying(ELSEWHERE, "45 euros [1]."))
    done(audited, audit)
    after = audited.reread(run)
    assert (after.answer, after.prompt_tokens) == (run.answer, run.prompt_tokens)
    assert audited.events(run) == before


@pytest.mark.parametrize("preset", ["viking", "adaptive"])
def test_answers_of_the_agent_are_not_audited(audited: Asking, preset: str) -> None:
    blanks = [say_json(BLANK)] * 2 if preset == "adaptive" else []
    audited.script(*blanks, READ, saying(QUOTE, "It is 36 months [1]."))
    run = audited.ask(QUESTION, preset)
    assert audited.quotes(run) == [QUOTE]
    assert audits_draw(tenant=audited.company.tenant, run_ids=[run.pk]) == 0


def test_abstentions_and_answers_without_a_model_are_not_audited(
    audited: Asking, settings: Any
) -> None:
    audited.script(say_json(BLANK))
    abstained = audited.ask(QUESTION)
    settings.LLM_BASE_URL = ""
    extracted = audited.ask(QUESTION)
    runs = [abstained.pk, extracted.pk]
    assert extracted.answer
    assert audits_draw(tenant=audited.company.tenant, run_ids=runs) == 0


@pytest.mark.parametrize(("policy", "audits"), [("off", 0), ("record", 1), ("frozen", 1)])
def test_a_base_without_experience_is_not_audited(asking: Asking, policy: str, audits: int) -> None:
    tenant, base = asking.company.tenant, asking.company.base
    make_experience_settings(tenant, base, audit_share=1.0, policy=policy)
    assert audits_draw(tenant=tenant, run_ids=[answered(asking).pk]) == audits


def test_without_a_share_nothing_is_audited(asking: Asking) -> None:
    make_experience_settings(asking.company.tenant, asking.company.base)
    assert audits_draw(tenant=asking.company.tenant, run_ids=[answered(asking).pk]) == 0


def test_the_share_is_drawn_the_same_each_time_and_is_about_the_share() -> None:
    of_all = [run for run in range(4_000) if is_drawn(1, run, 0.05)]
    assert of_all == [run for run in range(4_000) if is_drawn(1, run, 0.05)]
    assert 150 < len(of_all) < 250
    assert not any(is_drawn(1, run, 0.0) for run in range(100))
    assert all(is_drawn(1, run, 1.0) for run in range(100))


def test_the_sweep_draws_what_has_finished_and_hands_it_to_a_worker_once(audited: Asking) -> None:
    tenant = audited.company.tenant
    run = answered(audited)
    with tenant_transaction(tenant):
        Run.objects.filter(pk=run.pk).update(finished_at=timezone.now() - timedelta(minutes=2))
    experience_sweep(tenant=tenant)
    with tenant_transaction(tenant):
        audit = ShadowAudit.objects.get(run=run)
    assert audit.heartbeat_at is not None
    assert audits_hand_over(tenant=tenant) == 0
    changed(audited, audit, heartbeat_at=timezone.now() - timedelta(minutes=10))
    assert audits_hand_over(tenant=tenant) == 1


def test_a_model_that_fails_is_asked_three_times_and_then_that_is_said(audited: Asking) -> None:
    audit = drawn(audited, answered(audited))
    for attempt in (1, 2, 3):
        audited.script(Fail(400, "no such thing"))
        audit = done(audited, audit)
        assert audit.attempts == attempt
        assert audit.state == ("queued" if attempt < 3 else "failed")
        assert audit.reason
    before = len(audited.server.chats)
    done(audited, audit)
    assert len(audited.server.chats) == before


def test_an_audit_whose_process_was_killed_is_begun_again(audited: Asking) -> None:
    tenant = audited.company.tenant
    audit = drawn(audited, answered(audited))
    long_ago = timezone.now() - timedelta(minutes=2)
    changed(audited, audit, state="running", attempts=1, heartbeat_at=long_ago)
    assert audits_hand_over(tenant=tenant) == 1
    audited.script(READ, saying(QUOTE, "36 months [1]."))
    audit = done(audited, audit)
    assert (audit.state, audit.attempts, audit.agrees) == ("done", 2, True)


def test_an_audit_that_kills_its_process_each_time_is_given_up(audited: Asking) -> None:
    audit = drawn(audited, answered(audited))
    long_ago = timezone.now() - timedelta(minutes=2)
    changed(audited, audit, state="running", attempts=3, heartbeat_at=long_ago)
    assert audits_hand_over(tenant=audited.company.tenant) == 0
    audit = done(audited, audit)
    assert (audit.state, bool(audit.reason)) == ("failed", True)


def test_who_was_given_up_for_dead_writes_nothing_any_more(audited: Asking) -> None:
    audit = drawn(audited, answered(audited))

    def taken_meanwhile(body: Any) -> Say:
        changed(audited, audit, attempts=2)
        connection.close()  # that of the server's thread
        return READ

    audited.script(taken_meanwhile, saying(ELSEWHERE, "45 euros [1]."))
    audit = done(audited, audit)
    assert (audit.state, audit.attempts, audit.agrees) == ("running", 2, None)


def test_a_document_that_changed_since_is_not_compared(audited: Asking) -> None:
    audit = drawn(audited, answered(audited))
    text = HANDBOOK.replace("36 months", "48 months")
    ingested(audited.company.tenant, audited.company.base, "handbook.md", text)
    before = len(audited.server.chats)
    audit = done(audited, audit)
    assert (audit.state, audit.agrees) == ("done", None)
    assert len(audited.server.chats) == before


def test_an_asker_who_may_not_read_the_base_any_more_is_not_audited_for(audited: Asking) -> None:
    tenant, base = audited.company.tenant, audited.company.base
    audit = drawn(audited, answered(audited))
    with tenant_transaction(tenant):
        KnowledgeBase.objects.filter(pk=base.pk).update(visibility="restricted")
    before = len(audited.server.chats)
    audit = done(audited, audit)
    assert audit.state == "failed"
    assert len(audited.server.chats) == before


def test_an_answer_below_the_cut_goes_on_to_the_agent(asking: Asking) -> None:
    make_experience_settings(asking.company.tenant, asking.company.base, cut=1.0)
    asking.script(
        saying(QUOTE, "It is 36 months [1]."), READ, saying(QUOTE, "36 months, it says [1].")
    )
    run = asking.ask(QUESTION, "adaptive")
    assert (run.escalated, run.answer) == (True, "36 months, it says [1].")
    assert "escalated" in dict(asking.events(run))


def test_an_agent_that_finds_nothing_leaves_the_answer_below_the_cut(asking: Asking) -> None:
    make_experience_settings(asking.company.tenant, asking.company.base, cut=1.0)
    asking.script(saying(QUOTE, "It is 36 months [1]."), say_json(BLANK))
    run = asking.ask(QUESTION, "adaptive")
    assert (run.escalated, run.answer) == (True, "It is 36 months [1].")


def test_without_an_agent_the_cut_changes_nothing(asking: Asking) -> None:
    make_experience_settings(asking.company.tenant, asking.company.base, cut=1.0)
    run = answered(asking)
    assert (run.escalated, run.answer) == (False, "It is 36 months [1].")


def test_a_switched_off_base_has_no_cut(asking: Asking) -> None:
    tenant, base = asking.company.tenant, asking.company.base
    make_experience_settings(tenant, base, cut=1.0, policy="off")
    asking.script(saying(QUOTE, "It is 36 months [1]."))
    assert not asking.ask(QUESTION, "adaptive").escalated


def make_audits(asking: Asking, doubtful: int, false: int, sure: int) -> None:
    """Audits of low confidence, some of them of false answers, and right ones of a high one."""
    run = answered(asking)
    with tenant_transaction(asking.company.tenant):
        copies = [
            Run(tenant_id=run.tenant_id, base=run.base, question="?", preset="naive", state="done")
            for _ in range(doubtful + sure)
        ]
        copies = Run.objects.bulk_create(copies)
    for number, copy in enumerate(copies):
        make_audit(
            asking.company.tenant,
            copy,
            state="done",
            agrees=number >= false,
            confidence=0.4 if number < doubtful else 0.8,
        )


def cut_of_the_base(asking: Asking) -> float | None:
    with tenant_transaction(asking.company.tenant):
        return ExperienceSettings.objects.get(base=asking.company.base).cut


def calibrate(capsys: Any, *more: str) -> str:
    call_command("experience", "calibrate", "--tenant", "aurora", "--kb", "handbook", *more)
    return str(capsys.readouterr().out)


def test_calibrating_finds_the_least_cut_that_reaches_the_target(
    audited: Asking, capsys: Any
) -> None:
    make_audits(audited, doubtful=20, false=10, sure=30)
    told = calibrate(capsys)
    assert "50 audits, of which 10" in told
    assert "A cut at 0.800 reaches the target" in told
    assert cut_of_the_base(audited) is None
    calibrate(capsys, "--apply")
    assert cut_of_the_base(audited) == 0.8
    calibrate(capsys, "--apply", "--target", "0.5")
    assert cut_of_the_base(audited) is None


def test_calibrating_with_few_audits_says_so_and_changes_nothing(
    audited: Asking, capsys: Any
) -> None:
    make_audits(audited, doubtful=5, false=5, sure=5)
    assert "Too few audits" in calibrate(capsys, "--apply")
    assert cut_of_the_base(audited) is None


def test_calibrating_where_no_cut_reaches_the_target_says_so(audited: Asking, capsys: Any) -> None:
    make_audits(audited, doubtful=20, false=50, sure=30)
    assert "No cut reaches" in calibrate(capsys, "--apply")
