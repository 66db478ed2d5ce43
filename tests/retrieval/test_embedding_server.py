"""A server of embeddings in the whole product: vectors of several lengths in one base."""

from __future__ import annotations

from contextlib import closing

from accounts.tenancy import tenant_transaction
from knowledge.embedding import ServerOptions, embedder_for
from knowledge.embedding.openai_compatible import OpenAICompatibleEmbedder
from knowledge.models import IndexEntry, KnowledgeBase
from retrieval.services.scopes import Reader, Scope
from retrieval.services.search import query_vector, search, search_legs
from tests.factories import Company, ingested, make_base
from tests.scripted_model import ScriptedModel

RULES = "# Rules\n\n## {0}\n\nThe {0} costs forty-five euros a day.\n"


def test_what_servers_embedded_is_found_in_bases_of_several_lengths(a: Company, settings) -> None:
    """Each base is served by the model of its first document; other lengths lie beside."""
    lengths = (384, 1024, 4000)
    with ScriptedModel() as server:
        for length in lengths:
            base = make_base(a.tenant)
            settings.EMBEDDING_SERVER = ServerOptions(
                base_url=server.base_url, model="scripted", dimensions=length
            )
            embedder = embedder_for(settings.EMBEDDING_SERVER)
            assert isinstance(embedder, OpenAICompatibleEmbedder)
            with closing(embedder):
                ingested(a.tenant, base, f"rules-{length}.md", RULES.format(f"trip{length}"))
                with tenant_transaction(a.tenant):
                    base = KnowledgeBase.objects.get(pk=base.pk)
                vector = query_vector(base, f"trip{length} costs")
                with tenant_transaction(a.tenant):
                    scope = Scope(Reader(a.tenant.pk), base, "")
                    found = search_legs(scope, vector, {}).dense
                assert len(found) == 1
                assert search(scope=scope, query=f"trip{length} costs").hits
    with tenant_transaction(a.tenant):
        stored = {len(entry.dense) for entry in IndexEntry.objects.all()}
    assert stored == set(lengths)
