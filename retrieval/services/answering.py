"""The road from a question to a stored, checked answer: the pipeline with a journal beside it."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from accounts.connections import release_connection
from accounts.models import Membership
from accounts.tenancy import tenant_transaction
from knowledge.models import Document
from retrieval.agent.budget import Budget
from retrieval.agent.checking import Citation
from retrieval.agent.events import (
    Abstained,
    AnswerSnapshot,
    CitationFound,
    Event,
    Finished,
    Nearest,
    Rewritten,
    Started,
)
from retrieval.agent.evidence import Hit
from retrieval.agent.markers import growing
from retrieval.agent.metering import Meter
from retrieval.agent.pipeline import Outcome, Pipeline
from retrieval.agent.presets import PRESETS
from retrieval.agent.prompting import prompts_hash
from retrieval.agent.reading import PROMPTS, ModelReader, RuleReader
from retrieval.agent.reading import Reader as Reading
from retrieval.agent.reasoner import Draft
from retrieval.agent.sufficiency import INSUFFICIENT
from retrieval.llm.cancellation import Cancellation
from retrieval.model_resolver import models_for
from retrieval.models import Run
from retrieval.models.experience import cut_of
from retrieval.reasoners import current_reasoner
from retrieval.services.followups import turns_before
from retrieval.services.journal import Journal
from retrieval.services.ledger import Ledger
from retrieval.services.quotas import tokens_left
from retrieval.services.retrieving import ScopeRetrieval
from retrieval.services.scopes import Reader, Scope, UnknownBase

NEAREST = 3
VALUE_MAX_LENGTH = 500
SNAPSHOT_S = 0.25
"""While a model writes, its text is stored at most this often."""


class Stopped(Exception):
    """Somebody pressed Stop."""


@dataclass(slots=True)
class _Answering:
    """One run at work."""

    journal: Journal
    run: Run
    reading: Reading
    ledger: Ledger
    began: float
    told: float = 0.0

    def emit(self, event: Event) -> None:
        """Store a step. Raises Stopped."""
        if not self.journal.write(event):
            raise Stopped
        release_connection()  # what comes next may be a model

    def show(self, text: str) -> None:
        """Store the answer as far as it is written: its markers come when they are verified."""
        now = time.monotonic()
        if text and now - self.told > SNAPSHOT_S:
            self.told = now
            self.journal.write(AnswerSnapshot(growing(text)))
            release_connection()  # in the middle of a model's answer


def run_answer(journal: Journal, cancellation: Cancellation) -> None:
    """Answer the claimed run and end it as done.

    Raises Stopped, TokensSpent, UnknownBase when its asker may not see the base any more,
    ModelError, and whatever breaks.
    """
    run = journal.run()
    ledger = Ledger(run)
    work = _Answering(journal, run, _reading(ledger, cancellation), ledger, time.monotonic())
    try:
        _answer(work)
    except BaseException:
        journal.spent(**_tokens(work))
        raise


def _answer(work: _Answering) -> None:
    run = work.run
    scope = Scope(reader_of(run), run.base, run.scope)
    work.emit(Started(run.question, run.preset, work.reading.name, scope.uri))
    question = _standalone(work)
    pipeline = Pipeline(
        ScopeRetrieval(scope),
        work.reading,
        PRESETS[run.preset],
        work.emit,
        work.show,
        settings.EXPERIENCE_MIN_HISTORY,
        _cut(run),
    )
    outcome = pipeline.run(question)
    if outcome.attempt.verdict.sufficient:
        _finish(work, outcome)
    else:
        with tenant_transaction(run.tenant_id):
            _abstain(work, outcome)


def _cut(run: Run) -> float:
    """Return the confidence below which an answer goes on to the agent."""
    with tenant_transaction(run.tenant_id):
        cut = cut_of(run.base)
    release_connection()
    return cut


def _reading(ledger: Ledger, cancellation: Cancellation) -> Reading:
    models = models_for(ledger.run.tenant_id)
    if "answer" not in models:
        return RuleReader(current_reasoner(ledger.run.tenant_id))
    budget = run_budget(ledger.run.tenant_id, ledger.run.user_id)
    return ModelReader(Meter(models, budget, ledger.record, cancellation))


def run_budget(tenant_id: int, user_id: int | None) -> Budget:
    """Return what one question may spend from now on: no more than quotas leave."""
    with tenant_transaction(tenant_id):
        left = tokens_left(user_id)
    tokens = settings.RUN_MAX_TOKENS if left is None else min(left, settings.RUN_MAX_TOKENS)
    return Budget(tokens, settings.RUN_MAX_CALLS, float(settings.RUN_MAX_SECONDS))


def reader_of(run: Run) -> Reader:
    """Return the asker's own eyes: what they may not see any more is not searched for them either.

    Raises UnknownBase when they left the company.
    """
    if run.user_id is None:
        return Reader(run.tenant_id)
    with tenant_transaction(run.tenant_id):
        membership = Membership.objects.filter(user_id=run.user_id).first()
    if membership is None:
        raise UnknownBase(run.base.slug)
    return Reader(run.tenant_id, membership)


def _standalone(work: _Answering) -> str:
    """Return the question as it is searched for: a follow-up is rewritten, and that is shown."""
    run = work.run
    turns = turns_before(run)
    if not turns:
        return run.question
    question = work.reading.rewrite(run.question, turns)
    if question != run.question:
        work.journal.rewritten(question)
        work.emit(Rewritten(question))
    return question


def _finish(work: _Answering, outcome: Outcome) -> None:
    checked = outcome.attempt.checked
    tokens = _tokens(work)
    seconds = time.monotonic() - work.began
    work.journal.end(
        Run.State.DONE,
        AnswerSnapshot(checked.answer),
        *(_found(citation) for citation in checked.citations),
        Finished(
            checked.answer,
            len(checked.citations),
            seconds,
            tokens["prompt_tokens"],
            tokens["completion_tokens"],
        ),
        citations=checked.citations,
        answer=checked.answer,
        **_account(work, outcome),
    )


def _found(citation: Citation) -> CitationFound:
    block = citation.block
    return CitationFound(
        number=citation.number,
        document_id=block.document_id,
        version_id=block.version_id,
        document_title=block.document_title,
        path=citation.leaf.path,
        headings=block.headings,
        page=citation.leaf.page,
        start=citation.start,
        end=citation.end,
        quote=citation.quote,
        match=citation.match,
    )


def _abstain(work: _Answering, outcome: Outcome) -> None:
    kept = _kept(outcome.found.hits)
    nearest = tuple(dict.fromkeys(_nearest(hit) for hit in kept))[:NEAREST]
    verdict = outcome.attempt.verdict
    # The words of the reason may name what was deleted meanwhile.
    why = verdict.reason if len(kept) == len(outcome.found.hits) else ""
    reason = " ".join(filter(None, (why or INSUFFICIENT, outcome.exhausted)))
    missing = outcome.attempt.draft.missing or verdict.missing
    # What a model had begun to write is no answer: the last snapshot takes it back.
    taken_back = (AnswerSnapshot(""),) if work.told else ()
    work.journal.end(
        Run.State.DONE,
        *taken_back,
        Abstained(reason, time.monotonic() - work.began, missing, nearest, _named(why, kept)),
        abstained=True,
        reason=reason,
        **_account(work, outcome),
    )


def _kept(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits of documents that exist, and go on to until the open transaction ends."""
    kept = Document.objects.keep(hit.document_id for hit in hits)
    return [hit for hit in hits if hit.document_id in kept]


