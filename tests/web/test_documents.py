"""The list of documents: uploading, live progress, retrying and deleting."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.tenancy import tenant_transaction
from knowledge.models import Document, DocumentVersion, IngestionRun
from tests.factories import Company, ingest_queued, ingested, uploaded
from tests.web.conftest import Browser

POLL = {"HX-Request": "true", "HX-Trigger": "documents-poll"}


def file_named(name: str, content: str | bytes) -> BytesIO:
    file = BytesIO(content.encode() if isinstance(content, str) else content)
    file.name = name
    return file


def upload(client: Client, company: Company, *files: BytesIO, **headers: str) -> str:
    path = reverse("documents", args=[company.tenant.slug, company.base.slug])
    response = client.post(path, {"documents": files}, headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def test_each_file_of_an_upload_gets_its_own_result(a: Company, browser: Browser) -> None:
    editor = browser(a.editor)
    ingested(a.tenant, a.base, "same.md", "# Same\n")
    ingested(a.tenant, a.base, "changed.md", "# Old\n")
    html = upload(
        editor,
        a,
        file_named("fresh.md", "# Fresh\n"),
        file_named("same.md", "# Same\n"),
        file_named("changed.md", "# New\n"),
        file_named(f"{'x' * 220}.md", "# Long name\n"),
    )
    for outcome in ("new", "unchanged", "new_version", "refused"):
        assert f"result-{outcome}" in html
    assert "longer than 200 characters" in html


def test_the_form_tells_how_much_can_be_sent_at_once(
    a: Company, browser: Browser, settings: Settings
) -> None:
    settings.UPLOAD_MAX_BYTES = 7 * 1024 * 1024
    path = reverse("documents", args=[a.tenant.slug, a.base.slug])
    html = browser(a.editor).get(path).content.decode()
    assert "up to 7 MB each and up to 500 files at a time" in html


def test_a_refused_file_takes_no_other_with_it(
    a: Company, browser: Browser, settings: Settings
) -> None:
    settings.UPLOAD_MAX_BYTES = 1024 * 1024
    big = file_named("big.md", b"x" * (1024 * 1024 + 1))
    html = upload(browser(a.editor), a, big, file_named("small.md", "# Small\n"))
    assert "larger than 1 MB" in html
    with tenant_transaction(a.tenant):
        assert [d.filename for d in Document.objects.filter(base=a.base)] == ["small.md"]


def test_many_files_that_went_well_are_told_together_and_others_by_name(
    a: Company, browser: Browser
) -> None:
    path = reverse("documents", args=[a.tenant.slug, a.base.slug])
    browser(a.editor).post(path, {"documents": [SimpleUploadedFile("old.md", b"# Old\n\nHi.\n")]})
    files = [SimpleUploadedFile(f"n{number}.md", b"# N\n\nHello.\n") for number in range(5)]
    files.append(SimpleUploadedFile("old.md", b"# Old\n\nHi.\n"))
    html = browser(a.editor).post(path, {"documents": files}).content.decode()
    assert '<strong dir="auto">5 files</strong> were received' in html
    assert '<strong dir="auto">old.md</strong> is here already' in html


def test_an_upload_without_a_file_says_so(a: Company, browser: Browser) -> None:
    path = reverse("documents", args=[a.tenant.slug, a.base.slug])
    for headers, status in (({}, 422), ({"HX-Request": "true"}, 200)):  # htmx swaps no 422
        response = browser(a.editor).post(path, headers=headers)
        assert response.status_code == status
        assert "Choose at least one file" in response.content.decode()


def test_htmx_gets_the_list_alone(a: Company, browser: Browser) -> None:
    html = upload(browser(a.editor), a, file_named("a.md", "# A\n"), **{"HX-Request": "true"})
    assert "<html" not in html
    assert "result-new" in html
    assert 'hx-trigger="every 1s"' in html


def test_polling_is_quick_while_something_is_unfinished_and_then_slow(
    a: Company, browser: Browser
) -> None:
    document = uploaded(a.tenant, a.base, "a.md", "# A\n\nText.\n")
    client = browser(a.member)
    path = reverse("documents", args=[a.tenant.slug, a.base.slug])
    with tenant_transaction(a.tenant):
        run = IngestionRun.objects.get(version__document=document)
        run.state, run.stage, run.done, run.total = "running", "embed", 3, 7
        run.save()
    response = client.get(path, headers=POLL)
    assert response.status_code == 200
    assert "Indexing its passages" in response.content.decode()
    assert "3 of 7" in response.content.decode()
    with tenant_transaction(a.tenant):
        IngestionRun.objects.update(state="queued", stage="waiting")
    ingest_queued(a.tenant)
    response = client.get(path, headers=POLL)
    assert "every 1s" not in response.content.decode()
    assert "every 10s" in response.content.decode()
    assert "Ready" in response.content.decode()


def test_a_document_that_waits_for_the_embedder_says_until_when(
    a: Company, browser: Browser
) -> None:
    document = uploaded(a.tenant, a.base, "a.md", "# A\n\nText.\n")
    with tenant_transaction(a.tenant):
        IngestionRun.objects.filter(version__document=document).update(
            not_before=timezone.now(), message="Trying again at 10:42."
        )
    path = reverse("documents", args=[a.tenant.slug, a.base.slug])
    assert "Trying again at 10:42." in browser(a.member).get(path).content.decode()


def test_a_failed_document_says_why_and_can_be_tried_again(a: Company, browser: Browser) -> None:
    document = ingested(a.tenant, a.base, "torn.pdf", b"%PDF-1.7\nnothing")
    editor = browser(a.editor)
    listed = editor.get(reverse("documents", args=[a.tenant.slug, a.base.slug]))
    assert document.latest_version is not None
    assert document.latest_version.message in listed.content.decode()
    path = reverse("document_retry", args=[a.tenant.slug, a.base.slug, document.pk])
    assert path in listed.content.decode()
    editor.post(path)
    with tenant_transaction(a.tenant):
        version = DocumentVersion.objects.get(document=document)
    assert version.state == DocumentVersion.State.QUEUED


@pytest.mark.parametrize(("name", "content"), [("empty.md", b""), ("cat.gif", b"GIF89a\0\1")])
def test_what_can_never_be_read_is_not_offered_to_be_tried_again(
    name: str, content: bytes, a: Company, browser: Browser
) -> None:
    document = ingested(a.tenant, a.base, name, content)
    names = [a.tenant.slug, a.base.slug]
    for page in ("documents", "document", "document_versions"):
        arguments = names if page == "documents" else [*names, document.pk]
        html = browser(a.editor).get(reverse(page, args=arguments)).content.decode()
        assert document.latest_version.message in html
        assert reverse("document_retry", args=[*names, document.pk]) not in html


def test_deleting_a_document_asks_first(a: Company, browser: Browser) -> None:
    document = ingested(a.tenant, a.base, "a.md", "# Title of it\n\nText.\n")
    editor = browser(a.editor)
    path = reverse("document_delete", args=[a.tenant.slug, a.base.slug, document.pk])
    assert "Title of it" in editor.get(path).content.decode()
    with tenant_transaction(a.tenant):
        assert Document.objects.filter(pk=document.pk).exists()
    assert "was deleted" in editor.post(path, follow=True).content.decode()
    with tenant_transaction(a.tenant):
        assert not Document.objects.filter(pk=document.pk).exists()


@pytest.mark.parametrize("title", ["<script>alert(1)</script>", "a & b", "دليل", "报告"])
def test_titles_are_text(title: str, a: Company, browser: Browser) -> None:
    ingested(a.tenant, a.base, "a.md", f"---\ntitle: '{title}'\n---\n\nText.\n")
    html = browser(a.member).get(reverse("documents", args=[a.tenant.slug, a.base.slug]))
    assert "<script>alert" not in html.content.decode()
