"""Evaluation with a history: questions learnt from first, others asked with what was learnt.

It happens in the evaluation's own base, whose experience is forgotten before and frozen after.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from accounts.connections import release_connection
from accounts.tenancy import tenant_transaction
from knowledge.embedding import Vectors
from knowledge.models import KnowledgeBase
from retrieval.agent.metering import Spent
from retrieval.agent.pipeline import Outcome
from retrieval.agent.presets import PRESETS
from retrieval.evaluation.dataset import Question
from retrieval.evaluation.rephrasing import rephrased
from retrieval.experience.matching import tau_of
from retrieval.models import ExperienceEdge, ExperienceQuestion, ExperienceSettings
from retrieval.services.evaluating import Evaluation
from retrieval.services.experience.learning import SEEDS, Lesson, leaves_at, lesson_learn
from retrieval.services.ledger import totals
from retrieval.services.scopes import Reader, base_scope
from retrieval.services.search import query_vector, search

TEACHER = "viking"
"""The preset that the history is answered by, as in the paper."""


@dataclass(frozen=True, slots=True)
class Band:
    """Which questions lie above the tau of the base's model, by their likeness to the history."""

    tau: float
    likeness: tuple[float, ...]

    def above(self, at: int) -> bool:
        """Return whether a stored question is near enough to the question at this place."""
        return self.likeness[at] >= self.tau


def stream_of(
    questions: Sequence[Question], count: int
) -> tuple[tuple[Question, ...], tuple[Question, ...]]:
    """Return the first ``count`` questions, and what is asked afterwards: these in other words,
    then the rest. No text is in both."""
    history = tuple(questions[:count])
    again = (
        replace(one, id=f"{one.id}~", text=rephrased(one.text, number))
        for number, one in enumerate(history)
    )
    return history, (*again, *questions[count:])


def history_learn(evaluation: Evaluation, questions: Sequence[Question]) -> tuple[int, int]:
    """Forget the base's experience and learn it anew; return how many questions and edges it has.

    Each question is answered by the agent, whose verified citations teach as a run's do.
    """
    corpus = evaluation.corpus
    base = corpus.base
    with tenant_transaction(corpus.tenant_id):
        ExperienceQuestion.objects.filter(base=base).delete()
        _policy(base, ExperienceSettings.Policy.LEARN)
    teaching = replace(evaluation, heard=lambda *heard: _learn(base, *heard))
    for _ in teaching.outcomes(questions, PRESETS[TEACHER]):
        pass
    with tenant_transaction(corpus.tenant_id):
        _policy(base, ExperienceSettings.Policy.FROZEN)
        known = ExperienceQuestion.objects.filter(base=base).count()
        edges = ExperienceEdge.objects.filter(base=base).count()
    release_connection()
    return known, edges


def history_forget(base: KnowledgeBase) -> None:
    """Leave experience out of what follows: an earlier evaluation may have learnt the questions."""
    with tenant_transaction(base.tenant_id):
        _policy(base, ExperienceSettings.Policy.OFF)
    release_connection()


def band_of(base: KnowledgeBase, history: Sequence[str], questions: Iterable[str]) -> Band:
    """Return each question's greatest cosine to the history, with the tau of the base's model."""
    known = np.stack([_vector(base, text) for text in history])
    likeness = tuple(float(np.max(known @ _vector(base, text))) for text in questions)
    with tenant_transaction(base.tenant_id):
        base.refresh_from_db()
    release_connection()
    return Band(tau_of(base.serving_model), likeness)


def _vector(base: KnowledgeBase, text: str) -> Vectors:
    values = query_vector(base, text).values
    if values is None:
        raise RuntimeError("The model that made the base's vectors does not answer.")
    return values


def _learn(
    base: KnowledgeBase, question: Question, outcome: Outcome, spent: Sequence[Spent]
) -> None:
    if not outcome.attempt.verdict.sufficient:
        return
    with tenant_transaction(base.tenant_id):
        scope = base_scope(Reader(base.tenant_id), base.slug)
    result = search(scope=scope, query=question.text, k=SEEDS)
    places = [(one.block.version_id, one.leaf.path) for one in outcome.attempt.checked.citations]
    with tenant_transaction(base.tenant_id):
        lesson = Lesson(
            base,
            question.text,
            result,
            leaves_at(places),
            tokens=totals(spent).both,
            rounds=outcome.rounds,
        )
        lesson_learn(lesson)
    release_connection()


def _policy(base: KnowledgeBase, policy: str) -> None:
    ExperienceSettings.objects.update_or_create(
        tenant_id=base.tenant_id, base=base, defaults={"policy": policy}
    )
