"""The same number of queries for 3 rows and for 30."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.http import memberships_of
from accounts.tenancy import tenant_transaction
from knowledge.listings import base_cards, base_progress, documents_of
from knowledge.models import Document, KnowledgeBase
from retrieval.models import Conversation, Run
from retrieval.services.reports import run_report
from retrieval.services.scopes import Reader, Scope
from retrieval.services.search import search
from retrieval.tools import Toolbox
from tests.factories import (
    Company,
    ingested,
    make_base,
    make_citation,
    make_conversation,
    make_document,
    make_ingestion_run,
    make_membership,
    make_run,
    make_tenant,
    make_user,
    make_version,
)

SIZES = (3, 30)


def same_for_all(counts: list[int], most: int) -> None:
    assert len(set(counts)) == 1, counts
    assert counts[0] <= most, counts


def many_documents(company: Company, size: int) -> None:
    for _ in range(size):
        document = make_document(company.tenant, company.base)
        version = make_version(company.tenant, document, state="ready")
        make_ingestion_run(company.tenant, version)
        with tenant_transaction(company.tenant):
            document.current_version = document.latest_version = version
            document.save()


def test_the_list_of_documents(a: Company) -> None:
    counts = []
    for more in (SIZES[0], SIZES[1] - SIZES[0]):
        many_documents(a, more)
        with tenant_transaction(a.tenant), CaptureQueriesContext(connection) as queries:
            for document in documents_of(a.base):
                assert document.latest_version.run is not None
                assert document.current_version.number == 1
        counts.append(len(queries))
    same_for_all(counts, 2)  # documents with versions, their runs


def test_the_cards_of_bases_and_a_bases_progress(a: Company) -> None:
    counts = []
    for more in (SIZES[0], SIZES[1] - SIZES[0]):
        for _ in range(more):
            make_document(a.tenant, make_base(a.tenant))
        with tenant_transaction(a.tenant), CaptureQueriesContext(connection) as queries:
            assert len(base_cards(KnowledgeBase.objects.visible_to(a.member))) >= more
            base_progress(a.base)
        counts.append(len(queries))
    same_for_all(counts, 3)  # cards; the base's progress and what is unfinished


def test_tools_list_and_inventory_of_a_base(a: Company) -> None:
    for tool in ("list", "inventory"):
        counts = []
        for more in (SIZES[0], SIZES[1] - SIZES[0]):
            many_documents(a, more)
            box = Toolbox(Scope(Reader(a.tenant.pk, a.member), a.base))
            with CaptureQueriesContext(connection) as queries:
                assert len(getattr(box, tool)().items) >= more
            counts.append(len(queries))
        # Two transactions of savepoint, two settings and release; access; documents.
        same_for_all(counts, 12)


@pytest.mark.parametrize("tool", ["list", "grep", "search"])
def test_tools_over_a_document_of_many_sections(a: Company, tool: str) -> None:
    counts = []
    for size in SIZES:
        text = "# Many\n\n" + "".join(f"## S{n}\n\nThe word {n}.\n\n" for n in range(size))
        ingested(a.tenant, a.base, f"many-{size}.md", text)
        box = Toolbox(Scope(Reader(a.tenant.pk, a.member), a.base))
        address = f"kb://{a.base.slug}/many-{size}"
        with CaptureQueriesContext(connection) as queries:
            match tool:
                case "list":
                    result = box.list(address)
                case "grep":
                    result = box.grep("word", address, k=size)
                case "search":
                    result = box.search("word", address, k=size)
        assert len(result.items) == size
        counts.append(len(queries))
    same_for_all(counts, 45)


def test_a_search_of_many_hits(a: Company) -> None:
    counts = []
    for size in SIZES:
        for number in range(size):
            ingested(a.tenant, a.base, f"d-{size}-{number}.md", f"# D {number}\n\nThe office.\n")
        scope = Scope(Reader(a.tenant.pk, a.member), a.base)
        with CaptureQueriesContext(connection) as queries:
            assert len(search(scope=scope, query="Where is it?", k=size).hits) == size
        counts.append(len(queries))
    same_for_all(counts, 20)


def test_the_report_of_a_run_with_many_citations(a: Company) -> None:
    counts = []
    for size in SIZES:
        run = make_run(a.tenant, make_conversation(a.tenant, a.base, a.member.user))
        document = make_document(a.tenant, a.base)
        for number in range(1, size + 1):
            make_citation(
                a.tenant, run, make_version(a.tenant, document, number=number), number=number
            )
        with tenant_transaction(a.tenant), CaptureQueriesContext(connection) as queries:
            report = run_report(Run.objects.select_related("base").get(pk=run.pk))
            assert len(report["citations"]) == size
        counts.append(len(queries))
    same_for_all(counts, 3)  # run, citations, events


def test_the_conversations_and_memberships_of_a_person(a: Company) -> None:
    person = make_user()
    counts = []
    for more in (SIZES[0], SIZES[1] - SIZES[0]):
        for _ in range(more):
            make_conversation(a.tenant, a.base, a.member.user)
            make_membership(make_tenant(), person)
        with tenant_transaction(a.tenant), CaptureQueriesContext(connection) as queries:
            rows = Conversation.objects.of(a.member).select_related("base")
            assert {row.base.pk for row in rows} == {a.base.pk}
            assert Document.objects.ready().count() == 0
        with CaptureQueriesContext(connection) as others:
            assert all(row.tenant.name for row in memberships_of(person))
        counts.append(len(queries) + len(others))
    same_for_all(counts, 8)
