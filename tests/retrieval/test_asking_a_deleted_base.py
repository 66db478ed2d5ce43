"""Asking a base at the moment it is deleted: refused or taken along, never an error."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from django.db import connection

from accounts.connections import release_connection
from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from knowledge.services.bases import base_delete
from retrieval.models import Conversation, Run
from retrieval.services.runs import QuestionRefused, run_create
from tests.factories import Company, make_company, make_conversation

pytestmark = pytest.mark.django_db(transaction=True)


def ask(company: Company) -> Run:
    return run_create(
        tenant=company.tenant, base=company.base, membership=company.member, question="Why?"
    )


def meanwhile(act: Callable[[], object]) -> tuple[threading.Thread, list[Exception]]:
    """Start `act` in a thread of its own and return when it waits for a lock."""
    errors: list[Exception] = []

    def run() -> None:
        try:
            act()
        except Exception as error:
            errors.append(error)
        finally:
            release_connection()

    thread = threading.Thread(target=run)
    thread.start()
    deadline = time.monotonic() + 30
    while thread.is_alive() and not _somebody_waits() and time.monotonic() < deadline:
        time.sleep(0.02)
    return thread, errors


def _somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted")
        return cursor.fetchone() is not None


def test_a_question_during_the_deletion_of_its_base_is_refused_with_a_sentence() -> None:
    company = make_company("aurora")
    with tenant_transaction(company.tenant):
        base_delete(tenant=company.tenant, base=company.base)
        thread, errors = meanwhile(lambda: ask(company))
    thread.join()
    assert [type(error) for error in errors] == [QuestionRefused]
    assert str(errors[0]).endswith(".")


def test_a_question_just_before_the_deletion_goes_with_its_base() -> None:
    company = make_company("aurora")
    with tenant_transaction(company.tenant):
        ask(company)
        thread, errors = meanwhile(lambda: base_delete(tenant=company.tenant, base=company.base))
    thread.join()
    assert errors == []
    with tenant_transaction(company.tenant):
        assert not Run.objects.exists()
        assert not KnowledgeBase.objects.filter(pk=company.base.pk).exists()


def test_asking_does_not_wait_for_a_document_that_is_being_published() -> None:
    company = make_company("aurora")
    with tenant_transaction(company.tenant):
        KnowledgeBase.objects.lock(company.base.pk)
        thread, errors = meanwhile(lambda: ask(company))
        thread.join(timeout=30)
        assert not thread.is_alive()
    assert errors == []


def test_a_follow_up_to_a_deleted_conversation_is_refused_with_a_sentence(a: Company) -> None:
    conversation = make_conversation(a.tenant, a.base, a.member.user)
    with tenant_transaction(a.tenant):
        Conversation.objects.all().delete()
    with pytest.raises(QuestionRefused, match=r"\.$"):
        run_create(
            tenant=a.tenant,
            base=a.base,
            membership=a.member,
            question="Why?",
            conversation=conversation,
        )
