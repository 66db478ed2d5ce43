"""All routes of the site, and the values that fill the ones of a tenant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.models import Group, Membership, Tenant, User
from knowledge.models import Document, KnowledgeBase
from retrieval.models import Conversation, Run
from tests.factories import (
    Company,
    ingested,
    make_citation,
    make_conversation,
    make_event,
    make_run,
)
from tests.picture_files import pdf


@dataclass(frozen=True, slots=True)
class Route:
    """A URL pattern with the names of all values in it, those of its includes too."""

    path: str
    name: str
    values: tuple[str, ...]

    def url(self, values: dict[str, Any]) -> str:
        return reverse(self.name, kwargs={name: values[name] for name in self.values})


@dataclass(frozen=True, slots=True)
class World:
    """What stands behind the URLs of one base; all of it belongs to the company's owner."""

    tenant: Tenant
    asker: Membership
    base: KnowledgeBase
    document: Document
    conversation: Conversation
    run: Run
    group: Group


# How a test fills a value in a URL: by one that exists ...
PROVIDERS: dict[str, Callable[[World], Any]] = {
    "tenant_slug": lambda world: world.tenant.slug,
    "base_slug": lambda world: world.base.slug,
    "document_id": lambda world: world.document.pk,
    "conversation_id": lambda world: world.conversation.pk,
    "run_id": lambda world: world.run.pk,
    "group_id": lambda world: world.group.pk,
    "membership_id": lambda world: world.asker.pk,
    "number": lambda world: 1,  # of the document's version, of the run's citation
    "page": lambda world: 1,
    "figure": lambda world: 1,
}
# ... and by one that does not.
ABSENT: dict[str, Any] = {
    "tenant_slug": "no-such-company",
    "base_slug": "no-such-base",
    "document_id": 987_654_321,
    "conversation_id": 987_654_321,
    "run_id": 987_654_321,
    "group_id": 987_654_321,
    "membership_id": 987_654_321,
    "number": 1,
    "page": 1,
    "figure": 1,
}

# ... and by ones that nothing can have: no text in PostgreSQL holds NUL, no number is that large.
MALFORMED: dict[str, tuple[Any, ...]] = {
    "tenant_slug": ("\0", "a\0b", "x" * 3_000),
    "base_slug": ("\0", "a\0b", "x" * 3_000),
    "document_id": (2**31, 2**63, 10**300),
    "conversation_id": (2**31, 2**63, 10**300),
    "run_id": (2**31, 2**63, 10**300),
    "group_id": (2**31, 2**63, 10**300),
    "membership_id": (2**31, 2**63, 10**300),
    "number": (2**15, 2**31, 2**63, 10**300),
    "page": (2**31, 2**63, 10**300),
    "figure": (2**31, 2**63, 10**300),
}

# Routes outside of any tenant: by the beginning of their path, and why a tenant's people may.
SHARED = {
    "": "the home page: sends to sign-in, or to the person's own companies",
    "accounts/": "signing in and out and one's own password, by allauth",
    "favicon.ico": "the icon of the site, which is the same for everyone",
    "admin/": "the operator's admin: staff only, one tenant at a time, tested with the admin",
}


def routes(
    resolver: URLResolver | None = None,
    path: str = "",
    values: tuple[str, ...] = (),
    space: str = "",
) -> Iterator[Route]:
    """Yield every route below a resolver, the whole site's by default."""
    for pattern in (resolver or get_resolver()).url_patterns:
        below = path + str(pattern.pattern)
        named = (*values, *pattern.pattern.converters, *_groups(pattern))
        if isinstance(pattern, URLResolver):
            inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from routes(pattern, below, named, inner)
        elif isinstance(pattern, URLPattern):
            yield Route(below, f"{space}{pattern.name or ''}", tuple(dict.fromkeys(named)))


def _groups(pattern: URLPattern | URLResolver) -> list[str]:
    return list(pattern.pattern.regex.groupindex)


def tenant_routes() -> list[Route]:
    return [route for route in routes() if "tenant_slug" in route.values]


def shared_prefix(route: Route) -> str | None:
    """Return the beginning in SHARED that the route's path has, None if it has none."""
    longer = [prefix for prefix in SHARED if prefix and route.path.startswith(prefix)]
    return next(iter(longer), "" if route.path == "" else None)


def world_of(company: Company, base: KnowledgeBase) -> World:
    """Return a ready document and an answered question of the owner in one base."""
    content = pdf(quote="The office opens at nine.")
    document = ingested(company.tenant, base, "facts.pdf", content)
    conversation = make_conversation(company.tenant, base, company.owner.user)
    run = make_run(company.tenant, conversation, state="done", answer="At nine. [1]")
    make_event(company.tenant, run)
    version = document.current_version
    version.document = document
    make_citation(company.tenant, run, version)
    return World(company.tenant, company.owner, base, document, conversation, run, company.group)


def real(world: World) -> dict[str, Any]:
    return {name: provide(world) for name, provide in PROVIDERS.items()}


@dataclass(frozen=True, slots=True)
class Reply:
    """What a client can tell from an answer: status, type and body, tokens masked."""

    status: int
    type: str
    body: str


def ask(person: User | None, method: str, url: str, **headers: str) -> Reply:
    """Return the reply to a person's request, None being nobody."""
    response = _client(person).generic(method, url, headers=headers)
    content = response.getvalue()
    body = re.sub(
        r'(csrfmiddlewaretoken"[^>]*value=|csrf[^"]*": *)"[^"]+"',
        r"\1",
        content.decode(errors="replace"),
    )
    return Reply(response.status_code, response.headers.get("Content-Type", ""), body)


def _client(person: User | None) -> Client:
    """Return the person's client, signed in once: a session for each request takes long."""
    if person is None:
        return Client()
    client: Client | None = vars(person).get("test_client")
    if client is None:
        client = vars(person)["test_client"] = Client()  # lives as long as they do
        client.force_login(person)
    return client
