"""Knowledge bases in the admin."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from tests.factories import Company, make_user


@pytest.mark.parametrize(
    ("tokens", "error"),
    [
        ("", None),
        ("5", "greater than or equal to 50"),
        ("49", "greater than or equal to 50"),
        ("50", None),
        ("8000", None),
        ("8001", "less than or equal to 8000"),
    ],
)
def test_a_chunk_size_that_nothing_can_be_cut_to_is_an_error_on_the_form(
    a: Company, client: Client, tokens: str, error: str | None
) -> None:
    client.force_login(make_user("operator@example.com", is_staff=True, is_superuser=True))
    client.post(reverse("admin:choose_tenant", args=[a.tenant.pk]))
    page = client.post(
        reverse("admin:knowledge_knowledgebase_change", args=[a.base.pk]),
        {
            "_tenant": a.tenant.pk,
            "name": "Renamed",
            "visibility": "tenant",
            "chunk_max_tokens": tokens,
            "abstracts": "lazy",
            "access-TOTAL_FORMS": 0,
            "access-INITIAL_FORMS": 0,
        },
    )
    assert page.status_code == (302 if error is None else 200)
    assert error is None or error in page.content.decode()
    with tenant_transaction(a.tenant):
        assert KnowledgeBase.objects.filter(name="Renamed").exists() == (error is None)
