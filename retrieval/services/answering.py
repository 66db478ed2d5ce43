"""The road from a question to a checked answer: retrieve, assemble, answer, check."""

import time
from dataclasses import dataclass
from typing import Any

from accounts.connections import release_connection
from accounts.models import Membership
from accounts.tenancy import tenant_transaction
from retrieval.agent.assembly import assemble
from retrieval.agent.checking import Checked, check
from retrieval.agent.events import (
    Abstained,
    AnswerSnapshot,
    Assembled,
    CitationFound,
    Finished,
    Nearest,
    Searched,
    Started,
)
from retrieval.agent.evidence import Context, Hit
from retrieval.agent.reasoner import Draft, Signals
from retrieval.models import Run
from retrieval.reasoners import current_reasoner
from retrieval.services.evidence import sections_of
from retrieval.services.journal import Journal
from retrieval.services.scopes import Reader, Scope, UnknownBase
from retrieval.services.search import SearchResult, search

HITS = 16
"""KohakuRAG's default (arXiv 2603.07612); a third of the token cap on short passages."""

NEAREST = 3
UNVERIFIED = "An answer was found, but its quotes could not be verified in the documents."


class Stopped(Exception):
    """Somebody pressed Stop."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    draft: Draft
    checked: Checked
    found: SearchResult
    seconds: float


def run_answer(journal: Journal) -> None:
    """Answer the claimed run and end it as done.

    Raises Stopped, UnknownBase when its asker may not see the base any more, and whatever breaks.
    """
    began = time.monotonic()
    run = journal.run()
    reasoner = current_reasoner()
    scope = Scope(_reader(run), run.base, run.scope)
    journal.write(Started(run.question, run.preset, reasoner.name, scope.uri))
    found = search(scope=scope, query=run.question, k=HITS)
    journal.write(_searched(found))
    _go_on(journal)
    context = _assemble(scope, found)
    journal.write(Assembled(len(context.blocks), context.tokens))
    release_connection()
    draft = reasoner.answer(run.question, context, _signals(found))
    checked = check(draft, context)
    _go_on(journal)
    outcome = _Outcome(draft, checked, found, time.monotonic() - began)
    if draft.sufficient and checked.holds:
        _finish(journal, reasoner.name, outcome)
    else:
        _abstain(journal, reasoner.name, outcome)


def _reader(run: Run) -> Reader:
    """The asker's own eyes: what they may not see any more is not searched for them either."""
    if run.user_id is None:
        return Reader(run.tenant_id)
    with tenant_transaction(run.tenant_id):
        membership = Membership.objects.filter(user_id=run.user_id).first()
    if membership is None:
        raise UnknownBase(run.base.slug)
    return Reader(run.tenant_id, membership)


def _go_on(journal: Journal) -> None:
    if journal.stop_requested():
        raise Stopped


def _assemble(scope: Scope, found: SearchResult) -> Context:
    with tenant_transaction(scope.reader.tenant_id):
        sections = sections_of(found.hits)
    return assemble(found.hits, sections)


def _searched(found: SearchResult) -> Searched:
    return Searched(
        query=found.query,
        hits=len(found.hits),
        tokens=sum(hit.tokens for hit in found.hits),
        documents=tuple(dict.fromkeys(hit.document_title for hit in found.hits)),
    )


def _signals(found: SearchResult) -> Signals:
    return Signals(
        hits=found.hits,
        queries=(found.query,),
        document_frequency=found.document_frequency,
        entries=found.entries,
        languages=found.languages,
        background=found.background,
    )


def _finish(journal: Journal, reasoner: str, outcome: _Outcome) -> None:
    checked = outcome.checked
    journal.write(AnswerSnapshot(checked.answer))
    for citation in checked.citations:
        block = citation.block
        journal.write(
            CitationFound(
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
        )
    journal.end(
        Run.State.DONE,
        Finished(checked.answer, len(checked.citations), outcome.seconds, 0, 0),
        checked.citations,
        answer=checked.answer,
        reasoner=reasoner,
        **_no_model(),
    )


def _abstain(journal: Journal, reasoner: str, outcome: _Outcome) -> None:
    nearest = tuple(dict.fromkeys(_nearest(hit) for hit in outcome.found.hits))[:NEAREST]
    reason = outcome.draft.reason or UNVERIFIED
    journal.end(
        Run.State.DONE,
        Abstained(reason, outcome.seconds, outcome.draft.missing, nearest),
        abstained=True,
        reason=reason,
        reasoner=reasoner,
        **_no_model(),
    )


def _nearest(hit: Hit) -> Nearest:
    headings = " > ".join((hit.document_title, *hit.headings))
    return Nearest(headings, hit.document_id, hit.section_path)


def _no_model() -> dict[str, Any]:
    """One round of retrieval; no model was called, so its tokens are a true zero."""
    return {"rounds": 1, "prompt_tokens": 0, "completion_tokens": 0, "cached_tokens": 0}
