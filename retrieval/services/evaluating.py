"""Evaluation of presets over a pack: the same corpus, questions and reader for all of them.

Nothing is learnt from it and no run is stored: the pipeline is the one that answers people, with
its events counted instead of shown.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import F

from accounts.connections import release_connection
from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase, VersionText
from retrieval.agent.citations import verify
from retrieval.agent.events import Event
from retrieval.agent.evidence import Hit
from retrieval.agent.metering import Meter, Spent
from retrieval.agent.pipeline import MIN_HISTORY, Outcome, Pipeline
from retrieval.agent.presets import Switches
from retrieval.agent.reading import ModelReader, Reader, RuleReader
from retrieval.evaluation.dataset import Question
from retrieval.evaluation.letters import Letters, overlaps
from retrieval.evaluation.outcomes import QuestionOutcome
from retrieval.evaluation.scores import exact_match, token_f1
from retrieval.evaluation.simulated import SimulatedModel
from retrieval.llm.chat import ChatModel
from retrieval.reasoners import current_reasoner
from retrieval.services.ledger import totals
from retrieval.services.retrieving import ScopeRetrieval
from retrieval.services.scopes import Reader as ScopeReader
from retrieval.services.scopes import Scope, base_scope
from retrieval.services.search import search

RANKED = 20
GoldSpan = tuple[int, tuple[int, int]]
"""A document's id, and a span of its letters."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents of a base as letters, by id and by file name."""

    tenant_id: int
    base: KnowledgeBase
    letters: Mapping[int, Letters]
    names: Mapping[str, int]

    def gold_spans(self, question: Question) -> list[tuple[str, GoldSpan]]:
        """Return the question's gold passages that a document holds, with their places."""
        found = []
        for gold in question.evidence:
            named = self.names.get(gold.file)
            ids = [named] if named is not None else list(self.letters) if not gold.file else []
            for document in ids:
                if span := self.letters[document].find(gold.text):
                    found.append((gold.text, (document, span)))
                    break
        return found


def corpus_of(tenant_id: int, base: KnowledgeBase) -> Corpus:
    """Return the texts of a base's current versions."""
    with tenant_transaction(tenant_id):
        rows = list(
            VersionText.objects.filter(
                version__document__base=base, version__document__current_version=F("version")
            ).values_list("version__document_id", "version__document__filename", "content")
        )
    release_connection()
    letters = {document: Letters.of(content) for document, _, content in rows}
    return Corpus(tenant_id, base, letters, {name: document for document, name, _ in rows})


@dataclass(slots=True)
class Evaluation:
    """Questions put to presets. ``kind`` is simulated, extractive or model (then with models).

    ``heard`` gets each outcome, to learn from; ``history`` is what presets with experience need.
    """

    corpus: Corpus
    kind: str
    models: Mapping[str, ChatModel] = field(default_factory=dict)
    heard: Callable[[Question, Outcome, Sequence[Spent]], None] | None = None
    history: int = MIN_HISTORY

    def outcomes(
        self, questions: Sequence[Question], switches: Switches
    ) -> Iterator[QuestionOutcome]:
        """Yield each question's outcome, in order; one that broke names its error."""
        for question in questions:
            yield self._outcome(question, switches)

    def _outcome(self, question: Question, switches: Switches) -> QuestionOutcome:
        gold = self.corpus.gold_spans(question) if question.answerable else []
        spent: list[Spent] = []
        simulated = SimulatedModel(question.text, tuple(text for text, _ in gold), question.answer)
        reader = self._reader(simulated, spent)
        outcome, first, error = None, None, ""
        began = time.monotonic()
        try:
            scope, hits = self._ranked(question)
            first = _first_rank(hits, [place for _, place in gold], self.corpus)
            began = time.monotonic()
            pipeline = Pipeline(
                ScopeRetrieval(scope), reader, switches, _ignore, history=self.history
            )
            outcome = pipeline.run(question.text)
            if self.heard:
                self.heard(question, outcome, spent)
        except Exception as broken:  # a provider's fault of one question must not end the rest
            error = f"{type(broken).__name__}: {broken}"
        finally:
            release_connection()
        seconds = time.monotonic() - began
        return _figures(question, gold, simulated, outcome, spent, first, seconds, error)

    def _ranked(self, question: Question) -> tuple[Scope, tuple[Hit, ...]]:
        """Return the whole base as a scope, and the question's first hits in it."""
        with tenant_transaction(self.corpus.tenant_id):
            scope = base_scope(ScopeReader(self.corpus.tenant_id), self.corpus.base.slug)
        hits = search(scope=scope, query=question.text, k=RANKED).hits
        release_connection()
        return scope, hits

    def _reader(self, simulated: SimulatedModel, spent: list[Spent]) -> Reader:
        if self.kind == "extractive":
            return RuleReader(current_reasoner(self.corpus.tenant_id))
        models = {"answer": simulated} if self.kind == "simulated" else self.models
        return ModelReader(Meter(models, record=spent.append))


