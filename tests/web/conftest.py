"""Signed-in browsers, and a company whose handbook has been read and asked about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.test import Client

from accounts.models import Membership
from accounts.tenancy import tenant_transaction
from knowledge.models import Document, Node
from retrieval.models import Citation, Run
from tests.factories import (
    Company,
    ingested,
    make_citation,
    make_conversation,
    make_event,
    make_run,
)

HANDBOOK = """# Staff handbook

The company has 40 employees.

## Leave

Everyone has **25 days** of leave a year. Unused days end in March.

## Prices

| Item | Price |
|------|------:|
| Desk | 300 |
| Chair | 120 |
"""
QUOTE = "Everyone has **25 days** of leave a year."

Browser = Callable[[Membership], Client]


@dataclass(frozen=True, slots=True)
class Asked:
    """The editor's finished question about the handbook, whose answer cites `QUOTE` as [1]."""

    company: Company
    document: Document
    run: Run
    citation: Citation


@pytest.fixture
def browser() -> Browser:
    """Return what signs a member in."""

    def signed_in(member: Membership) -> Client:
        client = Client()
        client.force_login(member.user)
        return client

    return signed_in


@pytest.fixture
def asked(a: Company) -> Asked:
    return ask_handbook(a, a.editor)


def ask_handbook(company: Company, member: Membership) -> Asked:
    """Return a finished run of the member, without calling a reasoner."""
    tenant = company.tenant
    document = ingested(tenant, company.base, "handbook.md", HANDBOOK)
    version = document.current_version
    assert version is not None
    version.document = document
    start = HANDBOOK.index(QUOTE)
    with tenant_transaction(tenant):
        leaf = Node.objects.filter(version=version).leaves().overlapping(start, start + 1).get()
    run = make_run(
        tenant,
        make_conversation(tenant, company.base, member.user, "How much leave?"),
        question="How much leave?",
        answer="Everyone has 25 days. [1] Nobody has more. [2]",
        state=Run.State.DONE,
        reasoner="extractive",
    )
    make_event(tenant, run, number=1, kind="searched", payload=_searched(document.title))
    citation = make_citation(
        tenant,
        run,
        version,
        path=leaf.path,
        quote=QUOTE,
        char_start=start,
        char_end=start + len(QUOTE),
    )
    return Asked(company, document, run, citation)


def _searched(title: str) -> dict[str, object]:
    return {"query": "How much leave?", "hits": 2, "tokens": 60, "documents": [title]}
