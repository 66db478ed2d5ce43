"""Changing a base: its name and description, and who may read it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from tests.factories import Company, make_base
from tests.web.conftest import Browser
from tests.web.pages import read_page


def settings_of(company: Company, base: KnowledgeBase) -> str:
    return reverse("base_settings", args=[company.tenant.slug, base.slug])


def stored(company: Company, base: KnowledgeBase) -> KnowledgeBase:
    with tenant_transaction(company.tenant):
        return KnowledgeBase.objects.get(pk=base.pk)


def test_a_base_is_renamed_and_its_address_stays(a: Company, browser: Browser) -> None:
    path = settings_of(a, a.base)
    sent = {"name": "People & culture", "description": "All of it.", "visibility": "tenant"}
    response = browser(a.admin).post(path, sent)
    assert response["Location"] == path
    base = stored(a, a.base)
    assert (base.name, base.description) == ("People & culture", "All of it.")
    assert (base.slug, base.uri) == (a.base.slug, a.base.uri)


def test_the_form_shows_the_base_as_it_is(a: Company, browser: Browser) -> None:
    page = read_page(browser(a.owner).get(settings_of(a, a.restricted)).content.decode())
    values = {
        attributes.get("value")
        for attributes in page.attributes("input")
        if attributes.get("name") == "name"
        or ("checked" in attributes and attributes.get("name") in ("visibility", "groups"))
    }
    assert values == {"Board papers", "restricted", str(a.group.pk)}


def test_a_base_is_restricted_and_opened_again(a: Company, browser: Browser) -> None:
    owner, member = browser(a.owner), browser(a.member)
    path, documents = (
        settings_of(a, a.base),
        reverse("documents", args=[a.tenant.slug, a.base.slug]),
    )
    restricted = {"name": "Handbook", "visibility": "restricted"}
    assert "Choose at least one group" in owner.post(path, restricted).content.decode()
    owner.post(path, restricted | {"groups": [a.group.pk]})
    assert member.get(documents).status_code == 404
    assert browser(a.insider).get(documents).status_code == 200
    # Its groups are ticked still, and opening it is what was meant.
    owner.post(path, {"name": "Handbook", "visibility": "tenant", "groups": [a.group.pk]})
    assert member.get(documents).status_code == 200


def test_a_base_stays_restricted_when_its_last_group_is_gone(a: Company, browser: Browser) -> None:
    owner = browser(a.owner)
    owner.post(reverse("group_delete", args=[a.tenant.slug, a.group.pk]))
    owner.post(settings_of(a, a.restricted), {"name": "Renamed"})
    assert stored(a, a.restricted).visibility == "restricted"
    owner.post(settings_of(a, a.base), {"name": "Renamed"})
    assert stored(a, a.base).name == "Renamed"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Board papers", "There is a knowledge base called Board papers already"),
        ("🚀", "at least one letter or digit"),
        ("..", "at least one letter or digit"),
        ("\u202e", "at least one letter or digit"),
    ],
)
@pytest.mark.parametrize("route", ["base_new", "base_settings"])
def test_a_name_that_cannot_be_used_is_refused_beside_the_field(
    route: str, name: str, sentence: str, a: Company, browser: Browser
) -> None:
    values = [a.tenant.slug] + ([a.base.slug] if route == "base_settings" else [])
    sent = {"name": name, "visibility": "tenant"}
    response = browser(a.owner).post(reverse(route, args=values), sent)
    assert response.status_code == 422
    assert sentence in response.content.decode()


def test_a_name_loses_what_would_turn_the_page_round(a: Company, browser: Browser) -> None:
    sent = {"name": "\u202eReports\u200b  2026\u2066", "visibility": "tenant"}
    browser(a.owner).post(settings_of(a, a.base), sent)
    assert stored(a, a.base).name == "Reports 2026"


def test_a_name_that_another_base_has_left_is_free(a: Company, browser: Browser) -> None:
    owner = browser(a.owner)
    owner.post(settings_of(a, a.base), {"name": "Old handbook", "visibility": "tenant"})
    owner.post(reverse("base_new", args=[a.tenant.slug]), {"name": "Handbook"} | _open())
    with tenant_transaction(a.tenant):
        assert KnowledgeBase.objects.get(name="Handbook").slug == "handbook-2"


def test_a_freed_name_of_full_length_can_be_given_again(a: Company, browser: Browser) -> None:
    owner, name = browser(a.owner), "h" * 70
    for number in range(3):
        owner.post(reverse("base_new", args=[a.tenant.slug]), {"name": name} | _open())
        with tenant_transaction(a.tenant):
            base = KnowledgeBase.objects.get(name=name)
        owner.post(settings_of(a, base), {"name": f"Renamed {number}"} | _open())
        assert stored(a, base).name == f"Renamed {number}"


@pytest.mark.parametrize(("who", "status"), [("admin", 200), ("editor", 403), ("member", 403)])
def test_settings_are_for_owners_and_admins(
    who: str, status: int, a: Company, browser: Browser
) -> None:
    client, path = browser(getattr(a, who)), settings_of(a, a.base)
    assert client.get(path).status_code == status
    listed = client.get(reverse("documents", args=[a.tenant.slug, a.base.slug]))
    assert (path in listed.content.decode()) is (status == 200)


def test_the_bases_come_in_pages(a: Company, browser: Browser) -> None:
    for number in range(50):
        make_base(a.tenant, name=f"Topic {number:02}")
    client, path = browser(a.member), reverse("bases", args=[a.tenant.slug])
    first, second = (client.get(f"{path}?page={n}").content.decode() for n in (1, 2))
    assert "Page 1 of 2" in first
    assert "Topic 10" in first
    assert "Topic 49" not in first
    assert "Topic 49" in second


def _open() -> dict[str, str]:
    return {"visibility": "tenant"}
