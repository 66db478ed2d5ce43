"""The section of a base's settings about experience."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from retrieval.models.experience import settings_of
from tests.experience_factories import make_experience_settings
from tests.factories import Company
from tests.web.conftest import Browser
from tests.web.pages import Page, read_page


def urls(company: Company, base: KnowledgeBase) -> tuple[str, str]:
    values = [company.tenant.slug, base.slug]
    return reverse("base_settings", args=values), reverse("base_experience", args=values)


def stored(company: Company, base: KnowledgeBase) -> tuple[str, float]:
    with tenant_transaction(company.tenant):
        row = settings_of(base)
        return row.policy, row.audit_share


def chosen(page: Page) -> tuple[list[str], list[str]]:
    """Return the checked policy and the percent that the form shows."""
    fields = page.attributes("input")
    policies = [one["value"] for one in fields if one.get("name") == "policy" and "checked" in one]
    return policies, [one["value"] for one in fields if one.get("name") == "audit_percent"]


def test_a_base_without_settings_shows_the_defaults_and_no_numbers_yet(
    a: Company, browser: Browser
) -> None:
    page = read_page(browser(a.owner).get(urls(a, a.base)[0]).content.decode())
    assert chosen(page) == (["learn"], ["0"])
    assert "None yet." in page.text("dd")


def test_policy_and_share_of_audits_are_stored(a: Company, browser: Browser) -> None:
    page_url, url = urls(a, a.base)
    client = browser(a.admin)
    response = client.post(url, {"policy": "frozen", "audit_percent": "7"})
    assert response["Location"] == page_url
    assert stored(a, a.base) == ("frozen", 0.07)
    assert chosen(read_page(client.get(page_url).content.decode())) == (["frozen"], ["7"])


def test_the_settings_of_another_base_stay(a: Company, browser: Browser) -> None:
    make_experience_settings(a.tenant, a.restricted, policy="record", audit_share=0.5)
    browser(a.admin).post(urls(a, a.base)[1], {"policy": "off", "audit_percent": "0"})
    assert stored(a, a.restricted) == ("record", 0.5)


@pytest.mark.parametrize(
    ("policy", "percent"),
    [("learn", "101"), ("learn", "-1"), ("learn", "nan"), ("learn", ""), ("sometimes", "1")],
)
def test_what_cannot_be_is_an_error_beside_the_field(
    a: Company, browser: Browser, policy: str, percent: str
) -> None:
    sent = {"policy": policy, "audit_percent": percent}
    response = browser(a.owner).post(urls(a, a.base)[1], sent)
    assert response.status_code == 422
    page = read_page(response.content.decode())
    assert page.text("h1") == [a.base.name]
    assert [one for one in page.attributes("p") if one.get("class") == "field-error"]
    assert stored(a, a.base) == ("learn", 0)


@pytest.mark.parametrize("who", ["editor", "member"])
def test_only_owners_and_admins_change_it(a: Company, browser: Browser, who: str) -> None:
    sent = {"policy": "off", "audit_percent": "0"}
    response = browser(getattr(a, who)).post(urls(a, a.base)[1], sent)
    assert response.status_code == 403
    assert stored(a, a.base) == ("learn", 0)
