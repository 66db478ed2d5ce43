"""Both legs of the search: what each may find, and what neither ever does."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from django.db import connection
from pgvector import HalfVector

from accounts.tenancy import OpenTransaction, tenant_transaction
from knowledge.embedding.hashing import HashingEmbedder
from knowledge.models import Document, IndexEntry, KnowledgeBase
from knowledge.services.deletion import document_delete
from retrieval.services.scopes import Reader, Scope, UnknownBase
from retrieval.services.search import (
    Legs,
    query_vector,
    query_weights_of,
    search,
    search_legs,
)
from tests.factories import Company, ingested, make_base, make_entry, make_node, make_tenant
from tests.retrieval.conftest import Library, library_of

QUESTION = "When does the office open?"


def legs(company: Company, base: KnowledgeBase, question: str = QUESTION, path: str = "") -> Legs:
    vector = query_vector(base, question)
    with tenant_transaction(company.tenant):
        base = KnowledgeBase.objects.get(pk=base.pk)
        _, weights = query_weights_of(base, question, ["en"])
        return search_legs(Scope(Reader(company.tenant.pk), base, path), vector, weights)


def entries(company: Company, hits: list[Any]) -> list[IndexEntry]:
    """Return the entries behind hits; one of another company would be missing."""
    with tenant_transaction(company.tenant):
        rows = IndexEntry.objects.in_bulk([hit.id for hit in hits])
    return [rows[hit.id] for hit in hits]


@pytest.mark.parametrize("leg", ["dense", "lexical"])
def test_each_leg_finds_ones_own_among_equal_texts_of_two_companies(
    a: Company, b: Company, leg: str
) -> None:
    for company in (a, b):
        library_of(company)
    found = {}
    for company in (a, b):
        rows = entries(company, getattr(legs(company, company.base), leg))
        assert rows
        assert {row.tenant_id for row in rows} == {company.tenant.pk}
        found[company] = [(row.path, row.preview) for row in rows]
    assert found[a] == found[b]


@pytest.mark.parametrize("leg", ["dense", "lexical"])
def test_each_leg_stays_in_its_base_and_below_its_path(library: Library, leg: str) -> None:
    company = library.company
    ingested(company.tenant, company.restricted, "copy.md", "# Copy\n\nThe office opens.\n")
    rows = entries(company, getattr(legs(company, library.base), leg))
    assert {row.base_id for row in rows} == {library.base.pk}
    rows = entries(company, getattr(legs(company, library.base, path="handbook/hours"), leg))
    assert rows
    assert all(row.path.startswith("handbook/hours/") for row in rows)


@pytest.mark.parametrize("leg", ["dense", "lexical"])
def test_no_leg_finds_a_version_that_is_not_published(library: Library, leg: str) -> None:
    tenant = library.company.tenant
    with tenant_transaction(tenant):
        Document.objects.filter(path="handbook").update(current_version=None)
    rows = entries(library.company, getattr(legs(library.company, library.base), leg))
    assert rows
    assert not [row for row in rows if row.path.startswith("handbook/")]


def test_entries_of_another_embedding_model_are_not_compared(library: Library) -> None:
    tenant = library.company.tenant
    best = legs(library.company, library.base).dense[0]
    vector = HashingEmbedder().query(QUESTION)
    with tenant_transaction(tenant):
        IndexEntry.objects.filter(pk=best.id).update(
            embedding_model="another", dense=HalfVector([1.0, 0.0, 0.0])
        )
        other = IndexEntry.objects.exclude(pk=best.id).first()
        assert other is not None
        # Better than all by its numbers, which mean something else.
        IndexEntry.objects.filter(pk=other.pk).update(
            embedding_model="another", dense=HalfVector(np.asarray(vector))
        )
    found = {hit.id for hit in legs(library.company, library.base).dense}
    assert found
    assert not found & {best.id, other.pk}
    words = {hit.id for hit in legs(library.company, library.base).lexical}
    assert best.id in words


def test_a_document_that_is_singled_out_has_the_first_half_where_that_is_asked_for(
    a: Company,
) -> None:
    sections = "".join(
        f"\n## {number}\n\nCopies of papers are made by the receiving party.\n"
        for number in range(60)
    )
    for name in ("Axial_NDA.md", "Motorola_NDA.md"):
        ingested(a.tenant, a.base, name, f"# Non-Disclosure Agreement\n{sections}")
    ingested(a.tenant, a.base, "Kerber_NDA.md", "# Secrecy\n\n## One\n\nA.\n\n## Two\n\nB.\n")
    question = "In Kerber's Non-Disclosure Agreement: are copies made by the receiving party?"
    with tenant_transaction(a.tenant):
        scope = Scope(Reader(a.tenant.pk), KnowledgeBase.objects.get(pk=a.base.pk))
        kerber = Document.objects.get(filename="Kerber_NDA.md").pk
    named = [hit.document_id for hit in search(scope=scope, query=question).hits]
    first = [hit.document_id for hit in search(scope=scope, query=question, named_first=True).hits]
    assert kerber not in named
    assert first[:2] == [kerber, kerber]
    assert len(set(first)) > 1


def test_entries_that_share_no_word_are_no_lexical_hits(library: Library) -> None:
    assert legs(library.company, library.base, "xylophone").lexical == []
    (hit,) = legs(library.company, library.base, "smith").lexical
    assert entries(library.company, [hit])[0].path == "handbook/hoursmith/c1"


def test_an_empty_base_gives_no_hits(a: Company) -> None:
    found = search(scope=Scope(Reader(a.tenant.pk), a.base), query=QUESTION)
    assert (found.hits, found.entries) == ((), 0)


def test_hits_carry_what_the_answer_needs(library: Library) -> None:
    found = search(scope=library.scope(), query=QUESTION, k=3)
    assert [hit.rank for hit in found.hits] == [1, 2, 3]
    best = found.hits[0]
    assert best.section_path.startswith("handbook/hours")
    assert best.headings[0] == "Hours"
    assert best.language == "en"
    assert found.entries > 3
    assert found.languages == ("en", "ru", "zh")


def test_a_search_inside_a_transaction_is_refused(library: Library) -> None:
    with pytest.raises(OpenTransaction), tenant_transaction(library.company.tenant):
        search(scope=library.scope(), query=QUESTION)


def test_a_reader_who_lost_access_finds_nothing_with_an_old_scope(a: Company) -> None:
    with pytest.raises(UnknownBase):
        search(scope=Scope(Reader(a.tenant.pk, a.member), a.restricted), query=QUESTION)


@pytest.mark.django_db(transaction=True)
def test_a_document_deleted_in_the_middle_of_a_search_is_left_out() -> None:
    tenant = make_tenant()
    base = make_base(tenant)
    kept = ingested(tenant, base, "kept.md", "# Kept\n\nThe office opens at nine.\n")
    gone = ingested(tenant, base, "gone.md", "# Gone\n\nThe office opens at ten.\n")
    moments = 0

    def delete() -> None:
        document_delete(tenant=tenant, document=gone)
        connection.close()

    def after_the_legs(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal moments
        result = execute(sql, params, many, context)
        if "<#>" in sql and not moments:
            moments += 1
            thread = threading.Thread(target=delete)
            thread.start()
            thread.join(timeout=30)
        return result

    with connection.execute_wrapper(after_the_legs):
        found = search(scope=Scope(Reader(tenant.pk), base), query=QUESTION)
    assert moments == 1
    assert {hit.document_id for hit in found.hits} == {kept.pk}


def test_entries_of_other_dimensions_do_not_break_the_dense_leg(a: Company) -> None:
    """Rows of other dimensions stand beside ours after a change of the model."""
    entry = make_entry(a.tenant, make_node(a.tenant))
    with tenant_transaction(a.tenant):
        Document.objects.filter(pk=entry.document_id).update(current_version=entry.version_id)
    assert legs(a, entry.base).dense == []
