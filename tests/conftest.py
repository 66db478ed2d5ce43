"""What most tests share: two companies with equal content, and a person who is in neither."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

import pytest
from django.test import override_settings
from hypothesis import settings
from pytest_django import DjangoDbBlocker
from whitenoise.middleware import WhiteNoiseMiddleware

from accounts.models import User
from tests.committed_rows import emptied_by_one_statement
from tests.factories import Company, make_company, make_user

# No property holds only on a quick machine: Hypothesis's 200 ms an example would say so.
settings.register_profile("cairn", deadline=None)
settings.load_profile("cairn")


@pytest.fixture(scope="session", autouse=True)
def quick_password_hashes() -> Iterator[None]:
    """Hash passwords quickly: a million rounds each are for attackers, not for 100 sign-ins."""
    quick = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with override_settings(PASSWORD_HASHERS=quick):
        yield


@pytest.fixture(scope="session", autouse=True)
def static_files_listed_once() -> Iterator[None]:
    """Look for static files once: every Client has middleware of its own that does, for 12 ms."""
    found: list[dict[str, Any]] = []
    listed = WhiteNoiseMiddleware.add_files_from_finders

    def add(middleware: WhiteNoiseMiddleware) -> None:
        if not found:
            listed(middleware)
            found.append(middleware.files)
        middleware.files = dict(found[0])

    with patch.object(WhiteNoiseMiddleware, "add_files_from_finders", add):
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Empty the database after tests that commit more quickly than Django does."""
    with ExitStack() as stack:
        with django_db_blocker.unblock():
            stack.enter_context(emptied_by_one_statement())
        yield


@pytest.fixture
def a(db: None) -> Company:
    return make_company("aurora")


@pytest.fixture
def b(db: None) -> Company:
    return make_company("borealis")


@pytest.fixture
def outsider(db: None) -> User:
    """Return somebody who may sign in and belongs to no company."""
    return make_user("outsider@example.com")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests measured: `record_property("figures", "a line")`, also through xdist."""
    lines = [
        value
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", "") == "call"
        for name, value in getattr(report, "user_properties", ())
        if name == "figures"
    ]
    if lines:
        terminalreporter.section("figures")
        for line in lines:
            terminalreporter.write_line(str(line))
