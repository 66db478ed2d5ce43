"""Knowledge bases in the admin."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.tenancy import tenant_transaction
from knowledge.ingest.reading_options import ReadingOptions
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
    page = post_base(a, client, chunk_max_tokens=tokens)
    assert page.status_code == (302 if error is None else 200)
    assert error is None or error in page.content.decode()
    with tenant_transaction(a.tenant):
        assert KnowledgeBase.objects.filter(name="Renamed").exists() == (error is None)


@pytest.mark.parametrize(
    ("languages", "accepted"),
    [("deu+eng", True), ("../eng", False), ("eng+", False), ("", False)],
)
def test_operators_choose_how_documents_are_read_too(
    a: Company, client: Client, languages: str, accepted: bool
) -> None:
    page = post_base(a, client, parse_mode="thorough", ocr_languages=languages)
    assert page.status_code == (302 if accepted else 200)
    with tenant_transaction(a.tenant):
        reading = KnowledgeBase.objects.get(pk=a.base.pk).reading
    assert reading == (
        ReadingOptions("thorough", ocr_languages=languages) if accepted else ReadingOptions()
    )


def post_base(a: Company, client: Client, **changed: str) -> Any:
    """Send the form of the company's base as an operator, with these fields changed."""
    client.force_login(make_user("operator@example.com", is_staff=True, is_superuser=True))
    client.post(reverse("admin:choose_tenant", args=[a.tenant.pk]))
    sent = {
        "_tenant": a.tenant.pk,
        "name": "Renamed",
        "visibility": "tenant",
        "abstracts": "lazy",
        "parse_mode": "fast",
        "tracked_changes": "accepted",
        "ocr": "auto",
        "ocr_languages": "eng",
        "access-TOTAL_FORMS": 0,
        "access-INITIAL_FORMS": 0,
    }
    address = reverse("admin:knowledge_knowledgebase_change", args=[a.base.pk])
    return client.post(address, sent | changed)
