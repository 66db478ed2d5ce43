"""Every route of a tenant gives strangers the 404 that an absent thing gives: generated from the
resolver, so a route added later is held to it without anyone remembering."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import Membership, User
from accounts.tenancy import tenant_transaction
from knowledge.models import BaseAccess
from retrieval.models import Run
from tests.accounts.conftest import OWNED_MODELS
from tests.accounts.routes import (
    ABSENT,
    MALFORMED,
    PROVIDERS,
    SHARED,
    Route,
    World,
    ask,
    real,
    routes,
    shared_prefix,
    tenant_routes,
    world_of,
)
from tests.factories import Company, make_base

TENANT_ROUTES = tenant_routes()
METHODS = ("GET", "POST")
REQUESTS: tuple[tuple[str, dict[str, str]], ...] = (
    ("GET", {}),
    ("GET", {"HX-Request": "true"}),
    ("POST", {}),
)
# A stranger's request may end in these ways only; 403 where the role is missing, whatever the id.
REFUSALS = {403, 404, 405}
ADMINS_ONLY = {
    "base_abstracts",
    "base_delete",
    "base_experience",
    "base_preset",
    "base_read_again",
    "base_reading",
    "base_settings",
    "document_approve",
}
"""Routes of a base that others than admins, who see every base, get one 403 for, whatever it is."""

PERSONAL = {"conversation_id", "run_id"}


@pytest.fixture
def open_world(a: Company) -> World:
    """A's own base, under a slug that no other company has."""
    return world_of(a, make_base(a.tenant, "aurora-only"))


@pytest.fixture
def closed_world(a: Company) -> World:
    """A's restricted base; of the plain members only the insider may read it."""
    return world_of(a, a.restricted)


def routes_with(*values: str) -> list[Route]:
    return [route for route in TENANT_ROUTES if set(route.values) & set(values)]


def assert_same_refusal(
    person: User,
    route: Route,
    given: dict[str, Any],
    other: dict[str, Any],
    *,
    found: set[int] = frozenset({404}),  # type: ignore[assignment]
) -> None:
    """Ask by every method, as a page and as htmx; what exists must look like what does not.

    At least one of the statuses must be in `found`.
    """
    statuses = set()
    for method, headers in REQUESTS:
        reply = ask(person, method, route.url(given), **headers)
        assert reply == ask(person, method, route.url(other), **headers), route.path
        assert reply.status in REFUSALS, f"{method} {route.path}: {reply.status}"
        statuses.add(reply.status)
    assert statuses & found, f"{route.path}: {statuses}"


def everything_of(company: Company) -> dict[str, list[Any]]:
    """Return all rows of the company, to see that nothing was touched."""
    with tenant_transaction(company.tenant):
        return {
            model.__name__: sorted(model.all_tenants.values_list(), key=repr)
            for model in OWNED_MODELS
            if model.__name__ not in ("VersionSource", "IndexEntry", "Figure")
        }


def test_every_value_in_a_url_of_a_tenant_has_a_provider() -> None:
    missing = {
        value: route.path
        for route in TENANT_ROUTES
        for value in route.values
        if value not in PROVIDERS or value not in ABSENT
    }
    assert not missing, (
        f"Add to PROVIDERS and ABSENT in tests/accounts/routes.py what fills {missing}, "
        "so that the isolation tests can call the route with another company's value."
    )
    used = {value for route in TENANT_ROUTES for value in route.values}
    assert set(PROVIDERS) == set(ABSENT) == set(MALFORMED) == used


def test_every_other_route_is_known_and_belongs_to_no_tenant() -> None:
    others = [route for route in routes() if "tenant_slug" not in route.values]
    unknown = [route.path for route in others if shared_prefix(route) is None]
    assert unknown == [], "Put it below /t/<tenant_slug>/, or say in SHARED why everyone may."
    assert {shared_prefix(route) for route in others} == set(SHARED)


def test_every_route_of_a_tenant_has_a_name_of_its_own() -> None:
    names = [route.name for route in TENANT_ROUTES]
    assert "" not in names
    assert len(set(names)) == len(names) > 10


def test_the_owner_is_let_in(open_world: World, closed_world: World) -> None:
    """Or all the refusals below would prove nothing."""
    for route in TENANT_ROUTES:
        for world in (open_world, closed_world):
            url = route.url(real(world))
            statuses = {ask(world.asker.user, method, url).status for method in ("HEAD", "GET")}
            assert 404 not in statuses, route.path
            assert statuses & {200, 405}, route.path


def test_nobody_is_sent_to_sign_in(open_world: World) -> None:
    for route in TENANT_ROUTES:
        seen = set()
        for values in (real(open_world), ABSENT):
            for method in METHODS:
                response = Client().generic(method, route.url(values))
                seen.add((response.status_code, response.headers.get("Location", "")[:20]))
        assert seen - {(405, "")} == {(302, f"{reverse('account_login')}?next="[:20])}, route.path


