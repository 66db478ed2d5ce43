"""Runs: made by a question, executed once, stopped on request.

Errors: QuestionRefused, with a sentence for the person who asked.
"""

import logging
import uuid

from django.db import IntegrityError
from django.utils import timezone

from accounts.models import Membership, Tenant
from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from retrieval.agent.budget import BudgetExhausted
from retrieval.llm.errors import Cancelled, ModelError
from retrieval.model_resolver import has_model
from retrieval.models import Conversation, Run
from retrieval.preset_choice import PresetRefused, preset_of, preset_require
from retrieval.services.answering import Stopped, run_answer
from retrieval.services.heartbeat import beating
from retrieval.services.journal import Journal
from retrieval.services.quotas import TokensSpent, tokens_left
from retrieval.services.scopes import ScopeError

logger = logging.getLogger(__name__)

QUESTION_MAX_LENGTH = 4_000
TITLE_MAX_LENGTH = 200


class QuestionRefused(ValueError):
    """The question cannot be asked; the message says why."""


def run_create(
    *,
    tenant: Tenant,
    base: KnowledgeBase,
    membership: Membership | None,
    question: str,
    conversation: Conversation | None = None,
    scope_path: str = "",
    preset: str | None = None,
) -> Run:
    """Return a queued run; a member's first question opens a conversation.

    ``preset`` is remembered with the conversation, '' being the base's; with None the question is
    answered as the conversation's last choice says. Raises QuestionRefused.
    """
    text = _question(question)
    _require(tenant, preset)
    with tenant_transaction(tenant):
        if not KnowledgeBase.objects.keep(base.pk):
            raise QuestionRefused("This knowledge base was deleted meanwhile.")
        if conversation is None and membership is not None:
            conversation = _opened(base, membership, text, preset)
        elif conversation is not None:
            _go_on(conversation, preset)
        chosen = conversation.preset if preset is None and conversation else preset or ""
        _require_tokens(tenant, membership)
        return Run.objects.create(
            tenant=tenant,
            base=base,
            conversation=conversation,
            user_id=membership.user_id if membership else None,
            question=text,
            scope=scope_path,
            preset=preset_of(tenant, chosen, base.preset),
        )


def _question(written: str) -> str:
    text = " ".join(written.split())
    if not text:
        raise QuestionRefused("Please write a question.")
    if len(text) > QUESTION_MAX_LENGTH:
        most, length = f"{QUESTION_MAX_LENGTH:,}", f"{len(text):,}"
        raise QuestionRefused(f"A question has at most {most} characters; this one has {length}.")
    return text


def _require(tenant: Tenant, preset: str | None) -> None:
    try:
        if preset:
            preset_require(tenant, preset)
    except PresetRefused as refused:
        raise QuestionRefused(str(refused)) from refused


def _require_tokens(tenant: Tenant, membership: Membership | None) -> None:
    """Refuse a question that no token is left for, where a model would answer it."""
    if not has_model(tenant):
        return
    try:
        tokens_left(membership.user_id if membership else None)
    except TokensSpent as spent:
        raise QuestionRefused(str(spent)) from spent


def _title(question: str) -> str:
    """Return the question, or its beginning up to a word, with a sign that it goes on."""
    if len(question) <= TITLE_MAX_LENGTH:
        return question
    start = question[: TITLE_MAX_LENGTH - 1]
    words, _, part = start.rpartition(" ")
    return (words if len(part) < 50 else start) + "…"


def _opened(
    base: KnowledgeBase, membership: Membership, question: str, preset: str | None
) -> Conversation:
    return Conversation.objects.create(
        tenant_id=base.tenant_id,
        base=base,
        user_id=membership.user_id,
        title=_title(question),
        preset=preset or "",
    )


def _go_on(conversation: Conversation, preset: str | None) -> None:
    """Move a conversation to the top, with the choice that was made, if one was."""
    if preset is not None:
        conversation.preset = preset
    rows = Conversation.objects.filter(pk=conversation.pk)
    if not rows.update(updated_at=timezone.now(), preset=conversation.preset):
        raise QuestionRefused("This conversation was deleted meanwhile.")


def run_execute(*, tenant_id: int, run_id: int) -> None:
    """Answer a queued run and store everything; return at once if it is not queued any more.

    Raises nothing: whatever goes wrong ends on the run's own row.
    """
    journal = _claim(tenant_id, run_id)
    if journal is None:
        return
    try:
        with beating(journal) as cancellation:
            run_answer(journal, cancellation)
    except (Stopped, Cancelled):
        journal.end(Run.State.STOPPED, reason="Stopped.")
    except (ScopeError, ModelError, BudgetExhausted, TokensSpent) as error:
        journal.fail(str(error))
    except IntegrityError:
        journal.fail("A document was deleted while the answer quoted it. Please ask again.")
    except Exception:
        reference = uuid.uuid4().hex[:8]
        logger.exception("Run %s failed, reference %s.", run_id, reference)
        journal.fail(f"Something went wrong while answering ({reference}). Please try again.")


def run_stop(*, tenant: Tenant, run: Run) -> None:
    """Ask a run to stop; one that nobody has begun ends at once, a finished one stays as it is."""
    now = timezone.now()
    with tenant_transaction(tenant):
        waiting = Run.objects.filter(pk=run.pk, state=Run.State.QUEUED)
        if not waiting.update(state=Run.State.STOPPED, reason="Stopped.", finished_at=now):
            Run.objects.filter(pk=run.pk, state=Run.State.RUNNING).update(stop_requested=True)


def _claim(tenant_id: int, run_id: int) -> Journal | None:
    token, now = uuid.uuid4().hex, timezone.now()
    with tenant_transaction(tenant_id):
        claimed = Run.objects.filter(pk=run_id, state=Run.State.QUEUED).update(
            state=Run.State.RUNNING, claim=token, started_at=now, heartbeat_at=now
        )
    return Journal(tenant_id, run_id, token) if claimed else None
