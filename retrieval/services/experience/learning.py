"""Learning from a finished run: its question, and edges to the leaves that it cited.

Only verified citations of a model's answer teach: rules quote what resembles the question, and a
place that only resembles it must not be read first. A run that its reader has called bad teaches
nothing, nor do evaluations, which make no runs; what it was given in vain loses credit. A place
that an edge led to earns that edge credit and makes no new one, which would only confirm itself
(VikingRAG, Alg. 2: targets minus those reached through an edge).
"""

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone
from pgvector import HalfVector

from accounts.connections import release_connection
from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase, Node
from retrieval.agent.evidence import Hit
from retrieval.agent.extractive import ExtractiveReasoner
from retrieval.models import (
    Citation,
    ExperienceEdge,
    ExperienceQuestion,
    ExperienceSettings,
    Feedback,
    Run,
    RunEvent,
)
from retrieval.models.experience import policy_of
from retrieval.services.experience.crediting import (
    edges_credit,
    edges_uncounted,
    failures_count,
)
from retrieval.services.experience.holding import questions_hold
from retrieval.services.experience.rebinding import edges_rebind
from retrieval.services.experience.slotting import reading
from retrieval.services.scopes import Reader, Scope, ScopeError
from retrieval.services.search import SearchResult, search

SEEDS = 10
MOST_STEPS = 20
MOST_TEACHERS = 10
STORED = ["taught_by", "sources", "content_hash", "stable_key", "version", "state"]
LEASE = timedelta(minutes=10)
"""A process that began to learn from a run so long ago is dead, or its search has failed."""

LEARNING = (ExperienceSettings.Policy.RECORD, ExperienceSettings.Policy.LEARN)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What an answer teaches: its search with the original question, and the leaves it cited.

    ``remembered`` are the edges that count for or against it; ``tokens``, None where unknown, and
    ``rounds`` are what finding it took.
    """

    base: KnowledgeBase
    question: str
    result: SearchResult
    cited: Mapping[str, Node]
    remembered: frozenset[int] = frozenset()
    trace: tuple[dict[str, Any], ...] = ()
    run_number: int | None = None
    tokens: int | None = None
    rounds: int = 0


def run_learn(*, tenant_id: int, run_id: int) -> bool:
    """Learn from a run, once however often it is called; return whether it taught anything.

    The question is searched with no transaction open, by whoever claims the run first. A search
    that fails teaches later: the claim ends with its `LEASE`. Raises EmbeddingError.
    """
    with tenant_transaction(tenant_id):
        run = _teachable(run_id)
    if run is None:
        return False
    question = run.rewritten or run.question
    try:
        result = search(scope=Scope(Reader(tenant_id), run.base), query=question, k=SEEDS)
    except ScopeError:
        return False
    finally:
        release_connection()
    if result.vector.values is None:  # the model of former settings does not answer now
        return False
    with tenant_transaction(tenant_id):
        # Whoever marks the run writes its lesson in the same transaction: all of it, once.
        claimed = Run.objects.filter(pk=run_id, learned_at=None).update(learned_at=timezone.now())
        # The mark waits for a verdict that is just being stored, so it is looked for again.
        negative = Feedback.objects.negative().filter(run=run).exists()
        if not claimed:
            return False
        if negative:
            failures_count(run)
            return False
        return lesson_learn(_lesson(run, question, result))


def question_hash(text: str) -> str:
    """Return the digest under which a question is stored once: of its words, folded."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return hashlib.sha256(folded.encode()).hexdigest()


def _teachable(run_id: int) -> Run | None:
    """Claim the run and return it if it may teach; one that never may is marked as looked through.

    None as well if another process has claimed it.
    """
    now = timezone.now()
    runs = Run.objects.unlearned_since(now - LEASE).filter(pk=run_id)
    run = runs.select_related("base").first()
    if run is None or not runs.update(learning_at=now):
        return None
    negative = Feedback.objects.negative().filter(run=run).exists()
    by_rules = run.reasoner == ExtractiveReasoner.name
    may_learn = not by_rules and policy_of(run.base) in LEARNING
    if run.abstained or negative or not may_learn:
        if may_learn:
            failures_count(run)
        Run.objects.filter(pk=run_id).update(learned_at=now)
        return None
    return run


def _lesson(run: Run, question: str, result: SearchResult) -> Lesson:
    events = RunEvent.objects.filter(run=run, kind__in=("tool", "searched"))
    return Lesson(
        run.base,
        question,
        result,
        leaves_at(_cited(run)),
        edges_uncounted(run),
        _trace(events),
        run_number=run.pk,
        tokens=_tokens(run),
        rounds=run.rounds,
    )


def _tokens(run: Run) -> int | None:
    if run.prompt_tokens is None or run.completion_tokens is None:
        return None
    return run.prompt_tokens + run.completion_tokens


