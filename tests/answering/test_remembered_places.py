"""Which places are remembered for a question, in which order, and after which changes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

import pytest
from django.utils import timezone
from pgvector import HalfVector

from accounts.tenancy import tenant_transaction
from knowledge.models import Document, KnowledgeBase
from retrieval.models import ExperienceEdge, ExperienceQuestion
from retrieval.services.experience.learning import SEEDS, Lesson, leaves_at, lesson_learn
from retrieval.services.experience.near_questions import NEAREST
from retrieval.services.experience.recalling import Asked, learned, memory_of
from retrieval.services.experience.sweeping import experience_sweep
from retrieval.services.experience.switching import edges_block, edges_disable
from retrieval.services.scopes import Reader, Scope
from retrieval.services.search import search
from tests.answering.conftest import Asking
from tests.answering.test_experience import QUESTION, SIMILAR, TARGET, edges
from tests.factories import ingested

OFFICES = "handbook/offices/p1"
TRAVEL = "handbook/travel/p1"
GATES, LAMPS, KEYS = (
    "The gates of the hall are shut at nine.",
    "The lamps of the hall are checked in May.",
    "The keys of the hall hang at the desk.",
)


def teach(asking: Asking, question: str, *paths: str, remembered: Iterable[int] = ()) -> None:
    """Learn that these leaves answer a question, one after the other."""
    company = asking.company
    result = search(scope=Scope(Reader(company.tenant.pk), company.base), query=question, k=SEEDS)
    for path in paths:
        with tenant_transaction(company.tenant):
            version = Document.objects.get(path=path.split("/")[0]).current_version_id
            assert version is not None
            cited = leaves_at([(version, path)])
            lesson_learn(Lesson(company.base, question, result, cited, frozenset(remembered)))


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


def listed(asking: Asking, *paragraphs: str) -> None:
    """Give the list a version that holds these paragraphs."""
    text = "\n\n".join(("# Hall", *paragraphs))
    ingested(asking.company.tenant, asking.company.base, "hall.md", f"{text}\n")


def bound(asking: Asking) -> list[tuple[str, str]]:
    """Return path and state of each edge, the oldest first."""
    return [(edge.path, edge.state) for edge in edges(asking)]


def test_a_paragraph_above_moves_the_edges_below_it_together(asking: Asking) -> None:
    listed(asking, GATES, LAMPS)
    teach(asking, QUESTION, "hall/p1", "hall/p2")
    listed(asking, KEYS, GATES, LAMPS)
    experience_sweep(tenant=asking.company.tenant)
    assert bound(asking) == [("hall/p2", "active"), ("hall/p3", "active")]
    assert places(asking, QUESTION) == ["hall/p2", "hall/p3"]


def test_two_paragraphs_that_change_places_take_their_edges_along(asking: Asking) -> None:
    listed(asking, GATES, LAMPS)
    teach(asking, QUESTION, "hall/p1", "hall/p2")
    listed(asking, LAMPS, GATES)
    experience_sweep(tenant=asking.company.tenant)
    assert bound(asking) == [("hall/p2", "active"), ("hall/p1", "active")]


def test_of_two_equal_paragraphs_the_one_that_is_left_keeps_one_edge(asking: Asking) -> None:
    listed(asking, GATES, KEYS, GATES)
    teach(asking, QUESTION, "hall/p1", "hall/p3")
    listed(asking, KEYS, GATES)
    assert places(asking, QUESTION) == ["hall/p2"]
    experience_sweep(tenant=asking.company.tenant)
    assert [state for _, state in bound(asking)] == ["active", "stale"]
    listed(asking, GATES, KEYS, GATES)
    assert sorted(places(asking, QUESTION)) == ["hall/p1", "hall/p3"]


def test_of_two_equal_paragraphs_the_edited_one_does_not_take_the_place_of_the_other(
    asking: Asking,
) -> None:
    listed(asking, GATES, KEYS, GATES)
    teach(asking, QUESTION, "hall/p1", "hall/p3")
    with tenant_transaction(asking.company.tenant):
        edges_block(edges(asking)[1:], run_number=1)
    listed(asking, GATES.replace("nine", "ten"), KEYS, GATES)
    experience_sweep(tenant=asking.company.tenant)
    assert bound(asking) == [("hall/p1", "suspect"), ("hall/p3", "blocked")]


def test_an_edited_paragraph_is_suspect_only_where_no_other_edge_has_its_place(
    asking: Asking,
) -> None:
    listed(asking, GATES, LAMPS)
    teach(asking, QUESTION, "hall/p1", "hall/p2")
    listed(asking, KEYS, GATES, LAMPS.replace("May", "June"))
    experience_sweep(tenant=asking.company.tenant)
    (gates, lamps) = bound(asking)
    assert gates == ("hall/p2", "active")
    assert lamps[1] == "stale"


def test_a_disabled_edge_moves_with_its_text_and_stays_disabled(asking: Asking) -> None:
    listed(asking, GATES, LAMPS)
    teach(asking, QUESTION, "hall/p1", "hall/p2")
    with tenant_transaction(asking.company.tenant):
        edges_disable(edges(asking)[1:])
    listed(asking, KEYS, GATES, LAMPS)
    experience_sweep(tenant=asking.company.tenant)
    assert bound(asking) == [("hall/p2", "active"), ("hall/p3", "disabled")]
    teach(asking, QUESTION, "hall/p3")
    assert bound(asking) == [("hall/p2", "active"), ("hall/p3", "disabled")]


def test_a_new_edge_does_not_take_the_path_of_one_whose_text_has_moved(asking: Asking) -> None:
    listed(asking, GATES, LAMPS)
    teach(asking, QUESTION, "hall/p1")
    listed(asking, KEYS, GATES, LAMPS)
    teach(asking, QUESTION, "hall/p1")
    assert bound(asking) == [("hall/p2", "active"), ("hall/p1", "active")]


def test_the_credit_of_an_edge_that_is_used_each_day_fades_as_well(asking: Asking) -> None:
    teach(asking, QUESTION, TARGET)
    half_a_day_ago = timezone.now() - timedelta(hours=12)
    with tenant_transaction(asking.company.tenant):
        ExperienceEdge.objects.update(successes=10.0, credited_at=half_a_day_ago)
    teach(asking, QUESTION, TARGET, remembered=[edge.pk for edge in edges(asking)])
    (edge,) = edges(asking)
    assert edge.successes == pytest.approx(10 * 0.5 ** (0.5 / 90) + 1, abs=1e-3)


def test_after_a_change_of_the_embedding_model_questions_count_once_they_are_embedded_anew(
    asking: Asking,
) -> None:
    tenant, base = asking.company.tenant, asking.company.base
    teach(asking, QUESTION, TARGET)
    former = {"embedding_model": "former", "dense": HalfVector([1.0, 0.0, 0.0])}
    with tenant_transaction(tenant):
        ExperienceQuestion.objects.update(**former)
        assert learned(base, 50) == 0
    assert places(asking, QUESTION) == []
    experience_sweep(tenant=tenant)
    with tenant_transaction(tenant):
        assert learned(base, 50) == 1
    assert places(asking, QUESTION) == [TARGET]


def test_questions_are_embedded_for_no_model_that_does_not_answer(asking: Asking) -> None:
    tenant = asking.company.tenant
    teach(asking, QUESTION, TARGET)
    with tenant_transaction(tenant):
        KnowledgeBase.objects.update(serving_model="gone")
        before = ExperienceQuestion.objects.get().embedding_model
    experience_sweep(tenant=tenant)
    with tenant_transaction(tenant):
        assert ExperienceQuestion.objects.get().embedding_model == before


def test_a_question_that_no_key_was_stored_of_is_found_and_the_sweep_reads_it(
    asking: Asking,
) -> None:
    tenant = asking.company.tenant
    teach(asking, QUESTION, TARGET)
    with tenant_transaction(tenant):
        key = ExperienceQuestion.objects.get().slots_key
        ExperienceQuestion.objects.update(slots_key="")
    assert places(asking, QUESTION) == [TARGET]
    for before in ("", "0:of-other-rules"):
        with tenant_transaction(tenant):
            ExperienceQuestion.objects.update(slots_key=before)
        experience_sweep(tenant=tenant)
        with tenant_transaction(tenant):
            assert ExperienceQuestion.objects.get().slots_key == key


def test_of_many_nearer_questions_with_another_code_none_hides_the_one_that_means_the_same(
    asking: Asking,
) -> None:
    for number in range(NEAREST + 1):
        teach(asking, QUESTION.replace("SL-420", f"SL-{number + 500}"), OFFICES)
    teach(asking, SIMILAR, TARGET)
    assert places(asking, QUESTION) == [TARGET]
