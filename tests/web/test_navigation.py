"""The bar at the top and the tabs of a base: what they lead to, and which of it is open."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Membership, Role
from tests.factories import Company, make_base, make_membership, make_tenant
from tests.web.conftest import Browser
from tests.web.pages import read_page


def open_pages(html: str) -> list[str]:
    """Return the addresses of the links that are marked as the page one is on."""
    links = read_page(html).attributes("a")
    return [link["href"] for link in links if link.get("aria-current") == "page"]


@pytest.mark.parametrize("slug", ["manual", "büro", "产品手册"])
@pytest.mark.parametrize("name", ["documents", "base_settings"])
def test_the_tab_that_is_open_is_marked_whatever_the_letters_of_the_address(
    a: Company, browser: Browser, slug: str, name: str
) -> None:
    make_base(a.tenant, slug)
    address = reverse(name, args=[a.tenant.slug, slug])
    assert open_pages(browser(a.owner).get(address).content.decode()) == [address]


@pytest.mark.parametrize("name", ["bases", "conversations", "people"])
def test_the_page_that_is_open_is_marked_in_the_bar_of_a_company_with_any_name(
    browser: Browser, db: None, name: str
) -> None:
    owner = make_membership(make_tenant("grün"), role=Role.OWNER)
    address = reverse(name, args=["grün"])
    assert open_pages(browser(owner).get(address).content.decode()) == [address]


def test_settings_that_are_refused_are_still_the_page_of_the_settings(
    a: Company, browser: Browser
) -> None:
    arguments = [a.tenant.slug, a.base.slug]
    response = browser(a.owner).post(reverse("base_reading", args=arguments), {"parse_mode": "no"})
    assert response.status_code == 422
    assert open_pages(response.content.decode()) == [reverse("base_settings", args=arguments)]


def bar_of(client: Client, path: str) -> list[str]:
    """Return the words of the links in the bar."""
    html = client.get(path).content.decode()
    bar = html.partition('aria-label="Main">')[2].partition("</nav>")[0]
    return read_page(f"<nav>{bar}</nav>").text("a")


@pytest.mark.parametrize("path", ["/nowhere/", "/accounts/password/change/", "/t/elsewhere/"])
def test_a_page_of_no_company_keeps_the_bar_of_the_only_one(
    a: Company, client: Client, path: str
) -> None:
    def of(member: Membership) -> list[str]:
        member.user.set_password("correct horse battery")
        member.user.save()
        client.force_login(member.user)
        return bar_of(client, path)

    assert of(a.member) == ["Bases", "Conversations"]
    assert of(a.owner) == ["Bases", "Conversations", "People"]
