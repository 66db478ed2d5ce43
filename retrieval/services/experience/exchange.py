"""Experience from one base to another: out as lines, in again bound to the documents there.

Only edges in use go out. An import makes nothing active that was blocked or disabled in its base,
and changes no edge that is there.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Prefetch
from pgvector import HalfVector

from accounts.connections import release_connection
from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.embedding import EmbeddingError
from knowledge.models import Document, KnowledgeBase, Node
from retrieval.experience.exchange import EdgeLine, MalformedLine, QuestionLine, read_line
from retrieval.models import ExperienceEdge, ExperienceQuestion
from retrieval.services.experience.holding import questions_hold
from retrieval.services.experience.learning import question_hash
from retrieval.services.experience.placing import Leaves
from retrieval.services.experience.slotting import reading
from retrieval.services.search import query_vector

CHUNK = 500


@dataclass(slots=True)
class Imported:
    """How many questions and edges are new, how many edges were there, and what was left out.

    ``malformed`` and ``unbound`` are sentences that name the line.
    """

    questions: int = 0
    edges: int = 0
    known: int = 0
    malformed: list[str] = field(default_factory=list)
    unbound: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Target:
    """A leaf of a current version; ``is_same`` tells whether its text is the edge's."""

    edge: EdgeLine
    document_id: int
    leaf: Node
    is_same: bool


def experience_export(base: KnowledgeBase) -> Iterator[QuestionLine]:
    """Yield the base's questions with their edges in use, in an open transaction."""
    usable = Prefetch("edges", ExperienceEdge.objects.usable().order_by("path"))
    rows = ExperienceQuestion.objects.filter(base=base).order_by("pk").defer("dense")
    for row in rows.prefetch_related(usable).iterator(chunk_size=CHUNK):
        edges = tuple(_edge_line(edge) for edge in row.edges.all())
        if edges:
            yield QuestionLine(row.text, row.origin, edges, row.tokens, row.rounds)


def _edge_line(edge: ExperienceEdge) -> EdgeLine:
    return EdgeLine(
        edge.path,
        edge.stable_key,
        edge.content_hash,
        tuple(edge.sources),
        edge.hop,
        tuple(edge.trace),
    )


def experience_import(*, tenant: Tenant, base: KnowledgeBase, lines: Iterable[bytes]) -> Imported:
    """Store what the lines hold, each in a transaction of its own; a second time nothing is new.

    Raises EmbeddingError where the model of the base does not answer; what came before stays.
    """
    done = Imported()
    for number, raw in enumerate(lines, 1):
        if not raw.strip():
            continue
        try:
            line = read_line(raw)
        except MalformedLine as error:
            done.malformed.append(f"Line {number}: {error}.")
            continue
        _import(tenant, base, line, number, done)
    return done


def _import(
    tenant: Tenant, base: KnowledgeBase, line: QuestionLine, number: int, done: Imported
) -> None:
    with tenant_transaction(tenant):
        targets = [_target(base, edge) for edge in line.edges]
        is_known = _question(base, line) is not None
    bound = [target for target in targets if target]
    for edge, target in zip(line.edges, targets, strict=True):
        if target is None:
            done.unbound.append(f"Line {number}: nothing in this base is {edge.path[:200]}.")
    if not bound:
        return
    columns = None if is_known else _embedded(base, line.question)
    with tenant_transaction(tenant):
        question = _question(base, line)
        if question is None and columns:
            question = _create(base, line, columns)
            done.questions += 1
        if question is None:
            done.unbound.append(f"Line {number}: its question was just deleted here.")
            return
        questions_hold(ExperienceQuestion.objects.filter(pk=question.pk))
        for target in bound:
            is_new = _store(question, target)
            done.edges += is_new
            done.known += not is_new
    release_connection()


def _embedded(base: KnowledgeBase, text: str) -> dict[str, Any]:
    """Return the columns of a question's vector, made with no transaction open."""
    vector = query_vector(base, text)
    if vector.values is None:
        raise EmbeddingError(f"{vector.model}, which made the vectors of the base, is gone")
    return {"embedding_model": vector.model, "dense": HalfVector(vector.values)}


def _question(base: KnowledgeBase, line: QuestionLine) -> ExperienceQuestion | None:
    rows = ExperienceQuestion.objects.filter(base=base, text_hash=question_hash(line.question))
    return rows.defer("dense").first()


def _create(base: KnowledgeBase, line: QuestionLine, columns: dict[str, Any]) -> ExperienceQuestion:
    return ExperienceQuestion.objects.create(
        tenant_id=base.tenant_id,
        base=base,
        text=line.question,
        text_hash=question_hash(line.question),
        slots_key=reading(line.question).key,
        origin=ExperienceQuestion.Origin.IMPORT,
        tokens=line.tokens,
        rounds=line.rounds,
        **columns,
    )


def _target(base: KnowledgeBase, edge: EdgeLine) -> _Target | None:
    """Return the leaf that an edge means: in the document at its path as after a change of it,
    else wherever the base has its text."""
    documents = Document.objects.ready().filter(base=base)
    document = documents.holding(edge.path).first()
    if document is not None and document.current_version_id is not None:
        draft = ExperienceEdge(
            path=edge.path, stable_key=edge.stable_key, content_hash=edge.content_hash
        )
        leaves = Leaves(document.current_version_id, [draft])
        if leaf := leaves.same_text(draft):
            return _Target(edge, document.pk, leaf, is_same=True)
        if leaf := leaves.same_place(draft):
            return _Target(edge, document.pk, leaf, is_same=False)
    current = documents.values("current_version")
    elsewhere = Node.objects.leaves().filter(version__in=current, content_hash=edge.content_hash)
    leaf = elsewhere.select_related("version").order_by("path").first()
    return _Target(edge, leaf.version.document_id, leaf, is_same=True) if leaf else None


def _store(question: ExperienceQuestion, target: _Target) -> bool:
    """Make the edge; return whether it is new."""
    states = ExperienceEdge.State
    _, is_new = ExperienceEdge.objects.get_or_create(
        tenant_id=question.tenant_id,
        question=question,
        path=target.leaf.path,
        defaults={
            "base_id": question.base_id,
            "document_id": target.document_id,
            "version_id": target.leaf.version_id,
            "stable_key": target.leaf.stable_key,
            # Of the text it was learnt from: should it come back, the edge is active again.
            "content_hash": target.edge.content_hash,
            "sources": list(target.edge.sources),
            "hop": target.edge.hop,
            "trace": list(target.edge.trace),
            "state": states.ACTIVE if target.is_same else states.SUSPECT,
        },
    )
    return is_new
