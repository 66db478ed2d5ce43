"""Requests that are refused: the sentence says why, and who or what can help."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import Company, make_user
from tests.web.conftest import Browser
from tests.web.pages import read_page

FOREIGN = "evil-name.example"


def said(client: Client, path: str, **headers: str) -> tuple[int, str]:
    """Return the status and the words of the page."""
    response = client.get(path, **headers)  # type: ignore[arg-type]
    return response.status_code, " ".join(read_page(response.content.decode()).text("main"))


@pytest.mark.parametrize("name", [FOREIGN, "<script>alert(1)</script>", "a b"])
def test_a_name_that_is_not_served_is_told_with_its_setting(client: Client, name: str) -> None:
    status, words = said(client, "/accounts/login/", HTTP_HOST=name)
    assert status == 400
    assert "CAIRN_ALLOWED_HOSTS" in words
    assert "too large" not in words
    response = client.get("/accounts/login/", HTTP_HOST=name)
    assert name.encode() not in response.content  # it is anybody's


def test_a_script_is_told_of_the_name_in_a_line_of_text(client: Client) -> None:
    response = client.get("/", HTTP_HOST=FOREIGN, HTTP_HX_REQUEST="true")
    assert (response.status_code, response["Content-Type"]) == (400, "text/plain; charset=utf-8")
    assert b"CAIRN_ALLOWED_HOSTS" in response.content


@pytest.mark.parametrize("path", ["/admin/", "/admin/knowledge/document/"])
def test_a_member_is_told_who_may_open_the_administration(
    a: Company, browser: Browser, path: str
) -> None:
    response = browser(a.owner).get(path, follow=True)
    words = " ".join(read_page(response.content.decode()).text("main"))
    assert response.status_code == 403
    assert "operators" in words
    assert "Editors" not in words


def test_an_operator_is_told_why_a_page_of_the_admin_does_nothing(
    a: Company, client: Client
) -> None:
    client.force_login(make_user(is_staff=True, is_superuser=True))
    status, words = said(client, reverse("admin:retrieval_usageentry_add"))
    assert status == 403
    assert "Cairn alone writes" in words
    assert "Editors" not in words
