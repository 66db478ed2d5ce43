"""What most tests share: two companies with equal content, and a person who is in neither."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import override_settings
from hypothesis import settings

from accounts.models import User
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