def test_another_companys_people_find_what_they_find_at_random(
    open_world: World, a: Company, b: Company, outsider: User
) -> None:
    before = everything_of(a)
    for route in TENANT_ROUTES:
        for person in (b.owner.user, outsider):
            assert_same_refusal(person, route, real(open_world), ABSENT)
    assert everything_of(a) == before


def test_another_companys_ids_below_ones_own_company_are_absent(
    open_world: World, a: Company, b: Company
) -> None:
    before = everything_of(a)
    own = {"tenant_slug": b.tenant.slug}
    for route in routes_with("base_slug", "document_id", "group_id", "membership_id", *PERSONAL):
        assert_same_refusal(b.owner.user, route, real(open_world) | own, ABSENT | own)
    own["base_slug"] = b.base.slug
    for route in routes_with("document_id"):
        assert_same_refusal(b.owner.user, route, real(open_world) | own, ABSENT | own)
    assert everything_of(a) == before


def test_a_restricted_base_is_absent_for_those_without_access(
    closed_world: World, a: Company
) -> None:
    before = everything_of(a)
    absent = ABSENT | {"tenant_slug": a.tenant.slug}
    for route in routes_with("base_slug", "document_id", *PERSONAL):
        found = {403} if route.name in ADMINS_ONLY else {404}
        assert_same_refusal(a.editor.user, route, real(closed_world), absent, found=found)
        assert_same_refusal(a.member.user, route, real(closed_world), absent, found={403, 404})
    assert everything_of(a) == before


def test_a_document_is_found_below_its_own_base_only(
    open_world: World, closed_world: World, a: Company
) -> None:
    moved = real(closed_world) | {"base_slug": open_world.base.slug}
    absent = ABSENT | {"tenant_slug": a.tenant.slug, "base_slug": open_world.base.slug}
    for route in routes_with("document_id"):
        for person in (a.editor, a.owner):
            closed = person is a.editor and route.name in ADMINS_ONLY
            assert_same_refusal(person.user, route, moved, absent, found={403} if closed else {404})


def test_people_and_groups_are_for_admins_alone(open_world: World, a: Company) -> None:
    before = everything_of(a)
    absent = ABSENT | {"tenant_slug": a.tenant.slug}
    for route in routes_with("group_id", "membership_id"):
        for person in (a.editor, a.member):
            assert_same_refusal(person.user, route, real(open_world), absent, found={403})
    assert everything_of(a) == before


def test_a_conversation_with_all_in_it_is_its_askers_alone(open_world: World, a: Company) -> None:
    before = everything_of(a)
    absent = ABSENT | {"tenant_slug": a.tenant.slug}
    for route in routes_with(*PERSONAL):
        for person in (a.admin, a.member):
            assert_same_refusal(person.user, route, real(open_world), absent)
    assert everything_of(a) == before


def test_who_loses_access_to_a_base_loses_their_conversations_with_it(
    closed_world: World, a: Company
) -> None:
    with tenant_transaction(a.tenant):
        Membership.objects.filter(pk=a.owner.pk).update(role="editor")
        BaseAccess.objects.all().delete()
    absent = ABSENT | {"tenant_slug": a.tenant.slug}
    for route in routes_with("base_slug", *PERSONAL):
        found = {403} if route.name in ADMINS_ONLY else {404}
        assert_same_refusal(a.owner.user, route, real(closed_world), absent, found=found)


def test_who_left_the_company_is_a_stranger(open_world: World, a: Company) -> None:
    with tenant_transaction(a.tenant):
        Membership.objects.filter(pk=a.owner.pk).delete()
    for route in TENANT_ROUTES:
        assert_same_refusal(a.owner.user, route, real(open_world), ABSENT)


def test_a_value_that_nothing_can_have_is_absent_like_any_other(open_world: World) -> None:
    for route in TENANT_ROUTES:
        for name in route.values:
            for value in MALFORMED[name]:
                url = route.url(real(open_world) | {name: value})
                statuses = {ask(open_world.asker.user, method, url).status for method in METHODS}
                assert 404 in statuses, (route.path, name, str(value)[:20])
                assert statuses <= {404, 405}, (route.path, name, str(value)[:20])


def test_a_foreign_run_that_waits_is_neither_started_nor_stopped(
    open_world: World, a: Company, b: Company
) -> None:
    with tenant_transaction(a.tenant):
        Run.objects.filter(pk=open_world.run.pk).update(state="queued", finished_at=None)
    for route in routes_with("run_id"):
        for person in (b.owner.user, a.admin.user):
            for method in METHODS:
                assert ask(person, method, route.url(real(open_world))).status in REFUSALS
    with tenant_transaction(a.tenant):
        run = Run.objects.get(pk=open_world.run.pk)
    assert (run.state, run.claim, run.stop_requested) == ("queued", "", False)


def test_the_connection_keeps_no_tenant_after_any_route(open_world: World, a: Company) -> None:
    for route in TENANT_ROUTES:
        ask(a.owner.user, "GET", route.url(real(open_world)))
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT current_setting('app.tenant_id', true),"
                " current_setting('app.user_id', true)"
            )
            assert [value or "" for value in cursor.fetchone()] == ["", ""], route.path
