"""What holds for every page: a title, one heading, sound HTML, nothing inline, nothing foreign."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Membership
from config.content_security_policy import POLICY
from tests.factories import Company, make_membership, make_tenant, make_user
from tests.web.conftest import Asked, Browser
from tests.web.pages import read_page

ROUTES = (
    "bases",
    "base_new",
    "base_delete",
    "base_settings",
    "people",
    "member",
    "member_remove",
    "group_new",
    "group",
    "group_delete",
    "documents",
    "document",
    "document_delete",
    "document_version",
    "document_versions",
    "document_compare",
    "ask",
    "conversations",
    "conversation",
    "conversation_delete",
    "citation",
)


def address(name: str, asked: Asked) -> str:
    """Return the address of a page about `asked`, from the names of the route's parameters."""
    known = {
        "base_slug": asked.company.base.slug,
        "document_id": asked.document.pk,
        "conversation_id": asked.run.conversation_id,
        "run_id": asked.run.pk,
        "number": 1,
        "membership_id": asked.company.member.pk,
        "group_id": asked.company.group.pk,
    }
    parameters: dict[str, tuple[str, ...]] = {
        "base_delete": ("base_slug",),
        "base_settings": ("base_slug",),
        "member": ("membership_id",),
        "member_remove": ("membership_id",),
        "group": ("group_id",),
        "group_delete": ("group_id",),
        "documents": ("base_slug",),
        "ask": ("base_slug",),
        "document": ("base_slug", "document_id"),
        "document_delete": ("base_slug", "document_id"),
        "document_versions": ("base_slug", "document_id"),
        "document_compare": ("base_slug", "document_id"),
        "document_version": ("base_slug", "document_id", "number"),
        "conversation": ("conversation_id",),
        "conversation_delete": ("conversation_id",),
        "citation": ("run_id", "number"),
    }
    wanted = {parameter: known[parameter] for parameter in parameters.get(name, ())}
    return reverse(name, kwargs={"tenant_slug": asked.company.tenant.slug, **wanted})


def everyone(company: Company) -> dict[str, Membership]:
    return {
        "owner": company.owner,
        "admin": company.admin,
        "editor": company.editor,
        "member": company.member,
    }


@pytest.mark.parametrize("name", ROUTES)
def test_a_page_is_sound_and_has_a_title_and_one_heading(
    name: str, a: Company, browser: Browser
) -> None:
    from tests.web.conftest import ask_handbook

    asked = ask_handbook(a, a.owner)
    response = browser(a.owner).get(address(name, asked))
    assert response.status_code == 200
    check(response.content.decode())
    assert response["Content-Security-Policy"] == POLICY


@pytest.mark.parametrize("name", ["bases", "conversations", "documents", "ask"])
def test_a_page_with_nothing_to_show_says_what_to_do_next(
    name: str, a: Company, browser: Browser
) -> None:
    arguments = (
        [a.tenant.slug] if name in ("bases", "conversations") else [a.tenant.slug, a.base.slug]
    )
    html = browser(a.owner).get(reverse(name, args=arguments)).content.decode()
    check(html)
    sentences = {
        "bases": "No documents yet",
        "conversations": "Choose a knowledge base and ask it",
        "documents": "Choose or drop the first ones above",
        "ask": "There is no document to ask about yet",
    }
    assert sentences[name] in html


@pytest.mark.parametrize(
    "path",
    [
        "/accounts/login/",
        "/accounts/password/reset/",
        "/accounts/password/reset/done/",
        "/accounts/signup/",
    ],
)
def test_the_pages_before_signing_in_are_sound(path: str, client: Client, db: None) -> None:
    response = client.get(path)
    assert response.status_code == 200
    check(response.content.decode())


@pytest.mark.parametrize("path", ["/accounts/password/change/", "/accounts/logout/", "/"])
def test_the_account_pages_are_sound(path: str, client: Client, db: None) -> None:
    client.force_login(make_user())
    user = make_user()
    user.set_password("correct horse battery")
    user.save()
    client.force_login(user)
    response = client.get(path)
    assert response.status_code == 200
    check(response.content.decode())


def test_a_missing_page_is_sound(client: Client, db: None) -> None:
    response = client.get("/nowhere/")
    assert response.status_code == 404
    check(response.content.decode())


def test_a_member_is_told_why_a_page_is_not_for_them(a: Company, browser: Browser) -> None:
    response = browser(a.member).get(reverse("base_new", args=[a.tenant.slug]))
    assert response.status_code == 403
    check(response.content.decode())


def check(html: str) -> None:
    page = read_page(html)
    assert page.text("title")[0].removesuffix("· Cairn").strip()
    assert len(page.text("h1")) == 1
    assert page.text("h1")[0]
    assert len(page.attributes("main")) == 1
    assert page.ids_used_twice() == []
    for tag, attributes in page.tags:
        assert "style" not in attributes, tag
        assert not [name for name in attributes if name.startswith("on")], tag
        for name in ("src", "href", "action"):
            assert not re.match(r"(?:https?:)?//|javascript:", attributes.get(name, "")), tag
    assert page.text("style") == []
    assert [text for text in page.text("script") if text] == []
    for field in page.attributes("input") + page.attributes("textarea") + page.attributes("select"):
        assert field.get("type") == "hidden" or "id" in field, field


@pytest.mark.parametrize("path", ["/accounts/password/change/", "/"])
def test_a_page_of_no_company_leads_back_to_the_bases(
    path: str, b: Company, client: Client
) -> None:
    user = b.member.user
    user.set_password("correct horse battery")
    user.save()
    make_membership(make_tenant(), user)
    client.force_login(user)
    html = client.get(path).content.decode()
    assert 'aria-label="Main"' in html
    assert ">Bases</a>" in html
