"""Lists ask the database the same number of times for 3 rows and for 30."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.models import Document
from tests.factories import (
    Company,
    make_base,
    make_citation,
    make_conversation,
    make_document,
    make_event,
    make_group_member,
    make_ingestion_run,
    make_run,
    make_version,
)
from tests.web.conftest import Browser

SIZES = pytest.mark.parametrize("rows", [3, 30])

# What every page of a member costs, savepoints of the surrounding test transaction included:
# session; user; then, in a transaction of its own (savepoint, set_config, memberships, release,
# reset of the setting), the memberships; then the page's transaction around its own queries
# (savepoint, set_config, release, reset).
EVERY_PAGE = 2 + 5 + 4


def queries_of(client: Client, path: str, expected: int, count: DjangoAssertNumQueries) -> None:
    client.get(path)  # the session and content types are cached by the first
    with count(EVERY_PAGE + expected):
        assert client.get(path).status_code == 200


def document_with_run(company: Company) -> None:
    tenant = company.tenant
    document = make_document(tenant, company.base)
    version = make_version(tenant, document)
    make_ingestion_run(tenant, version)
    with tenant_transaction(tenant):
        Document.objects.filter(pk=document.pk).update(latest_version=version)


@SIZES
def test_the_bases(
    rows: int, a: Company, browser: Browser, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(rows):
        make_document(a.tenant, make_base(a.tenant))
    path = reverse("bases", args=[a.tenant.slug])
    # 1 number of bases for the pages, 2 the bases, 3 their document counts
    queries_of(browser(a.member), path, 3, django_assert_num_queries)


@SIZES
def test_the_people_and_their_groups(
    rows: int, a: Company, browser: Browser, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(rows):
        make_group_member(a.tenant)
    path = reverse("people", args=[a.tenant.slug])
    # 1 number of members for the pages, 2 members with their users, 3 their groups, 4 sizes of
    # the groups, 5 groups
    queries_of(browser(a.owner), path, 5, django_assert_num_queries)


@SIZES
def test_the_documents_of_a_base(
    rows: int, a: Company, browser: Browser, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(rows):
        document_with_run(a)
    path = reverse("documents", args=[a.tenant.slug, a.base.slug])
    # 1 the base, 2 counts by state, 3 number of documents for the pages, 4 documents with both
    # versions, 5 the runs of the latest versions
    queries_of(browser(a.editor), path, 5, django_assert_num_queries)


@SIZES
def test_the_versions_of_a_document(
    rows: int, a: Company, browser: Browser, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    document = make_document(a.tenant, a.base)
    versions = [make_version(a.tenant, document, number=number + 1) for number in range(rows)]
    with tenant_transaction(a.tenant):
        Document.objects.filter(pk=document.pk).update(
            current_version=versions[-1], latest_version=versions[-1]
        )
    path = reverse("document", args=[a.tenant.slug, a.base.slug, document.pk])
    # 1 the base, 2 the document with both versions, 3 runs of the latest version, 4 nodes of the
    # first part, 5 outline, 6 what is in the making, 7 versions
    queries_of(browser(a.member), path, 7, django_assert_num_queries)
    path = reverse("document_versions", args=[a.tenant.slug, a.base.slug, document.pk])
    # 1-3 as above, 4 number of versions for the pages, 5 versions with who sent them, 6 their runs,
    # 7 whether something is in the making
    queries_of(browser(a.member), path, 7, django_assert_num_queries)
    path = reverse("document_compare", args=[a.tenant.slug, a.base.slug, document.pk])
    # 1-3 as above, 4 versions
    queries_of(browser(a.member), path, 4, django_assert_num_queries)


@SIZES
def test_the_conversations(
    rows: int, a: Company, browser: Browser, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(rows):
        make_conversation(a.tenant, a.base, a.member.user)
    path = reverse("conversations", args=[a.tenant.slug])
    # 1 their number for the pages, 2 conversations with their bases, 3 those that are closed
    queries_of(browser(a.member), path, 3, django_assert_num_queries)


@SIZES
@pytest.mark.parametrize("grows", ["runs", "citations"])
def test_the_turns_of_a_conversation(
    rows: int,
    grows: str,
    a: Company,
    browser: Browser,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    conversation = make_conversation(a.tenant, a.base, a.member.user)
    fill: dict[str, Callable[[Tenant, int], None]] = {
        "runs": lambda tenant, number: _cited(tenant, make_run(tenant, conversation, state="done")),
        "citations": lambda tenant, number: None,
    }
    for number in range(rows):
        fill[grows](a.tenant, number)
    if grows == "citations":
        run = make_run(a.tenant, conversation, state="done")
        make_event(a.tenant, run)
        for number in range(rows):
            make_citation(a.tenant, run, number=number + 1)
    path = reverse("conversation", args=[a.tenant.slug, conversation.pk])
    # 1 the conversation with its base, 2 recent conversations, 3 runs, 4 citations with their
    # documents, 5 events, 6 verdicts, 7 to 9 the models that presets need, in a savepoint
    queries_of(browser(a.member), path, 9, django_assert_num_queries)


def test_a_question_that_waits_costs_its_page_and_its_stream_the_least(
    a: Company, browser: Browser, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    conversation = make_conversation(a.tenant, a.base, a.member.user)
    run = make_run(a.tenant, conversation)
    client = browser(a.member)
    path = reverse("conversation", args=[a.tenant.slug, conversation.pk])
    # 1 the conversation with its base, 2 recent conversations, 3 its run, 4 to 6 the models that
    # presets need, in a savepoint
    queries_of(client, path, 6, django_assert_num_queries)
    with django_assert_num_queries(EVERY_PAGE + 1):  # the run; its first event asks for nothing
        stream = client.get(reverse("run_stream", args=[a.tenant.slug, run.pk]))
        assert b"Waiting to begin" in next(iter(stream))


@SIZES
def test_the_suggestions_of_the_question_page(
    rows: int, a: Company, browser: Browser, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(rows):
        document_with_run(a)
        make_conversation(a.tenant, a.base, a.member.user)
    path = reverse("ask", args=[a.tenant.slug, a.base.slug])
    # 1 the base, 2 counts by state, 3 ready documents (none: no query for their sections),
    # 4 recent conversations, 5 to 7 the models that presets need, in a savepoint
    queries_of(browser(a.member), path, 7, django_assert_num_queries)


def _cited(tenant: Tenant, run: object) -> None:
    make_event(tenant, run)  # type: ignore[arg-type]  # a Run; typed Any by the factory
    make_citation(tenant, run)  # type: ignore[arg-type]
