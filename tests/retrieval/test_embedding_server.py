"""A server of embeddings in the whole product: vectors of several lengths in one base."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from accounts.tenancy import tenant_transaction
from knowledge.embedding import ServerOptions, embedder_for
from knowledge.embedding.openai_compatible import OpenAICompatibleEmbedder
from knowledge.models import IndexEntry, KnowledgeBase
from retrieval import services
from retrieval.services.computing import Turns
from retrieval.services.scopes import Reader, Scope
from retrieval.services.search import query_vector, search, search_legs
from retrieval.tools import Toolbox
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


def test_a_turn_at_computing_is_given_back_while_a_server_embeds(
    a: Company, settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns, computed = Turns(at_once=1, patience_s=60), threading.Event()
    monkeypatch.setattr(services.search, "ANSWERS", turns)

    def compute() -> None:
        with turns.taken():
            computed.set()

    with ScriptedModel() as server:
        settings.EMBEDDING_SERVER = ServerOptions(
            base_url=server.base_url, model="scripted", dimensions=384
        )
        with turns.taken():
            assert query_vector(a.base, "trip costs").values is not None
            other = threading.Thread(target=compute)
            other.start()
            assert computed.wait(30)
            other.join()


def test_a_search_of_the_agent_takes_its_turn_at_ranking(
    a: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = CountedTurns(at_once=1, patience_s=60)
    monkeypatch.setattr(services.search, "ANSWERS", turns)
    ingested(a.tenant, a.base, "rules.md", RULES.format("trip"))
    assert Toolbox(Scope(Reader(a.tenant.pk), a.base)).search("trip costs").items
    assert turns.count == 1


class CountedTurns(Turns):
    """Counts how often a turn was asked for."""

    count = 0

    @contextmanager
    def taken(self) -> Iterator[None]:
        self.count += 1
        with super().taken():
            yield
