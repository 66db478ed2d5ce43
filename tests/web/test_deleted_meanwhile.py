"""Pages whose base somebody else deletes between the look-up and the work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from knowledge.services.bases import base_delete
from knowledge.services.deletion import document_delete
from knowledge.services.versions import version_restore
from knowledge.views import lookup
from tests.factories import Company, ingested
from tests.web.conftest import Browser
from tests.web.test_documents import file_named, upload


@pytest.fixture
def deleted_meanwhile(a: Company, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Return what lets a base vanish as soon as a view has looked it up, or its document."""

    def arrange(view: str, look_up: str) -> None:
        found = getattr(lookup, look_up)

        def find(*args: Any) -> Any:
            row = found(*args)
            with tenant_transaction(a.tenant):
                base = KnowledgeBase.objects.get(pk=a.base.pk)
            base_delete(tenant=a.tenant, base=base)
            return row

        monkeypatch.setattr(f"knowledge.views.{view}.{look_up}", find)

    return arrange


def test_a_second_click_on_delete_finds_the_base_gone(
    a: Company, browser: Browser, deleted_meanwhile: Callable[[str, str], None]
) -> None:
    deleted_meanwhile("bases", "base_for")
    path = reverse("base_delete", args=[a.tenant.slug, a.base.slug])
    page = browser(a.admin).post(path, follow=True)
    assert page.redirect_chain == [(reverse("bases", args=[a.tenant.slug]), 302)]
    assert "was deleted" in page.content.decode()


@pytest.mark.parametrize("page", ["document_delete", "document_retry"])
def test_a_document_whose_base_is_gone_leads_to_a_page_that_is_not_there(
    a: Company, browser: Browser, deleted_meanwhile: Callable[[str, str], None], page: str
) -> None:
    document = ingested(a.tenant, a.base, "blank.md", "  ")
    deleted_meanwhile("document", "document_for")
    path = reverse(page, args=[a.tenant.slug, a.base.slug, document.pk])
    assert browser(a.editor).post(path, follow=True).status_code == 404


def test_a_version_of_a_document_that_is_gone_leads_to_a_page_that_is_not_there(
    a: Company, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = ingested(a.tenant, a.base, "handbook.md", "# One\n")
    ingested(a.tenant, a.base, "handbook.md", "# Two\n")

    def restore(**arguments: Any) -> Any:
        document_delete(tenant=a.tenant, document=document)
        return version_restore(**arguments)

    monkeypatch.setattr("knowledge.views.versions.version_restore", restore)
    path = reverse("document_restore", args=[a.tenant.slug, a.base.slug, document.pk, 1])
    assert browser(a.editor).post(path, follow=True).status_code == 404


def test_each_file_for_a_base_that_is_gone_is_refused_with_a_sentence(
    a: Company, browser: Browser, deleted_meanwhile: Callable[[str, str], None]
) -> None:
    deleted_meanwhile("documents", "base_for")
    files = [file_named(name, "# Late\n") for name in ("one.md", "two.md")]
    html = upload(browser(a.editor), a, *files)
    assert html.count("This knowledge base was deleted.") == 2
