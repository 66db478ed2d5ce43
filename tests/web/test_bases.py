"""The list of bases, making and deleting one, and where signing in leads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import Group, Role, User
from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from knowledge.services.bases import NameTaken, base_change
from tests.factories import (
    Company,
    ingested,
    make_base,
    make_company,
    make_membership,
    make_tenant,
    uploaded,
)
from tests.web.conftest import Browser
from tests.web.pages import read_page


def test_home_leads_to_the_only_company(a: Company, browser: Browser) -> None:
    response = browser(a.member).get("/")
    assert response.status_code == 302
    assert response["Location"] == reverse("bases", args=[a.tenant.slug])


def test_home_offers_the_companies_of_somebody_in_several(
    a: Company, b: Company, browser: Browser
) -> None:
    make_membership(b.tenant, a.member.user, Role.EDITOR)
    page = read_page(browser(a.member).get("/").content.decode())
    for company in (a, b):
        assert reverse("bases", args=[company.tenant.slug]) in page.links()


def test_home_tells_somebody_in_no_company_whom_to_ask(outsider: User, client: Client) -> None:
    make_tenant("not-theirs")
    client.force_login(outsider)
    html = client.get("/").content.decode()
    assert "Ask the owner or an admin" in html
    assert "not-theirs" not in html


def test_a_card_counts_documents_by_what_became_of_them(a: Company, browser: Browser) -> None:
    ingested(a.tenant, a.base, "good.md", "# Good\n\nText.\n")
    ingested(a.tenant, a.base, "empty.md", b"")
    uploaded(a.tenant, a.base, "waiting.md", "# Waiting\n")
    html = browser(a.member).get(reverse("bases", args=[a.tenant.slug])).content.decode()
    assert "3 documents" in html
    for count in ("1 ready", "1 in progress", "1 failed"):
        assert count in html


def test_a_new_base_leads_to_its_documents(a: Company, browser: Browser) -> None:
    response = browser(a.admin).post(
        reverse("base_new", args=[a.tenant.slug]),
        {"name": "产品手册", "description": "Manuals", "visibility": "tenant"},
    )
    with tenant_transaction(a.tenant):
        base = KnowledgeBase.objects.get(name="产品手册")
    assert response["Location"] == reverse("documents", args=[a.tenant.slug, base.slug])
    assert base.description == "Manuals"
    assert base.created_by_id == a.admin.user_id


def test_a_restricted_base_is_made_for_the_chosen_groups_only(a: Company, browser: Browser) -> None:
    path = reverse("base_new", args=[a.tenant.slug])
    owner = browser(a.owner)
    data = {"name": "Secrets", "visibility": "restricted"}
    assert "Choose at least one group" in owner.post(path, data).content.decode()
    owner.post(path, data | {"groups": [a.group.pk]})
    with tenant_transaction(a.tenant):
        assert KnowledgeBase.objects.visible_to(a.insider).filter(name="Secrets").exists()
        assert not KnowledgeBase.objects.visible_to(a.member).filter(name="Secrets").exists()


@pytest.mark.parametrize("page", ["base_new", "base_settings"])
def test_ticked_groups_are_not_dropped_from_an_open_base(
    page: str, a: Company, browser: Browser
) -> None:
    arguments = [a.tenant.slug] if page == "base_new" else [a.tenant.slug, a.base.slug]
    data = {"name": "Secrets", "visibility": "tenant", "groups": [a.group.pk]}
    response = browser(a.owner).post(reverse(page, args=arguments), data)
    assert response.status_code == 422
    assert "Groups are ticked" in response.content.decode()
    with tenant_transaction(a.tenant):
        assert not KnowledgeBase.objects.filter(name="Secrets").exists()


@pytest.mark.parametrize("page", ["base_new", "base_settings"])
def test_without_a_group_the_form_says_how_a_base_is_restricted(
    page: str, a: Company, browser: Browser
) -> None:
    arguments = [a.tenant.slug] if page == "base_new" else [a.tenant.slug, a.base.slug]
    path, hint = reverse(page, args=arguments), reverse("group_new", args=[a.tenant.slug])
    assert hint not in browser(a.owner).get(path).content.decode()
    with tenant_transaction(a.tenant):
        Group.objects.all().delete()
    assert hint in browser(a.owner).get(path).content.decode()


def test_a_group_of_another_company_cannot_be_chosen(
    a: Company, b: Company, browser: Browser
) -> None:
    response = browser(a.owner).post(
        reverse("base_new", args=[a.tenant.slug]),
        {"name": "Secrets", "visibility": "restricted", "groups": [b.group.pk]},
    )
    assert response.status_code == 422
    with tenant_transaction(a.tenant):
        assert not KnowledgeBase.objects.filter(name="Secrets").exists()


def test_a_taken_name_is_refused_beside_the_field(a: Company, browser: Browser) -> None:
    response = browser(a.owner).post(
        reverse("base_new", args=[a.tenant.slug]), {"name": a.base.name, "visibility": "tenant"}
    )
    assert response.status_code == 422
    assert "There is a knowledge base called" in response.content.decode()


@pytest.mark.django_db(transaction=True)
def test_of_bases_made_at_once_under_one_name_one_is_made() -> None:
    company = make_company("aurora")
    start = Barrier(6)
    path = reverse("base_new", args=[company.tenant.slug])

    def post(number: int) -> int:
        client = Client()
        try:
            client.force_login(company.admin.user)
            start.wait(30)
            # Names that differ in capitals and signs are one name.
            name = ("Twin", "twin!")[number % 2]
            return client.post(path, {"name": name, "visibility": "tenant"}).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        statuses = sorted(pool.map(post, range(6)))
    assert statuses == [302, *[422] * 5]
    with tenant_transaction(company.tenant):
        assert KnowledgeBase.objects.filter(slug__startswith="twin").count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_bases_renamed_at_once_to_one_name_one_has_it() -> None:
    company = make_company("aurora")
    bases = [make_base(company.tenant, f"Base {number}") for number in range(4)]
    start = Barrier(4)

    def rename(base: KnowledgeBase) -> bool:
        try:
            start.wait(30)
            base_change(
                tenant=company.tenant,
                base=base,
                name="Twin",
                description="",
                visibility="tenant",
                groups=(),
            )
        except NameTaken:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(rename, bases)) == [False, False, False, True]


def test_an_empty_form_for_a_base_is_refused_beside_the_field(a: Company, browser: Browser) -> None:
    response = browser(a.owner).post(reverse("base_new", args=[a.tenant.slug]))
    assert response.status_code == 422
    assert "This field is required" in response.content.decode()


def test_deleting_a_base_asks_first(a: Company, browser: Browser) -> None:
    ingested(a.tenant, a.base, "good.md", "# Good\n\nText.\n")
    admin = browser(a.admin)
    path = reverse("base_delete", args=[a.tenant.slug, a.base.slug])
    assert "Its document, everything made from it and" in admin.get(path).content.decode()
    with tenant_transaction(a.tenant):
        assert KnowledgeBase.objects.filter(pk=a.base.pk).exists()
    response = admin.post(path, follow=True)
    assert "was deleted" in response.content.decode()
    with tenant_transaction(a.tenant):
        assert not KnowledgeBase.objects.filter(pk=a.base.pk).exists()
