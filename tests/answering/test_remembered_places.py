"""Which places are remembered for a question, in which order, and after which changes."""

from __future__ import annotations

from accounts.tenancy import tenant_transaction
from knowledge.models import Document
from retrieval.services.experience.learning import SEEDS, Lesson, leaves_at, lesson_learn
from retrieval.services.experience.recalling import Asked, memory_of
from retrieval.services.scopes import Reader, Scope
from retrieval.services.search import search
from tests.answering.conftest import Asking
from tests.answering.test_experience import QUESTION, SIMILAR, TARGET

OFFICES = "handbook/offices/p1"
TRAVEL = "handbook/travel/p1"


def teach(asking: Asking, question: str, *paths: str, run_number: int | None = None) -> None:
    """Learn that these leaves answer a question, one after the other."""
    company = asking.company
    result = search(scope=Scope(Reader(company.tenant.pk), company.base), query=question, k=SEEDS)
    for path in paths:
        with tenant_transaction(company.tenant):
            version = Document.objects.get(path=path.split("/")[0]).current_version_id
            assert version is not None
            cited = leaves_at([(version, path)])
            lesson_learn(Lesson(company.base, question, result, cited, run_number=run_number))


def places(asking: Asking, question: str) -> list[str]:
    """Return the paths that are remembered for a question, the best first."""
    company = asking.company
    scope = Scope(Reader(company.tenant.pk), company.base)
    vector = search(scope=scope, query=question, k=SEEDS).vector
    with tenant_transaction(company.tenant):
        memory = memory_of(scope, Asked(question, vector), entry="direct", hops=1, tokens=9_999)
    return [one.path for one in memory.shortcuts]


def test_a_place_that_several_similar_questions_confirm_is_not_put_back(asking: Asking) -> None:
    teach(asking, QUESTION, TARGET, OFFICES)
    teach(asking, SIMILAR, TARGET, TRAVEL)
    assert places(asking, QUESTION) == [TARGET, OFFICES, TRAVEL]
