"""Hybrid search of a scope: dense and lexical leg, fused, with what documents the question names.

How it ranks, and why, is measured in docs/decisions/0002-retrieval-ranking.md.
"""

import logging
from dataclasses import dataclass
from pathlib import PurePosixPath

from django.db.models import Avg
from pgvector import HalfVector, SparseVector
from pgvector.django import CosineDistance, MaxInnerProduct

from accounts.connections import release_connection
from accounts.tenancy import tenant_transaction
from knowledge.embedder import current_embedder, serving_embedder, waits_for_server
from knowledge.embedding import EmbeddingError, Vectors
from knowledge.lexical import DIMENSIONS, dimension, query_terms, query_weights
from knowledge.models import Document, DocumentVersion, IndexEntry, KnowledgeBase
from knowledge.models.index import IndexEntryQuerySet
from knowledge.services.serving import words_only_note
from knowledge.services.statistics import document_frequencies
from retrieval.agent.evidence import Hit
from retrieval.ranking import (
    Fused,
    NamedDocuments,
    Scored,
    named_documents,
    score_fusion,
    with_document_prior,
    with_named_documents,
)
from retrieval.services.computing import ANSWERS
from retrieval.services.places import entries_at
from retrieval.services.scopes import Scope, base_of

logger = logging.getLogger(__name__)

CANDIDATES = 100
"""Entries asked of each leg before fusion; score fusion wants the same number from both."""


@dataclass(frozen=True, slots=True)
class QueryVector:
    """A question's vector, d, by the model that serves the base; None where that is gone."""

    model: str
    values: Vectors | None

    @property
    def plan(self) -> str:
        """How the index is read with it."""
        if self.values is not None:
            return "exact"
        return f"by words only: {self.model}, which made the vectors, does not answer"


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits best first, with what the search knows about the base for whoever judges them.

    `plan` tells how the index was read; `entries` counts those of the whole base, and
    `background` is the question's mean cosine with them (None without any).
    """

    query: str
    hits: tuple[Hit, ...]
    plan: str
    entries: int
    languages: tuple[str, ...]
    document_frequency: dict[int, int]
    background: float | None
    vector: QueryVector


@dataclass(frozen=True, slots=True)
class Legs:
    """The two rankings before fusion, by entry id."""

    dense: list[Scored[int]]
    lexical: list[Scored[int]]


def search(
    *,
    scope: Scope,
    query: str,
    k: int = 10,
    vector: QueryVector | None = None,
    named_first: bool = False,
) -> SearchResult:
    """Return the k best entries of the scope for a question.

    ``vector`` is the question's, if it is known. Documents that the question names rise; with
    ``named_first`` passages of those it singles out are the first half of the k. Must not be
    called inside a transaction: the question is embedded in between. Raises EmbeddingError and
    UnknownBase.
    """
    while (result := _searched(scope, query, k, vector, named_first)) is None:
        logger.info("The base %s changed its embedding model during a search.", scope.base.pk)
    return result


def _searched(
    scope: Scope, query: str, k: int, known: QueryVector | None, named_first: bool
) -> SearchResult | None:
    """Return the result; None if the base began to be served by another model meanwhile."""
    tenant_id = scope.reader.tenant_id
    with tenant_transaction(tenant_id):
        before = base_of(scope)
        named = _named(scope, query)
    vector = known if known and known.model == before.serving_model else query_vector(before, query)
    rest_vector = query_vector(before, named.rest) if named.documents else None
    with ANSWERS.taken(), tenant_transaction(tenant_id):
        base = base_of(scope)
        languages = _languages(base)
        frequencies, weights = query_weights_of(base, query, languages)
        fused = fuse(search_legs(scope, vector, weights))
        if rest_vector is not None:
            _, rest_weights = query_weights_of(base, named.rest, languages)
            # Many documents that share a name would leave no room for the one that is meant.
            alone = [named.singled_out] if named_first and named.singled_out else []
            inside = [
                search_legs(scope, rest_vector, rest_weights, documents)
                for documents in (*alone, named.documents)
            ]
            fused = _fuse_named(fused, inside, named.singled_out, k // 2 if named_first else 0)
        hits = hits_of(base, fused[:k])
        background = _background(base, vector)
        if base_of(scope).serving_model != before.serving_model:
            return None
        words_only_note(base, is_so=vector.values is None)
    return SearchResult(
        query,
        hits,
        vector.plan,
        base.entry_count,
        tuple(languages),
        frequencies,
        background,
        vector,
    )


def query_vector(base: KnowledgeBase, query: str) -> QueryVector:
    """Return the question's vector, with no connection held meanwhile.

    Where a server makes it, the turn at computing is given back before the wait.
    A model of former settings that does not answer gives one without values: the words find
    something all the same. Raises EmbeddingError when the configured one does not.
    """
    release_connection()
    if waits_for_server(base):
        ANSWERS.give_back()
    embedder = serving_embedder(base)
    if embedder is None:
        return QueryVector(base.serving_model, None)
    try:
        return QueryVector(embedder.name, embedder.query(query))
    except EmbeddingError:
        if embedder.name == current_embedder().name:
            raise
        logger.warning("%s serves a base and does not answer.", embedder.name, exc_info=True)
        return QueryVector(embedder.name, None)


def query_weights_of(
    base: KnowledgeBase, query: str, languages: list[str]
) -> tuple[dict[int, int], dict[int, float]]:
    """Return document frequencies and BM25 weights of the question's terms, by dimension."""
    words = query_terms(query, languages)
    frequencies = document_frequencies(base, sorted({dimension(word) for word in words}))
    return frequencies, query_weights(words, frequencies, base.entry_count)