def _cited(run: Run) -> list[tuple[int, str]]:
    """Return version and path of what the run cites, as far as the version is the current one."""
    citations = Citation.objects.filter(run=run).select_related("document")
    return [
        (one.version_id, one.path)
        for one in citations
        if one.version_id == one.document.current_version_id
    ]


def leaves_at(places: Sequence[tuple[int, str]]) -> dict[str, Node]:
    """Return the leaves at these versions and paths, by path."""
    nodes = (
        Node.objects.leaves()
        .filter(
            version__in={version for version, _ in places}, path__in={path for _, path in places}
        )
        .select_related("version")
    )
    wanted = set(places)
    return {node.path: node for node in nodes if (node.version_id, node.path) in wanted}


def _trace(events: Iterable[RunEvent]) -> tuple[dict[str, Any], ...]:
    steps = []
    for event in events:
        if event.kind == "searched":
            steps.append({"tool": "search", "query": event.payload.get("query", "")})
        elif event.kind == "tool":
            steps.append({"tool": event.payload.get("name", ""), **event.payload["arguments"]})
    return tuple(steps[:MOST_STEPS])


def lesson_learn(lesson: Lesson) -> bool:
    """Store what a lesson teaches, in an open transaction; return whether it taught anything."""
    used = ExperienceEdge.objects.filter(pk__in=lesson.remembered)
    asked = Q(base=lesson.base, text_hash=question_hash(lesson.question))
    questions_hold(ExperienceQuestion.objects.filter(asked | Q(pk__in=used.values("question"))))
    reached = edges_credit(used, lesson.cited)
    targets = {path: node for path, node in lesson.cited.items() if path not in reached}
    if not targets:
        return bool(reached)
    question = question_store(
        lesson.base,
        lesson.question,
        lesson.result,
        run_number=lesson.run_number,
        tokens=lesson.tokens,
        rounds=lesson.rounds,
        origin=ExperienceQuestion.Origin.LIVE,
    )
    edges_rebind(lesson.base, [question.pk])  # or a new edge would take an old one's path
    found = [hit.path for hit in lesson.result.hits]
    seen = {
        path
        for path, node in targets.items()
        if any(covers(hit, node) for hit in lesson.result.hits)
    }
    for path, node in targets.items():
        edge_store(
            question,
            node,
            sources=found,
            hop=0 if path in seen else 1,
            trace=lesson.trace,
            run_number=lesson.run_number,
        )
    return True


def covers(hit: Hit, node: Node) -> bool:
    """Return whether a hit shares text with a leaf."""
    return (
        hit.version_id == node.version_id
        and hit.start < node.char_end
        and node.char_start < hit.end
    )


def question_store(
    base: KnowledgeBase, text: str, result: SearchResult, **fields: Any
) -> ExperienceQuestion:
    """Return a question of the base with its vector, made or brought up to date.

    Raises ValueError without a vector.
    """
    if result.vector.values is None:
        raise ValueError("The question has no vector.")
    question, _ = ExperienceQuestion.objects.update_or_create(
        tenant_id=base.tenant_id,
        base=base,
        text_hash=question_hash(text),
        defaults={
            "text": text,
            "embedding_model": result.vector.model,
            "dense": HalfVector(result.vector.values),
            "slots_key": reading(text).key,
            **fields,
        },
    )
    return question


def edge_store(
    question: ExperienceQuestion,
    target: Node,
    *,
    sources: Sequence[str],
    hop: int,
    trace: Sequence[dict[str, Any]] = (),
    run_number: int | None = None,
) -> None:
    """Make the edge from a question to a leaf, or bind it anew; one that was blocked stays so.

    The question is held.
    """
    taught = [] if run_number is None else [run_number]
    edge, is_new = ExperienceEdge.objects.get_or_create(
        tenant_id=question.tenant_id,
        question=question,
        path=target.path,
        defaults={
            "base_id": question.base_id,
            "document_id": target.version.document_id,
            "version_id": target.version_id,
            "stable_key": target.stable_key,
            "content_hash": target.content_hash,
            "sources": list(sources),
            "hop": hop,
            "trace": list(trace),
            "taught_by": taught,
        },
    )
    if is_new:
        return
    edge.taught_by = [*edge.taught_by, *taught][-MOST_TEACHERS:]
    edge.sources = list(dict.fromkeys([*edge.sources, *sources]))[: 2 * SEEDS]
    edge.content_hash, edge.stable_key = target.content_hash, target.stable_key
    edge.version_id = target.version_id
    if edge.state in (ExperienceEdge.State.SUSPECT, ExperienceEdge.State.STALE):
        edge.state = ExperienceEdge.State.ACTIVE
    edge.save(update_fields=STORED)