def _ignore(event: Event) -> None:
    """Nobody looks on at an evaluation."""


def _first_rank(hits: Sequence[Hit], gold: Sequence[GoldSpan], corpus: Corpus) -> int | None:
    for hit in hits:
        letters = corpus.letters.get(hit.document_id)
        if letters is None:
            continue
        here = letters.span(hit.start, hit.end)
        if any(document == hit.document_id and overlaps(here, span) for document, span in gold):
            return hit.rank
    return None


def _figures(
    question: Question,
    gold: list[tuple[str, GoldSpan]],
    simulated: SimulatedModel,
    outcome: Outcome | None,
    spent: Sequence[Spent],
    first_rank: int | None,
    seconds: float,
    error: str,
) -> QuestionOutcome:
    sufficient = outcome is not None and outcome.attempt.verdict.sufficient
    draft = outcome.attempt.draft if outcome else None
    recall = _recall(simulated, outcome) if gold else None
    citations = outcome.attempt.checked.citations if outcome and sufficient else ()
    said = (draft.value or draft.answer) if draft and sufficient else ""
    passages = [text for text, _ in gold]
    tokens = totals(spent)
    return QuestionOutcome(
        id=question.id,
        answerable=question.answerable,
        has_gold=bool(gold),
        first_rank=first_rank,
        recall=recall,
        exact=bool(said) and exact_match(said, question.answer),
        f1=token_f1(said, question.answer) if said else 0.0,
        abstained=not sufficient,
        citations=len(citations),
        valid_citations=sum(bool(verify(one.quote, one.leaf.text)) for one in citations),
        gold_citations=sum(_is_gold(one.quote, passages) for one in citations),
        prompt_tokens=tokens.prompt,
        completion_tokens=tokens.completion,
        calls=len(spent),
        rounds=outcome.rounds if outcome else 0,
        escalated=bool(outcome and outcome.escalated),
        missed=bool(outcome and sufficient and not outcome.escalated and (recall or 0) < 1),
        seconds=seconds,
        error=error,
        by_phase=_by_phase(spent),
    )


def _recall(simulated: SimulatedModel, outcome: Outcome | None) -> float:
    """Return the share of the gold passages that the reader was shown for its answer, 0 to 1."""
    shown = simulated.shown
    if outcome and not (outcome.by_agent and shown):
        shown = outcome.attempt.context.render()
    return len(simulated.found_in(shown)) / len(simulated.gold)


def _is_gold(quote: str, passages: Sequence[str]) -> bool:
    here = Letters.of(quote)
    return any(
        here.find(passage) or Letters.of(passage).find(quote) for passage in passages if passage
    )


def _by_phase(spent: Sequence[Spent]) -> dict[str, int]:
    phases: dict[str, int] = {}
    for one in spent:
        tokens = (one.usage.prompt or 0) + (one.usage.completion or 0)
        phases[one.purpose] = phases.get(one.purpose, 0) + tokens
    return phases
