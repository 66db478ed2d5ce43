"""Cold start: questions made up for each section, as experience before anybody has asked.

Where the target of a question is among the first hits of a search for it, an edge would add
nothing, and the question is dropped. A section whose text has been worked on is not again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import IntegrityError

from accounts.connections import release_connection
from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.embedding import EmbeddingError
from knowledge.models import Document, KnowledgeBase, Node
from retrieval.agent.budget import Budget, BudgetExhausted
from retrieval.agent.metering import Meter, Spent
from retrieval.agent.section_questions import MadeUp, questions_in, request_for, templated
from retrieval.llm.errors import ModelError
from retrieval.llm.objects import parse_object
from retrieval.model_resolver import models_for
from retrieval.models import ExperienceQuestion, GeneratedSection
from retrieval.models.experience import policy_of
from retrieval.services.experience.learning import (
    LEARNING,
    SEEDS,
    covers,
    edge_store,
    question_hash,
    question_store,
)
from retrieval.services.experience.sections import BaseSection, sections_in
from retrieval.services.ledger import totals, usage_record
from retrieval.services.scopes import Reader, Scope, UnknownBase
from retrieval.services.search import SearchResult, search

BUDGET = 100_000
PER_SECTION = 3
PRUNED_RANK = 3
"""A target among so many first hits is found without an edge."""

MOST_FAILURES = 3
"""Sections in a row that the model fails at before it is taken for broken."""

TEMPLATES = "templates"
NOT_LEARNING = "Experience of this base is {}: nothing may be learnt."
WORDS_ONLY = "The model that made the base's vectors does not answer."
BASE_GONE = "The knowledge base was deleted meanwhile."


class GenerationRefused(ValueError):
    """Nothing may be generated; the message says why."""


@dataclass(slots=True)
class Generated:
    """What came of it. ``by`` is the model's name or TEMPLATES; ``skipped`` sections were worked
    on before; ``stopped`` says why the rest was left, '' where nothing was. ``tokens`` is None
    where a call's are unknown."""

    by: str
    sections: int = 0
    made: int = 0
    pruned: int = 0
    skipped: int = 0
    failed: int = 0
    tokens: int | None = 0
    stopped: str = ""


def questions_generate(
    *, tenant: Tenant, base: KnowledgeBase, budget: int = BUDGET, per_section: int = PER_SECTION
) -> Generated:
    """Make up questions for the base's sections, at most so many each, within ``budget`` tokens.

    What was made before it stopped, was killed or ran out of tokens is kept, and the next call goes
    on from there. Raises GenerationRefused.
    """
    with tenant_transaction(tenant):
        policy = policy_of(base)
    if policy not in LEARNING:
        raise GenerationRefused(NOT_LEARNING.format(policy))
    return _Generating(tenant, base, budget, per_section).run()


@dataclass(slots=True)
class _Generating:
    tenant: Tenant
    base: KnowledgeBase
    budget: int
    per_section: int
    spent: list[Spent] = field(default_factory=list, init=False)
    failures: int = field(default=0, init=False)

    def run(self) -> Generated:
        ask, name = self._asking()
        outcome = Generated(name)
        try:
            for section in sections_in(self.base):
                if self._is_known(section):
                    outcome.skipped += 1
                    continue
                self._work(section, ask, outcome)
                if outcome.stopped:
                    break
        except UnknownBase:
            outcome.stopped = BASE_GONE
        except (BudgetExhausted, EmbeddingError) as error:
            outcome.stopped = str(error)
        finally:
            release_connection()
        outcome.tokens = totals(self.spent).both
        return outcome

    def _work(
        self, section: BaseSection, ask: Callable[[BaseSection], Any], outcome: Generated
    ) -> None:
        try:
            questions = ask(section)
        except ModelError as error:
            outcome.failed += 1
            self.failures += 1
            outcome.stopped = str(error) if self.failures >= MOST_FAILURES else ""
            return
        self.failures = 0
        kept, pruned = self._pruned(section, questions)
        made = self._store(section, kept, pruned)
        if made is not None:
            outcome.sections += 1
            outcome.made += made
            outcome.pruned += pruned

    def _asking(self) -> tuple[Callable[[BaseSection], Sequence[MadeUp]], str]:
        """Return what makes up the questions of a section, and its name."""
        models = models_for(self.tenant)
        if "answer" not in models:
            return (lambda section: templated(section.text, self.per_section)), TEMPLATES
        meter = Meter(models, Budget(self.budget, final_reserve=0), self._record)

        def ask(section: BaseSection) -> Sequence[MadeUp]:
            reply = meter.complete(request_for(section.text, self.per_section), role="cheap")
            data = reply.data if reply.data is not None else parse_object(reply.text)
            return questions_in(data, section.text, self.per_section)

        return ask, (models.get("cheap") or models["answer"]).name

    def _record(self, spent: Spent) -> None:
        self.spent.append(spent)
        usage_record(self.tenant.pk, spent, base_slug=self.base.slug)

    def _is_known(self, section: BaseSection) -> bool:
        with tenant_transaction(self.tenant):
            rows = GeneratedSection.objects.filter(base=self.base)
            known = rows.filter(content_hash=section.content_hash).exists()
        release_connection()
        return known

    def _pruned(
        self, section: BaseSection, questions: Sequence[MadeUp]
    ) -> tuple[list[tuple[MadeUp, SearchResult]], int]:
        """Return the questions whose target a search does not find, and how many it finds."""
        scope = Scope(Reader(self.tenant.pk), self.base)
        kept, pruned = [], 0
        for one in questions:
            result = search(scope=scope, query=one.question, k=SEEDS)
            release_connection()
            if result.vector.values is None:
                raise EmbeddingError(WORDS_ONLY)
            if any(covers(hit, section.leaves[one.passage]) for hit in result.hits[:PRUNED_RANK]):
                pruned += 1
            else:
                kept.append((one, result))
        return kept, pruned

    def _store(
        self, section: BaseSection, kept: Sequence[tuple[MadeUp, SearchResult]], pruned: int
    ) -> int | None:
        """Store a section's questions with their edges and return how many are made up.

        All, or nothing and None if it has changed.
        """
        version = section.leaves[0].version
        try:
            with tenant_transaction(self.tenant):
                current = Document.objects.filter(current_version=version)
                if not current.filter(base=self.base).exists():
                    return None
                made = sum(
                    self._learn(one.question, section.leaves[one.passage], result)
                    for one, result in kept
                )
                GeneratedSection.objects.get_or_create(
                    tenant=self.tenant,
                    base=self.base,
                    content_hash=section.content_hash,
                    defaults={"made": made, "pruned": pruned},
                )
        except IntegrityError:  # deleted in this moment
            return None
        return made

    def _learn(self, text: str, leaf: Node, result: SearchResult) -> bool:
        """Store a question with its edge, unless somebody has asked it; return whether it was."""
        digest = question_hash(text)
        stored = ExperienceQuestion.objects.filter(base=self.base, text_hash=digest)
        if stored.exclude(origin=ExperienceQuestion.Origin.SYNTHETIC).exists():
            return False  # what was verified counts for more
        question = question_store(
            self.base, text, result, origin=ExperienceQuestion.Origin.SYNTHETIC
        )
        is_found = any(covers(hit, leaf) for hit in result.hits)
        sources = [hit.path for hit in result.hits]
        edge_store(question, leaf, sources=sources, hop=0 if is_found else 1)
        return True
