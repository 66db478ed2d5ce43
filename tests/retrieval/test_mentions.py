"""One passage leads to the document it names."""

from __future__ import annotations

from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from retrieval.services.retrieving import ScopeRetrieval
from retrieval.services.scopes import Reader, Scope
from retrieval.tools import Toolbox
from tests.factories import Company, ingested

QUESTION = "What colour is the badge of visitors?"
NAMING = "# Reception\n\nThe badge of visitors has the colour which the House Rules 7 prescribe.\n"
NAMED = "# House Rules 7\n\nGreen is worn by guests.\n\n## Pets\n\nDogs stay outside.\n"


def titles(company: Company, *, mentioned: int, path: str = "") -> list[str]:
    with tenant_transaction(company.tenant):
        base = KnowledgeBase.objects.get(pk=company.base.pk)
    retrieval = ScopeRetrieval(Scope(Reader(company.tenant.pk, company.member), base, path))
    hits = retrieval.find((QUESTION,), 6, "none", mentioned=mentioned).hits
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert len({hit.entry_id for hit in hits}) == len(hits)
    return [hit.document_title for hit in hits]


def fill(company: Company) -> None:
    """Ingest what names another document, that document, and others that answer better than it."""
    ingested(company.tenant, company.base, "desk/reception.md", NAMING)
    ingested(company.tenant, company.base, "rules/house.md", NAMED)
    for number in range(8):
        text = (
            f"# Area {number}\n\nThe badge of staff has a colour, number {number}, for visitors.\n"
        )
        ingested(company.tenant, company.base, f"desk/area{number}.md", text)


def test_a_document_that_the_best_hit_names_is_read_behind_the_best(a: Company) -> None:
    fill(a)
    assert "House Rules 7" not in titles(a, mentioned=0)
    found = titles(a, mentioned=2)
    assert found[0] == "Reception"
    assert found[2] == "House Rules 7"
    assert found.count("House Rules 7") == 1


def test_a_mention_leads_to_nothing_outside_the_scope(a: Company, b: Company) -> None:
    fill(a)
    assert "House Rules 7" not in titles(a, mentioned=2, path="desk")
    ingested(b.tenant, b.base, "reception.md", NAMING)
    assert titles(b, mentioned=2) == ["Reception"]


def test_a_mention_in_an_empty_base_is_none(a: Company) -> None:
    assert titles(a, mentioned=2) == []


def test_the_search_tool_shows_the_document_that_the_best_hit_names(a: Company) -> None:
    fill(a)
    with tenant_transaction(a.tenant):
        base = KnowledgeBase.objects.get(pk=a.base.pk)
    found = Toolbox(Scope(Reader(a.tenant.pk, a.member), base)).search(QUESTION, k=6)
    assert len(found.items) == 6
    assert any("house-rules-7" in item.uri or "house" in item.uri for item in found.items)
