"""The documents as the pipeline sees them: searches, assembly and tools over one scope."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from accounts.connections import release_connection
from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from retrieval.agent.assembly import assemble
from retrieval.agent.evidence import Context, Hit
from retrieval.agent.presets import AgentTools, Entry, Rerank
from retrieval.agent.reasoner import Signals
from retrieval.agent.shortcuts import Memory
from retrieval.agent.sources import Found
from retrieval.ranking import Scored, cross_query_rerank
from retrieval.services.computing import ANSWERS
from retrieval.services.evidence import sections_of
from retrieval.services.experience.learning import SEEDS
from retrieval.services.experience.recalling import Asked, learned, memory_of
from retrieval.services.mentions import with_mentioned
from retrieval.services.scopes import Scope
from retrieval.services.search import QueryVector, SearchResult, query_vector, search
from retrieval.tools.agent_box import ToolboxForAgents


@dataclass(slots=True)
class ScopeRetrieval:
    """Retrieval over a scope; a query that was searched before is not searched again.

    No connection is held after a call.
    """

    scope: Scope
    _results: dict[tuple[str, int, bool], SearchResult] = field(default_factory=dict, init=False)
    _vectors: dict[str, QueryVector] = field(default_factory=dict, init=False)

    def find(
        self,
        queries: Sequence[str],
        k: int,
        rerank: Rerank,
        *,
        named_first: bool = False,
        mentioned: int = 0,
    ) -> Found:
        """Return the hits of all queries, reranked. Raises EmbeddingError and ScopeError."""
        results = [self._search(query, k, named_first) for query in queries]
        hits = results[0].hits if len(results) == 1 else _reranked(results, rerank)
        if mentioned:
            hits = self._with_mentioned(results[0], hits, mentioned)
        return Found(tuple(queries), hits, _signals(results, hits, self._own_names()))

    def assemble(self, hits: Sequence[Hit], token_cap: int) -> Context:
        """Return the evidence of the hits."""
        with tenant_transaction(self.scope.reader.tenant_id):
            sections = sections_of(hits)
        release_connection()
        return assemble(hits, sections, token_cap=token_cap)

    def recall(self, question: str, entry: Entry, hops: int, tokens: int) -> Memory:
        """Return what experience knows for the question. Raises EmbeddingError and ScopeError."""
        if entry == "via_seed":
            result = self._search(question, SEEDS)
            asked = Asked(question, result.vector, tuple(hit.path for hit in result.hits))
        else:
            asked = Asked(question, self._vector(question))
        with tenant_transaction(self.scope.reader.tenant_id):
            memory = memory_of(self.scope, asked, entry=entry, hops=hops, tokens=tokens)
        release_connection()
        return memory

    def learned(self, most: int) -> int:
        """Return how many questions the base has learnt, counting up to ``most``."""
        with tenant_transaction(self.scope.reader.tenant_id):
            count = learned(self.scope.base, most)
        release_connection()
        return count

    def tools(self, kind: AgentTools) -> ToolboxForAgents:
        """Return the agent's tools."""
        return ToolboxForAgents(self.scope, kind)

    def _vector(self, question: str) -> QueryVector:
        """Return the question's vector, from a search for it where there was one.

        By the model that served the base when the scope was made: if another one does by now, no
        stored question is found.
        """
        if question not in self._vectors:
            self._vectors[question] = query_vector(self.scope.base, question)
        return self._vectors[question]

    def _with_mentioned(
        self, result: SearchResult, hits: tuple[Hit, ...], most: int
    ) -> tuple[Hit, ...]:
        with ANSWERS.taken(), tenant_transaction(self.scope.reader.tenant_id):
            found = with_mentioned(self.scope, result, hits, most)
        release_connection()
        return tuple(replace(hit, rank=rank) for rank, hit in enumerate(found, 1))

    def _own_names(self) -> tuple[str, ...]:
        tenant_id = self.scope.reader.tenant_id
        name = Tenant.objects.values_list("name", flat=True).get(pk=tenant_id)
        release_connection()
        return (name,)

    def _search(self, query: str, k: int, named_first: bool = False) -> SearchResult:
        asked = query, k, named_first
        if asked not in self._results:
            with ANSWERS.taken():
                known = self._vectors.get(query)
                result = search(
                    scope=self.scope, query=query, k=k, vector=known, named_first=named_first
                )
                release_connection()
            self._results[asked] = result
            self._vectors[query] = result.vector
        return self._results[asked]


def _reranked(results: Sequence[SearchResult], rerank: Rerank) -> tuple[Hit, ...]:
    """Return each hit once in its new order, as the query that liked it most saw it."""
    best: dict[int, Hit] = {}
    for result in results:
        for hit in result.hits:
            if hit.entry_id not in best or hit.score > best[hit.entry_id].score:
                best[hit.entry_id] = hit
    rankings = [[Scored(hit.entry_id, hit.score) for hit in result.hits] for result in results]
    ordered = cross_query_rerank(rankings, rerank)
    return tuple(
        replace(best[found.id], rank=rank, score=found.score)
        for rank, found in enumerate(ordered, 1)
    )


def _signals(
    results: Sequence[SearchResult], hits: tuple[Hit, ...], own_names: tuple[str, ...]
) -> Signals:
    first = results[0]
    frequencies: dict[int, int] = {}
    for result in results:
        frequencies |= result.document_frequency
    return Signals(
        hits=hits,
        queries=tuple(result.query for result in results),
        document_frequency=frequencies,
        entries=first.entries,
        languages=first.languages,
        background=first.background,
        own_names=own_names,
    )
