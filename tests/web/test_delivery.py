"""What holds for every response: who may keep it, how long, and that HEAD has no body."""

from __future__ import annotations

import logging

import pytest
from django.conf import settings
from django.templatetags.static import static
from django.test import Client
from django.urls import reverse

from tests.accounts.routes import ABSENT, real, tenant_routes, world_of
from tests.factories import Company
from tests.web.conftest import Browser
from tests.web.test_documents import file_named


def test_no_response_of_a_company_may_be_kept_by_a_shared_cache(
    a: Company, browser: Browser
) -> None:
    owner = browser(a.owner)
    values = real(world_of(a, a.base))
    for route in tenant_routes():
        for url in (route.url(values), route.url(values | {"tenant_slug": ABSENT["tenant_slug"]})):
            response = owner.get(url)
            assert "private" in response["Cache-Control"], (route.path, response.status_code)
            assert "public" not in response["Cache-Control"]
            response.getvalue()  # or the stream's generator would be left open


def test_head_has_the_length_of_the_page_and_no_body(a: Company, browser: Browser) -> None:
    """Django's own client drops the body too, so the application is asked as a server asks it."""
    from django.core.wsgi import get_wsgi_application
    from django.test import RequestFactory

    cookie = browser(a.owner).cookies["sessionid"].value
    for path in ("/nowhere/", reverse("bases", args=[a.tenant.slug])):
        environ = RequestFactory().head(path).environ | {"HTTP_COOKIE": f"sessionid={cookie}"}
        headers: dict[str, str] = {}
        answer = get_wsgi_application()(
            environ, lambda status, pairs, error=None, kept=headers: kept.update(pairs)
        )
        assert b"".join(answer) == b"", path
        assert int(headers["Content-Length"]) > 1_000


def test_a_file_under_the_address_of_a_page_is_kept_for_a_year(client: Client) -> None:
    address = static("cairn.css")
    assert cache_control(client, address).endswith("immutable")
    bare, _, version = address.partition("?v=")
    assert len(version) == 12
    for other in (bare, f"{bare}?v=000000000000"):
        assert cache_control(client, other) == "max-age=60, public"


def cache_control(client: Client, address: str) -> str:
    response = client.get(address)
    response.close()
    return str(response["Cache-Control"])


def test_the_icon_is_found_at_its_old_address_too(client: Client) -> None:
    response = client.get("/favicon.ico", follow=True)
    assert response.status_code == 200
    assert response["Content-Type"].startswith("image/svg+xml")
    response.close()


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_more_files_than_may_be_sent_at_once_are_refused_with_a_sentence(
    headers: dict[str, str],
    a: Company,
    browser: Browser,
    caplog: pytest.LogCaptureFixture,
) -> None:
    most = settings.DATA_UPLOAD_MAX_NUMBER_FILES
    files = [file_named(f"{number}.md", "# A\n") for number in range(most + 1)]
    path = reverse("documents", args=[a.tenant.slug, a.base.slug])
    response = browser(a.editor).post(path, {"documents": files}, headers=headers)
    assert response.status_code == 400
    assert f"At most {most} files can be sent at a time" in response.content.decode()
    assert ("<html" in response.content.decode()) is (not headers)
    assert [r for r in caplog.records if r.levelno >= logging.ERROR] == []
