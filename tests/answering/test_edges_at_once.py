"""Edges that two change at once: neither change is lost."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import connection

from accounts.tenancy import tenant_transaction
from retrieval.models import ExperienceEdge
from retrieval.services.experience.learning import SEEDS, Lesson, leaves_at, lesson_learn
from retrieval.services.experience.rebinding import edges_rebind
from retrieval.services.experience.switching import edges_block, edges_disable
from retrieval.services.scopes import Reader, Scope
from retrieval.services.search import search
from tests.answering.conftest import HANDBOOK, Asking
from tests.answering.test_experience import QUESTION, TARGET, edges
from tests.answering.test_remembered_places import teach
from tests.factories import ingested

PATIENCE_S = 60


def at_once(asking: Asking, first: Callable[[], object], second: Callable[[], object]) -> None:
    """Let the second begin before the first is committed, each in a transaction of its own."""

    def elsewhere() -> None:
        try:
            with tenant_transaction(asking.company.tenant):
                second()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with tenant_transaction(asking.company.tenant):
            first()
            other = pool.submit(elsewhere)
            until_somebody_waits()
        other.result(PATIENCE_S)


def until_somebody_waits() -> None:
    """Return once a transaction waits for what this one has written."""
    given_up = time.monotonic() + PATIENCE_S
    with connection.cursor() as cursor:
        while time.monotonic() < given_up:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return
            time.sleep(0.05)
    raise AssertionError("nobody waits")


def only_edge() -> ExperienceEdge:
    return ExperienceEdge.objects.get()


def test_two_verdicts_at_once_both_block(asking: Asking) -> None:
    teach(asking, QUESTION, TARGET)
    at_once(asking, lambda: edges_block([only_edge()], 1), lambda: edges_block([only_edge()], 2))
    (edge,) = edges(asking)
    assert edge.blocked_by == [1, 2]


def test_what_is_disabled_while_it_earns_credit_stays_disabled(asking: Asking) -> None:
    teach(asking, QUESTION, TARGET)
    (edge,) = edges(asking)
    base = asking.company.base
    scope = Scope(Reader(asking.company.tenant.pk), base)
    result = search(scope=scope, query=QUESTION, k=SEEDS)

    def learn() -> None:
        cited = leaves_at([(edge.version_id, TARGET)])
        lesson_learn(Lesson(base, QUESTION, result, cited, frozenset({edge.pk})))

    at_once(asking, lambda: edges_disable([only_edge()]), learn)
    (edge,) = edges(asking)
    assert (edge.state, edge.uses) == ("disabled", 1)


def test_what_is_disabled_while_it_is_bound_anew_stays_disabled(asking: Asking) -> None:
    teach(asking, QUESTION, TARGET)
    renamed = HANDBOOK.replace("## Warranty", "## Guarantees")
    ingested(asking.company.tenant, asking.company.base, "handbook.md", renamed)
    at_once(
        asking,
        lambda: edges_disable([only_edge()]),
        lambda: edges_rebind(asking.company.base),
    )
    (edge,) = edges(asking)
    assert (edge.state, edge.path) == ("disabled", "handbook/guarantees/p1")
