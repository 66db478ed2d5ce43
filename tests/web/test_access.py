"""Who reaches what: foreign and absent things are the same 404, roles decide the rest."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import Company, ingested, make_document
from tests.web.conftest import Asked, Browser, ask_handbook
from tests.web.test_every_page import ROUTES, address

ABSENT = 987_654
POSTS = (
    "base_abstracts",
    "base_preset",
    "base_read_again",
    "base_reading",
    "document_approve",
    "document_read_again",
    "document_restore",
    "document_retry",
    "run_stop",
)
ROLES = ("owner", "admin", "editor", "member")


def every_address(asked: Asked) -> dict[str, str]:
    tenant = asked.company.tenant.slug
    pages = {name: address(name, asked) for name in ROUTES}
    document = [tenant, asked.company.base.slug, asked.document.pk]
    return pages | {
        "base_preset": reverse("base_preset", args=document[:2]),
        **{
            name: reverse(name, args=document[:2])
            for name in ("base_reading", "base_abstracts", "base_read_again")
        },
        "document_read_again": reverse("document_read_again", args=document),
        "document_download": reverse("document_download", args=document),
        "document_approve": reverse("document_approve", args=document),
        "document_retry": reverse("document_retry", args=document),
        "document_restore": reverse("document_restore", args=[*document, 1]),
        "run_stream": reverse("run_stream", args=[tenant, asked.run.pk]),
        "run_stop": reverse("run_stop", args=[tenant, asked.run.pk]),
    }


def fetch(client: Client, name: str, path: str) -> tuple[int, bytes]:
    response = client.post(path) if name in POSTS else client.get(path)
    return response.status_code, b"" if response.streaming else response.content


def test_every_route_of_another_company_is_the_404_of_one_that_does_not_exist(
    a: Company, b: Company, browser: Browser
) -> None:
    stranger = browser(b.owner)
    for name, path in every_address(ask_handbook(a, a.owner)).items():
        absent = path.replace(f"/t/{a.tenant.slug}/", "/t/no-such-company/")
        foreign = fetch(stranger, name, path)
        assert foreign[0] == 404, name
        assert foreign == fetch(stranger, name, absent), name


def test_ids_of_another_company_are_the_404_of_ids_that_do_not_exist(
    a: Company, b: Company, browser: Browser
) -> None:
    mine, theirs = ask_handbook(a, a.owner), ask_handbook(b, b.owner)
    owner = browser(a.owner)
    tenant, base = a.tenant.slug, a.base.slug
    routes = {
        "document": ([tenant, base], theirs.document.pk, []),
        "document_delete": ([tenant, base], theirs.document.pk, []),
        "document_approve": ([tenant, base], theirs.document.pk, []),
        "document_retry": ([tenant, base], theirs.document.pk, []),
        "document_download": ([tenant, base], theirs.document.pk, []),
        "document_version": ([tenant, base], theirs.document.pk, [1]),
        "document_versions": ([tenant, base], theirs.document.pk, []),
        "document_compare": ([tenant, base], theirs.document.pk, []),
        "document_restore": ([tenant, base], theirs.document.pk, [1]),
        "conversation": ([tenant], theirs.run.conversation_id, []),
        "conversation_delete": ([tenant], theirs.run.conversation_id, []),
        "run_stream": ([tenant], theirs.run.pk, []),
        "run_stop": ([tenant], theirs.run.pk, []),
        "citation": ([tenant], theirs.run.pk, [1]),
    }
    for name, (before, foreign_id, after) in routes.items():
        foreign = fetch(owner, name, reverse(name, args=[*before, foreign_id, *after]))
        absent = fetch(owner, name, reverse(name, args=[*before, ABSENT, *after]))
        assert foreign[0] == 404, name
        assert foreign == absent, name
    assert owner.get(address("document", mine)).status_code == 200


def test_a_colleagues_conversation_run_and_citation_are_not_there(
    a: Company, browser: Browser
) -> None:
    asked = ask_handbook(a, a.owner)
    colleague = browser(a.admin)
    for name in ("conversation", "conversation_delete", "citation", "run_stream", "run_stop"):
        path = every_address(asked)[name]
        assert fetch(colleague, name, path)[0] == 404, name


@pytest.mark.parametrize(("who", "status"), [("insider", 200), ("owner", 200), ("member", 404)])
def test_a_restricted_base_is_there_for_its_group_and_for_admins(
    who: str, status: int, a: Company, browser: Browser
) -> None:
    document = ingested(a.tenant, a.restricted, "board.md", "# Board\n\nA secret.\n")
    client = browser(getattr(a, who))
    base = [a.tenant.slug, a.restricted.slug]
    assert client.get(reverse("documents", args=base)).status_code == status
    assert client.get(reverse("ask", args=base)).status_code == status
    assert client.get(reverse("document", args=[*base, document.pk])).status_code == status
    listed = a.restricted.name in client.get(reverse("bases", args=base[:1])).content.decode()
    assert listed is (status == 200)


def test_a_document_is_only_found_under_its_own_base(a: Company, browser: Browser) -> None:
    hidden = ingested(a.tenant, a.restricted, "board.md", "# Board\n\nA secret.\n")
    path = reverse("document", args=[a.tenant.slug, a.base.slug, hidden.pk])
    assert browser(a.member).get(path).status_code == 404


@pytest.mark.parametrize("who", ROLES)
def test_editors_change_documents_and_members_do_not(
    who: str, a: Company, browser: Browser
) -> None:
    document = make_document(a.tenant, a.base)
    client = browser(getattr(a, who))
    may = who != "member"
    arguments = [a.tenant.slug, a.base.slug]
    listed = client.get(reverse("documents", args=arguments))
    assert ("data-upload" in listed.content.decode()) is may
    uploading = client.post(reverse("documents", args=arguments))
    assert uploading.status_code == (422 if may else 403)  # let in, though without a file
    deleting = client.get(reverse("document_delete", args=[*arguments, document.pk]))
    assert deleting.status_code == (200 if may else 403)
    retrying = client.post(reverse("document_retry", args=[*arguments, document.pk]))
    assert retrying.status_code == (302 if may else 403)
    versions = reverse("document_versions", args=[*arguments, document.pk])
    assert client.get(versions).status_code == 200
    assert client.post(versions).status_code == (422 if may else 403)


@pytest.mark.parametrize("who", ROLES)
def test_admins_manage_bases_and_others_do_not(who: str, a: Company, browser: Browser) -> None:
    client = browser(getattr(a, who))
    status = 200 if who in ("owner", "admin") else 403
    assert client.get(reverse("base_new", args=[a.tenant.slug])).status_code == status
    path = reverse("base_delete", args=[a.tenant.slug, a.base.slug])
    assert client.get(path).status_code == status
    chosen = client.post(reverse("base_preset", args=[a.tenant.slug, a.base.slug]))
    assert chosen.status_code == (302 if status == 200 else 403)


def test_somebody_not_signed_in_is_sent_to_sign_in(asked: Asked, client: Client) -> None:
    for name, path in every_address(asked).items():
        response = client.post(path) if name in POSTS else client.get(path)
        assert response.status_code == 302, name
        assert response["Location"].startswith("/accounts/login/"), name


def test_a_get_changes_nothing_on_routes_that_act(asked: Asked, browser: Browser) -> None:
    client = browser(asked.company.editor)
    for name in POSTS:
        assert client.get(every_address(asked)[name]).status_code == 405
