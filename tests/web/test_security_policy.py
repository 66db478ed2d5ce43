"""The policy header: on Cairn's own pages, streams and refusals, and not on the admin's."""

from __future__ import annotations

from django.test import Client

from config.content_security_policy import POLICY


def test_pages_carry_the_policy_and_the_admin_does_not(client: Client, db: None) -> None:
    assert client.get("/accounts/login/")["Content-Security-Policy"] == POLICY
    assert client.get("/nowhere/")["Content-Security-Policy"] == POLICY
    assert "Content-Security-Policy" not in client.get("/admin/login/")


def test_the_policy_allows_nothing_inline_and_nothing_foreign() -> None:
    assert "unsafe" not in POLICY
    assert "http" not in POLICY
    assert "default-src 'self'" in POLICY
