"""A real Chromium before a real server, with the worker's work done by a thread beside it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.db import connection
from playwright.sync_api import Browser, Page, expect, sync_playwright
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from tests.factories import PASSWORD, Company, ingest_queued, make_company

CHROMIUM = "/usr/bin/chromium"
TIMEOUT_MS = 45_000


@dataclass(slots=True)
class Site:
    """The server's address, a company, and what the pages wrote into the browser's console."""

    url: str
    company: Company
    complaints: list[str] = field(default_factory=list)

    def path(self, *parts: str) -> str:
        return "/".join([self.url, "t", self.company.tenant.slug, *parts, ""])


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    # Playwright's loop runs in this thread; the ORM is only told that this is all right.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    expect.set_options(timeout=TIMEOUT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def site(transactional_db: None, live_server: LiveServer, settings: Settings) -> Iterator[Site]:
    """Return the site with the embedder that is shipped: the answers depend on it."""
    settings.EMBEDDER = "bundled"
    company = make_company("aurora")
    for member in (company.editor, company.member):
        member.user.set_password(PASSWORD)
        member.user.save()
    with working(company):
        yield Site(live_server.url, company)


class working:
    """Ingests what is uploaded, as the worker would, until the block ends."""

    def __init__(self, company: Company) -> None:
        self._company = company
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="worker")

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join(TIMEOUT_MS / 1000)

    def _work(self) -> None:
        while not self._over.wait(0.3):
            ingest_queued(self._company.tenant)
        connection.close()


@pytest.fixture
def page(chromium: Browser, site: Site, tmp_path: Path) -> Iterator[Page]:
    """Return a tab that fails the test for every error in its console."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(TIMEOUT_MS)
    tab = context.new_page()
    tab.on(
        "console", lambda line: site.complaints.append(line.text) if line.type == "error" else None
    )
    tab.on("pageerror", lambda error: site.complaints.append(str(error)))
    yield tab
    context.close()
    assert site.complaints == []


def sign_in(page: Page, site: Site, who: str = "editor") -> None:
    page.goto(site.url)
    page.get_by_label("Email").fill(f"{who}@{site.company.tenant.slug}.example")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Knowledge bases").wait_for()
