"""The sweep that learns: it keeps nobody waiting, stops for nobody, and does nothing twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.tenancy import tenant_transaction
from knowledge.embedding import EmbeddingError
from retrieval.models import Run
from retrieval.services.experience import learning
from retrieval.services.experience.sweeping import experience_sweep
from retrieval.services.search import search
from retrieval.services.sweeping import SILENCE
from retrieval.tasks import sweep
from tests.answering.conftest import Asking, saying
from tests.answering.test_experience import ANSWER, QUESTION, QUOTE, SIMILAR, edges
from tests.factories import make_company, make_run


def answered(asking: Asking, *questions: str) -> list[Run]:
    """Return answered runs whose readers had time to object."""
    runs = []
    for question in questions:
        asking.script(saying(QUOTE, ANSWER))
        runs.append(asking.ask(question))
    with tenant_transaction(asking.company.tenant):
        Run.objects.update(finished_at=timezone.now() - timedelta(minutes=2))
    return runs


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Have each search of what is learnt preceded by something; return the list of questions."""

    def preceded_by(before: Callable[[str], object]) -> list[str]:
        questions: list[str] = []

        def searching(**arguments: Any) -> Any:
            questions.append(arguments["query"])
            before(arguments["query"])
            return search(**arguments)

        monkeypatch.setattr(learning, "search", searching)
        return questions

    return preceded_by


def failing(error: Exception, question: str) -> Callable[[str], None]:
    def fail(asked: str) -> None:
        if asked == question:
            raise error

    return fail


def taught(asking: Asking) -> list[str]:
    return [edge.question.text for edge in edges(asking)]


def test_dead_answers_of_every_tenant_are_marked_before_anything_is_learnt(
    asking: Asking, searched: Callable[..., list[str]]
) -> None:
    answered(asking, QUESTION)
    other = make_company("borealis").tenant
    dead = make_run(other, state=Run.State.RUNNING, heartbeat_at=timezone.now() - 2 * SILENCE)
    states = []

    def look(_: str) -> None:
        with tenant_transaction(other):
            states.append(Run.objects.get(pk=dead.pk).state)
        raise RuntimeError("made up")

    searched(look)
    sweep()
    assert states == [Run.State.INTERRUPTED]


def test_a_run_that_cannot_be_learnt_from_keeps_no_other_from_teaching(
    asking: Asking, searched: Callable[..., list[str]]
) -> None:
    answered(asking, QUESTION, SIMILAR)
    searched(failing(RuntimeError("made up"), QUESTION))
    experience_sweep(tenant=asking.company.tenant)
    assert taught(asking) == [SIMILAR]


def test_while_the_embedder_is_away_one_run_is_tried_and_the_next_sweep_tries_another(
    asking: Asking, searched: Callable[..., list[str]]
) -> None:
    answered(asking, QUESTION, SIMILAR)
    asked = searched(failing(EmbeddingError("away"), QUESTION))
    experience_sweep(tenant=asking.company.tenant)
    assert (asked, taught(asking)) == ([QUESTION], [])
    experience_sweep(tenant=asking.company.tenant)
    assert (asked, taught(asking)) == ([QUESTION, SIMILAR], [SIMILAR])


def test_a_search_that_failed_is_made_again_later(
    asking: Asking, searched: Callable[..., list[str]]
) -> None:
    answered(asking, QUESTION)
    searched(failing(EmbeddingError("away"), QUESTION))
    experience_sweep(tenant=asking.company.tenant)
    searched(lambda _: None)
    with tenant_transaction(asking.company.tenant):
        Run.objects.update(learning_at=timezone.now() - 2 * learning.LEASE)
    experience_sweep(tenant=asking.company.tenant)
    assert taught(asking) == [QUESTION]


def test_two_sweeps_at_once_search_each_question_once(
    asking: Asking, searched: Callable[..., list[str]]
) -> None:
    answered(asking, QUESTION)
    asked = searched(lambda _: experience_sweep(tenant=asking.company.tenant))
    experience_sweep(tenant=asking.company.tenant)
    assert (asked, taught(asking)) == ([QUESTION], [QUESTION])
