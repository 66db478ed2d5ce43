"""Hybrid search of a scope: dense and lexical leg, fused, with the document prior."""

from dataclasses import dataclass

from pgvector import HalfVector, SparseVector
from pgvector.django import CosineDistance, MaxInnerProduct

from accounts.connections import release_connection
from accounts.tenancy import tenant_transaction
from knowledge.embedder import current_embedder
from knowledge.embedding import Vectors
from knowledge.lexical import DIMENSIONS, dimension, query_terms, query_weights
from knowledge.models import DocumentVersion, IndexEntry, KnowledgeBase
from knowledge.models.index import IndexEntryQuerySet
from knowledge.services.statistics import document_frequencies
from retrieval.agent.evidence import Hit
from retrieval.ranking import Fused, Scored, score_fusion, with_document_prior
from retrieval.services.scopes import Scope

CANDIDATES = 100
"""Entries asked of each leg before fusion; score fusion wants the same number from both."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits best first, with what the search knows about the base for whoever judges them.

    `plan` names how the index was read; `entries` counts those of the whole base.
    """

    query: str
    hits: tuple[Hit, ...]
    plan: str
    entries: int
    languages: tuple[str, ...]
    document_frequency: dict[int, int]


@dataclass(frozen=True, slots=True)
class Legs:
    """The two rankings before fusion, by entry id."""

    dense: list[Scored[int]]
    lexical: list[Scored[int]]


def search(*, scope: Scope, query: str, k: int = 10) -> SearchResult:
    """Return the k best entries of the scope for a question.

    Must not be called inside a transaction: the question is embedded first. Raises
    EmbeddingError.
    """
    vector = query_vector(query)
    with tenant_transaction(scope.reader.tenant_id):
        base = KnowledgeBase.objects.get(pk=scope.base.pk)
        languages = _languages(base)
        words = query_terms(query, languages)
        frequencies = document_frequencies(base, sorted({dimension(word) for word in words}))
        weights = query_weights(words, frequencies, base.entry_count)
        legs = search_legs(scope, vector, weights)
        hits = _hits(base, _fuse(legs)[:k])
    return SearchResult(query, hits, "exact", base.entry_count, tuple(languages), frequencies)


def query_vector(query: str) -> Vectors:
    """Return the question's vector, d, with no connection held meanwhile."""
    release_connection()
    return current_embedder().query(query)


def search_legs(scope: Scope, vector: Vectors, weights: dict[int, float]) -> Legs:
    """Return both legs' candidates, in an open transaction."""
    entries = IndexEntry.objects.current().filter(base=scope.base).under(scope.path)
    return Legs(_dense(entries, vector), _lexical(entries, weights))


def _dense(entries: IndexEntryQuerySet, vector: Vectors) -> list[Scored[int]]:
    """Cosine, over the entries that the present model embedded."""
    rows = (
        entries.filter(embedding_model=current_embedder().name)
        .annotate(distance=CosineDistance("dense", HalfVector(vector)))
        .order_by("distance", "pk")
        .values_list("pk", "distance")[:CANDIDATES]
    )
    return [Scored(pk, 1 - distance) for pk, distance in rows]


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


def _fuse(legs: Legs) -> list[Fused[int]]:
    fused = score_fusion([legs.dense, legs.lexical])
    documents = dict(
        IndexEntry.objects.filter(pk__in=[hit.id for hit in fused]).values_list("pk", "document_id")
    )
    return with_document_prior(fused, documents.__getitem__)


def _languages(base: KnowledgeBase) -> list[str]:
    versions = DocumentVersion.objects.current().filter(document__base=base)
    return sorted(set(versions.values_list("language", flat=True)))


def _hits(base: KnowledgeBase, fused: list[Fused[int]]) -> tuple[Hit, ...]:
    ids = [hit.id for hit in fused]
    rows = IndexEntry.objects.select_related("node", "document", "version").in_bulk(ids)
    return tuple(
        _hit(base, rows[found.id], found, rank) for rank, found in enumerate(fused, start=1)
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
