"""How often a sign-in may fail, counted by client and by account; success is never held back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from accounts.connections import release_connection
from accounts.models import User
from tests.factories import PASSWORD, make_user

PROXY = "10.0.0.1"


@pytest.fixture(autouse=True)
def fresh_counts(db: None) -> None:
    cache.clear()


def make_person(email: str) -> User:
    user = make_user(email)
    user.set_password(PASSWORD)
    user.save()
    return user


def sign_in(email: str, password: str = PASSWORD, forwarded: str = "") -> bool:
    """Return whether the sign-in worked, as it comes through the proxy."""
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    form = {"login": email, "password": password}
    client = Client(REMOTE_ADDR=PROXY)
    return client.post(reverse("account_login"), form, headers=headers).status_code == 302


def fail_often(forwarded: str) -> None:
    for number in range(15):
        assert not sign_in(f"guess{number}@example.com", "wrong", forwarded)


def test_behind_a_trusted_proxy_only_the_client_that_failed_is_held_back(
    settings: Settings,
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    make_person("ann@example.com")
    fail_often("203.0.113.7")
    assert not sign_in("ann@example.com", forwarded="203.0.113.7")
    assert sign_in("ann@example.com", forwarded="203.0.113.8")


def test_a_client_cannot_choose_its_address_in_front_of_the_trusted_proxy(
    settings: Settings,
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    make_person("ann@example.com")
    fail_often("203.0.113.7")
    assert not sign_in("ann@example.com", forwarded="198.51.100.1, 203.0.113.7")


def test_without_a_trusted_proxy_the_header_counts_for_nothing(settings: Settings) -> None:
    assert settings.ALLAUTH_TRUSTED_PROXY_COUNT == 0
    make_person("ann@example.com")
    fail_often("203.0.113.7")
    assert not sign_in("ann@example.com", forwarded="203.0.113.8")


@pytest.mark.parametrize("forwarded", ["", "203.0.113.7"])
def test_a_request_past_the_proxies_counts_by_its_own_address(
    settings: Settings, forwarded: str
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    make_person("ann@example.com")
    assert sign_in("ann@example.com", forwarded=forwarded)


def test_an_account_is_closed_for_a_while_after_failures_from_everywhere(
    settings: Settings,
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    make_person("ann@example.com")
    for number in range(6):
        assert not sign_in("ann@example.com", "wrong", f"203.0.113.{number}")
    assert not sign_in("ann@example.com", forwarded="198.51.100.1")


def test_many_right_sign_ins_one_after_another_are_not_held_back() -> None:
    make_person("ann@example.com")
    assert all(sign_in("ann@example.com") for _ in range(40))


@pytest.mark.django_db(transaction=True)
def test_eight_right_sign_ins_at_once_are_not_held_back() -> None:
    make_person("ann@example.com")

    def attempt(_: int) -> bool:
        try:
            return sign_in("ann@example.com")
        finally:
            release_connection()

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(attempt, range(8)))


def test_a_database_that_stores_nothing_is_not_taken_for_failed_attempts() -> None:
    make_person("ann@example.com")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL transaction_read_only = on")
    form = {"login": "ann@example.com", "password": PASSWORD}
    page = Client(REMOTE_ADDR=PROXY).post(reverse("account_login"), form).content.decode()
    assert "Too many failed login attempts" not in page
    assert "The server cannot store anything at the moment." in page


def test_failures_of_one_are_remembered_while_others_fail_too() -> None:
    make_person("ann@example.com")
    for _ in range(6):
        sign_in("ann@example.com", "wrong")
    assert not sign_in("ann@example.com")
    for number in range(400):
        cache.set(f"zzz:{number}", 1, 300)
    assert not sign_in("ann@example.com")
