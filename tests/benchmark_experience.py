"""Experience over 40,000 edges: `python -m tests.benchmark_experience [--questions 10000]`.

One base of 10,000 passages with 10,000 stored questions, each with 4 edges. Printed in one run, in
milliseconds: finding passages for a question without experience and with it, what the latter adds,
and the learning of one edge (the transaction, with its commit). A look-up may add 5 ms at p50,
learning may take 50 ms; the exit code says whether they do. *First time* is what a look-up adds in
a process that has not read the stored questions yet: it remembers what 20,000 of them say.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from knowledge.models import KnowledgeBase, Node
    from retrieval.models import ExperienceEdge, ExperienceQuestion
    from retrieval.services.scopes import Scope

EDGES = 4
LEAVES, SECTIONS = 10_000, 100
BATCH = 1_000
LOOK_UP_MS, LEARN_MS = 5.0, 50.0
SEED = 8
WARMING = 5
"""First measurements that are left out: they fill caches."""
WHAT = "warranty weight price torque voltage range lifetime supplier colour capacity"
THING = "pump valve sensor motor filter heater gauge relay bracket console"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmark_experience")
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=60, help="of each measurement")
    parser.add_argument("--embedder", default="hashing", choices=("bundled", "hashing"))
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "CAIRN_ENV_FILE": "off",
            "CAIRN_DATA_DIR": folder,
            "CAIRN_EMBEDDER": given.embedder,
            "DATABASE_URL": "",
        }
        scope, leaves = prepared()
        learnt(scope.base, leaves, given.questions)
        return measured(scope, leaves, given.times)


def subject(number: int) -> str:
    what, thing = WHAT.split(), THING.split()
    return f"{what[number % 10]} of the {thing[number // 10 % 10]} SL-{number // 100}"


def prepared() -> tuple[Scope, list[Node]]:
    """Make the database with a base of many passages; return it with its leaves."""
    from config import embedded_database, first_run
    from config.env import read_environment, select_settings

    environment = read_environment()
    first_run.prepare(environment)
    embedded_database.ensure_running(environment.data_dir, durable=True)
    select_settings()
    import django
    from django.conf import settings

    # As a web process does (config/wsgi.py): connections are given back before each wait.
    settings.DATABASES["default"]["OPTIONS"] = {"pool": settings.DATABASE_POOL}
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from accounts.tenancy import tenant_transaction
    from knowledge.models import Node
    from retrieval.services.scopes import Reader, Scope
    from tests.factories import ingested, make_company

    company = make_company("aurora")
    for first in range(0, LEAVES, SECTIONS):
        text = "\n\n".join(
            f"## The {subject(number)}\n\nThe {subject(number)} is {number + 7} units."
            for number in range(first, first + SECTIONS)
        )
        name = f"manual-{first // SECTIONS}"
        ingested(company.tenant, company.base, f"{name}.md", f"# {name}\n\n{text}\n")
    with tenant_transaction(company.tenant):
        leaves = list(Node.objects.leaves().select_related("version__document").order_by("pk"))
        company.base.refresh_from_db()
    return Scope(Reader(company.tenant.pk, company.member), company.base), leaves


def learnt(base: KnowledgeBase, leaves: Sequence[Node], questions: int) -> None:
    """Store the questions and their edges."""
    from pgvector import HalfVector

    from accounts.tenancy import tenant_transaction
    from knowledge.embedder import current_embedder
    from retrieval.models import ExperienceEdge, ExperienceQuestion
    from retrieval.services.experience.learning import question_hash
    from retrieval.services.experience.slotting import reading

    embedder = current_embedder()
    for first in range(0, questions, BATCH):
        texts = [f"What is the {subject(n)}?" for n in range(first, first + BATCH)]
        vectors = [embedder.query(text) for text in texts]
        with tenant_transaction(base.tenant_id):
            stored = ExperienceQuestion.objects.bulk_create(
                ExperienceQuestion(
                    tenant_id=base.tenant_id,
                    base=base,
                    text=text,
                    text_hash=question_hash(text),
                    slots_key=reading(text).key,
                    embedding_model=embedder.name,
                    dense=HalfVector(vector),
                )
                for text, vector in zip(texts, vectors, strict=True)
            )
            ExperienceEdge.objects.bulk_create(
                edge_to(question, leaves[(number + 97 * step) % len(leaves)])
                for number, question in enumerate(stored, first)
                for step in range(EDGES)
            )


def edge_to(question: ExperienceQuestion, leaf: Node) -> ExperienceEdge:
    from retrieval.models import ExperienceEdge

    return ExperienceEdge(
        tenant_id=question.tenant_id,
        base_id=question.base_id,
        question=question,
        document_id=leaf.version.document_id,
        version_id=leaf.version_id,
        path=leaf.path,
        stable_key=leaf.stable_key,
        content_hash=leaf.content_hash,
    )


def measured(scope: Scope, leaves: Sequence[Node], times: int) -> int:
    """Measure and print; return 1 where a target is missed."""
    from django.db import connection

    from retrieval.models import ExperienceEdge
    from retrieval.services.search import search

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    drawn = np.random.default_rng(SEED).integers(LEAVES, size=times)
    asked = [f"Tell me what the {subject(int(number))} is" for number in drawn]
    found: list[int] = []
    _, first = looked_up(scope, asked, found)
    without, adds = looked_up(scope, asked, found)
    lessons = timed(_lesson(scope, search, leaves, n) for n in range(times))
    with _transaction(scope):
        edges = ExperienceEdge.objects.count()
    print(f"{edges:,} edges, {LEAVES:,} passages, {np.mean(found):.1f} places a look-up")
    shown("without", without)
    shown("with", [search_ms + more_ms for search_ms, more_ms in zip(without, adds, strict=True)])
    shown("adds", adds, LOOK_UP_MS)
    shown("first time", first)
    shown("learning", lessons, LEARN_MS)
    return int(np.median(adds) > LOOK_UP_MS or np.median(lessons) > LEARN_MS)


def shown(name: str, values: Sequence[float], limit: float | None = None) -> None:
    """Print the quantiles of milliseconds, with the limit of the first."""
    low, high = np.quantile(values, [0.5, 0.95])
    most = f"  at most {limit:.0f} ms at p50" if limit else ""
    print(f"{name:>10}  p50 {low:7.2f} ms  min {min(values):7.2f}  p95 {high:7.2f}{most}")


def looked_up(
    scope: Scope, asked: Sequence[str], found: list[int]
) -> tuple[list[float], list[float]]:
    """Return the milliseconds of finding passages for each question, and what a look-up adds.

    The two share the question's vector whichever comes first, so the look-up that comes second
    takes just what is added; both meet the same load.
    """
    from retrieval.services.retrieving import ScopeRetrieval

    without, adds = [], []
    for question in asked:
        retrieval = ScopeRetrieval(scope)
        began = time.perf_counter()
        retrieval.find((question,), 10, "none")
        between = time.perf_counter()
        memory = retrieval.recall(question, "direct", 2, 1_500)
        adds.append(1_000 * (time.perf_counter() - between))
        without.append(1_000 * (between - began))
        found.append(len(memory.shortcuts))
    return without[WARMING:], adds[WARMING:]


def timed(calls: Iterator[Callable[[], object]]) -> list[float]:
    """Return the milliseconds of each call but the first ones, which fill caches."""
    took = []
    for call in calls:
        began = time.perf_counter()
        call()
        took.append(1_000 * (time.perf_counter() - began))
    return took[WARMING:]


def _transaction(scope: Scope) -> Any:
    from accounts.tenancy import tenant_transaction

    return tenant_transaction(scope.reader.tenant_id)


def _lesson(
    scope: Scope, search: Callable[..., Any], leaves: Sequence[Node], number: int
) -> Callable[[], object]:
    from retrieval.services.experience.learning import Lesson, lesson_learn

    question = f"Which is the {subject(number)} in winter?"
    result = search(scope=scope, query=question, k=10)
    leaf = leaves[number]
    lesson = Lesson(scope.base, question, result, {leaf.path: leaf})

    def learn() -> None:
        with _transaction(scope):
            lesson_learn(lesson)

    return learn


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