def _named(reason: str, hits: Sequence[Hit]) -> tuple[int, ...]:
    """Return the documents of the hits whose titles are in a reason."""
    return tuple(sorted({hit.document_id for hit in hits if hit.document_title in reason}))


def _nearest(hit: Hit) -> Nearest:
    headings = " > ".join((hit.document_title, *hit.headings))
    return Nearest(headings, hit.document_id, hit.section_path)


def _account(work: _Answering, outcome: Outcome) -> dict[str, Any]:
    by_model = isinstance(work.reading, ModelReader)
    return {
        "reasoner": work.reading.name[:100],  # the path of a model's file may be longer
        "rounds": outcome.rounds,
        "escalated": outcome.escalated,
        "value": value_in(outcome.attempt.draft),
        "confidence": outcome.confidence,
        "prompts": prompts_hash(PROMPTS) if by_model else "",
        **_tokens(work),
    }


def value_in(draft: Draft) -> str:
    """Return the answer in its shortest form, with its unit; "" where it has none."""
    unit = "" if draft.unit.casefold() in draft.value.casefold() else draft.unit
    return f"{draft.value} {unit}".strip()[:VALUE_MAX_LENGTH] if draft.value else ""


def _tokens(work: _Answering) -> dict[str, Any]:
    totals = work.ledger.totals()
    return {
        "prompt_tokens": totals.prompt,
        "completion_tokens": totals.completion,
        "cached_tokens": totals.cached,
        "tokens_estimated": totals.estimated,
    }