def search_legs(
    scope: Scope,
    vector: QueryVector,
    weights: dict[int, float],
    documents: frozenset[int] | None = None,
) -> Legs:
    """Return both legs' candidates, of these documents only if any are given.

    In an open transaction.
    """
    entries = entries_at(scope.base, scope.path)
    if documents is not None:
        entries = entries.filter(document_id__in=documents)
    return Legs(_dense(entries, vector), _lexical(entries, weights))


def _dense(entries: IndexEntryQuerySet, vector: QueryVector) -> list[Scored[int]]:
    """Cosine, over the entries that the question's model embedded."""
    if vector.values is None:
        return []
    rows = (
        entries.filter(embedding_model=vector.model)
        .annotate(distance=CosineDistance("dense", HalfVector(vector.values)))
        .order_by("distance", "pk")
        .values_list("pk", "distance")[:CANDIDATES]
    )
    return [Scored(pk, 1 - distance) for pk, distance in rows]


def _background(base: KnowledgeBase, vector: QueryVector) -> float | None:
    """Return how near the question is to anything at all in the base: the mean cosine."""
    if vector.values is None:
        return None
    entries = IndexEntry.objects.current().filter(base=base, embedding_model=vector.model)
    distance = CosineDistance("dense", HalfVector(vector.values))
    mean = entries.aggregate(mean=Avg(distance))["mean"]
    return None if mean is None else 1 - mean


def _lexical(entries: IndexEntryQuerySet, weights: dict[int, float]) -> list[Scored[int]]:
    """BM25 as an inner product; entries that share no term with the question are no hits."""
    if not weights:
        return []
    rows = (
        entries.annotate(negative=MaxInnerProduct("lexical", SparseVector(weights, DIMENSIONS)))
        .filter(negative__lt=0)
        .order_by("negative", "pk")
        .values_list("pk", "negative")[:CANDIDATES]
    )
    return [Scored(pk, -negative) for pk, negative in rows]


def _named(scope: Scope, query: str) -> NamedDocuments[int]:
    """Return which documents of the scope the question calls by title or file name."""
    return named_documents(query, names_in(scope))


def names_in(scope: Scope) -> list[tuple[int, str]]:
    """Return the documents of the scope with what each is called. In an open transaction."""
    documents = Document.objects.ready().filter(base=scope.base).at(scope.path)
    rows = list(documents.values_list("pk", "title", "filename"))
    names = [(pk, title) for pk, title, _ in rows]
    return names + [(pk, PurePosixPath(filename).stem) for pk, _, filename in rows]


def fuse(legs: Legs) -> list[Fused[int]]:
    """Return the hits of both legs as one ranking. In an open transaction."""
    fused = score_fusion([legs.dense, legs.lexical])
    documents = _documents_of(fused)
    return with_document_prior(_still_there(fused, documents), documents.__getitem__)


def _fuse_named(
    fused: list[Fused[int]], inside: list[Legs], singled_out: frozenset[int], first: int
) -> list[Fused[int]]:
    named = [hit for legs in inside for hit in score_fusion([legs.dense, legs.lexical])]
    documents = _documents_of([*fused, *named])
    return with_named_documents(
        _still_there(fused, documents),
        _still_there(named, documents),
        documents.__getitem__,
        singled_out,
        first=first,
    )


def _still_there(hits: list[Fused[int]], documents: dict[int, int]) -> list[Fused[int]]:
    """Return the hits whose entries exist: another version may just have been published."""
    return [hit for hit in hits if hit.id in documents]


def _documents_of(hits: list[Fused[int]]) -> dict[int, int]:
    ids = {hit.id for hit in hits}
    return dict(IndexEntry.objects.filter(pk__in=ids).values_list("pk", "document_id"))


def _languages(base: KnowledgeBase) -> list[str]:
    versions = DocumentVersion.objects.current().filter(document__base=base)
    return sorted(set(versions.values_list("language", flat=True)))


def hits_of(base: KnowledgeBase, fused: list[Fused[int]]) -> tuple[Hit, ...]:
    """Return what was found with its place, ranked in this order. In an open transaction."""
    ids = [hit.id for hit in fused]
    rows = IndexEntry.objects.select_related("node", "document", "version").in_bulk(ids)
    present = [found for found in fused if found.id in rows]
    return tuple(
        _hit(base, rows[found.id], found, rank) for rank, found in enumerate(present, start=1)
    )


def _hit(base: KnowledgeBase, entry: IndexEntry, found: Fused[int], rank: int) -> Hit:
    dense, lexical = found.scores
    return Hit(
        entry_id=entry.pk,
        document_id=entry.document_id,
        version_id=entry.version_id,
        document_title=entry.document.title,
        base_slug=base.slug,
        section_path=entry.node.path,
        path=entry.path,
        headings=tuple(entry.headings[1:]),
        start=entry.char_start,
        end=entry.char_end,
        page=entry.page,
        tokens=entry.tokens,
        score=found.score,
        dense=dense,
        lexical=lexical,
        rank=rank,
        language=entry.version.language,
    )
