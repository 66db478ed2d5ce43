"""The list of documents: what stands first, what is told of an upload, when it looks again."""

from __future__ import annotations

import io
import json
import re
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.tenancy import tenant_transaction
from knowledge.models import Document, DocumentVersion
from tests.factories import Company, ingested, make_base, make_document, make_group, uploaded
from tests.web.conftest import Browser
from tests.web.pages import Page, read_page
from tests.web.test_documents import POLL


def address(company: Company, name: str = "documents", *more: object) -> str:
    return reverse(name, args=[company.tenant.slug, company.base.slug, *more])


def titles(company: Company, client: Client) -> list[str]:
    page = read_page(client.get(address(company)).content.decode())
    rows = [a for a in page.attributes("a") if a.get("class") == "row-title"]
    names = {str(pk): title for pk, title in documents(company)}
    return [names[row["id"].removeprefix("document-")] for row in rows]


def documents(company: Company) -> list[tuple[int, str]]:
    with tenant_transaction(company.tenant):
        return list(Document.objects.values_list("pk", "title"))


def poll_of(html: str) -> dict[str, str]:
    (poll,) = [tag for _, tag in read_page(html).tags if tag.get("id") == "documents-poll"]
    return poll


def sent(client: Client, company: Company, *files: SimpleUploadedFile) -> Page:
    return read_page(client.post(address(company), {"documents": files}).content.decode())


def test_what_is_being_read_and_what_failed_stand_before_what_is_ready(
    a: Company, browser: Browser
) -> None:
    ingested(a.tenant, a.base, "a.md", "# Alpha\n\nText.\n")
    ingested(a.tenant, a.base, "torn.pdf", b"%PDF-1.7\nnothing")
    uploaded(a.tenant, a.base, "zebra.md", "# Zebra\n\nText.\n")
    assert titles(a, browser(a.editor)) == ["zebra", "torn", "Alpha"]


def test_names_are_sorted_whatever_their_capitals(a: Company, browser: Browser) -> None:
    for title in ("beta", "Zeta", "alpha", "Alpine"):
        make_document(a.tenant, a.base, title=title, path=title)
        make_base(a.tenant, f"x-{title.lower()}", name=title)
        make_group(a.tenant, title)
    owner = browser(a.owner)
    assert titles(a, owner) == ["alpha", "Alpine", "beta", "Zeta"]
    bases = read_page(owner.get(reverse("bases", args=[a.tenant.slug])).content.decode())
    shown = [name for name in bases.text("h2") if name in ("alpha", "Alpine", "beta", "Zeta")]
    assert shown == ["alpha", "Alpine", "beta", "Zeta"]
    people = read_page(owner.get(reverse("people", args=[a.tenant.slug])).content.decode())
    shown = [name for name in people.text("strong") if name in ("alpha", "Alpine", "beta", "Zeta")]
    assert shown == ["alpha", "Alpine", "beta", "Zeta"]


def test_an_empty_list_sees_what_another_window_uploads(a: Company, browser: Browser) -> None:
    client = browser(a.member)
    poll = poll_of(client.get(address(a)).content.decode())
    assert poll["hx-trigger"].startswith("every ")
    assert client.get(poll["hx-get"], headers=POLL).status_code == 204  # htmx changes nothing
    uploaded(a.tenant, a.base, "new.md", "# New\n\nText.\n")
    answer = client.get(poll["hx-get"], headers=POLL)
    assert answer.status_code == 200
    assert "new.md" in answer.content.decode()
    assert poll_of(answer.content.decode())["hx-trigger"] == "every 1s"


def test_a_list_that_is_ready_sees_what_another_window_does(a: Company, browser: Browser) -> None:
    ingested(a.tenant, a.base, "a.md", "# A\n\nText.\n")
    client = browser(a.member)
    for content in ("# A\n\nOther text.\n", "# A\n\nText again.\n"):
        poll = poll_of(client.get(address(a)).content.decode())
        assert client.get(poll["hx-get"], headers=POLL).status_code == 204
        ingested(a.tenant, a.base, "a.md", content)  # read between two looks
        assert client.get(poll["hx-get"], headers=POLL).status_code == 200


def test_a_list_sees_that_an_earlier_version_is_used_again(a: Company, browser: Browser) -> None:
    ingested(a.tenant, a.base, "a.md", "# Former\n\nText.\n")
    ingested(a.tenant, a.base, "a.md", "# Latter\n\nText.\n")
    client = browser(a.member)
    poll = poll_of(client.get(address(a)).content.decode())
    with tenant_transaction(a.tenant):
        Document.objects.update(current_version=DocumentVersion.objects.earliest("number"))
    assert client.get(poll["hx-get"], headers=POLL).status_code == 200


def archive(files: dict[str, str]) -> SimpleUploadedFile:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, text in files.items():
            file.writestr(name, text)
    return SimpleUploadedFile("all.zip", packed.getvalue())


def test_what_a_system_put_into_an_archive_is_no_error_and_named_once(
    a: Company, browser: Browser
) -> None:
    file = archive(
        {"a.md": "# A\n\nText.\n", ".DS_Store": "x", "__MACOSX/._a.md": "x", "in.zip": "PK"}
    )
    page = sent(browser(a.editor), a, file)
    kinds = [li["class"].split()[-1] for li in page.attributes("li") if "class" in li]
    assert kinds == ["result-new", "result-left-out", "result-left-out", "result-refused"]
    for name in (".DS_Store", "__MACOSX/._a.md", "in.zip"):
        (line,) = [text for text in page.text("li") if text.startswith(name)]
        assert line.count(name) == 1
        assert "was left out" in line


def test_what_a_system_put_into_a_folder_becomes_no_document(a: Company, browser: Browser) -> None:
    names = ["papers/.DS_Store", "papers/a.md"]
    files = [SimpleUploadedFile(name.partition("/")[2], b"# A\n\nText.\n") for name in names]
    data = {"folder": files, "folder_paths": json.dumps(names)}
    page = read_page(browser(a.editor).post(address(a), data).content.decode())
    (line,) = [text for text in page.text("li") if "left out" in text]
    assert line == "papers/.DS_Store was left out: it is a hidden file."
    assert [title for _, title in documents(a)] == ["a"]


def test_a_damaged_file_of_an_archive_is_named_once(a: Company, browser: Browser) -> None:
    content = archive({"a.md": "# A\n\nText.\n", "b.md": "# B\n\nText.\n"}).read()
    torn = content.replace(b"# B\n\nText", b"# B\n\nTorn")
    page = sent(browser(a.editor), a, SimpleUploadedFile("all.zip", torn))
    (line,) = [text for text in page.text("li") if text.startswith("b.md")]
    assert line.startswith("b.md was left out. The file is damaged")


@pytest.mark.parametrize("count", [1, 14])
def test_what_is_told_of_an_upload_are_sentences(a: Company, browser: Browser, count: int) -> None:
    files = [SimpleUploadedFile(f"n{n}.md", b"# N\n\nHello.\n") for n in range(count)]
    page = sent(browser(a.editor), a, *files)
    (line,) = [text for text in page.text("li") if "received" in text]
    assert line.endswith(".")
    again = sent(browser(a.editor), a, SimpleUploadedFile("n0.md", b"# N\n\nHello.\n"))
    (line,) = [text for text in again.text("li") if "unchanged" in text]
    assert line.endswith(".")


def test_a_document_without_sections_counts_none(a: Company, browser: Browser) -> None:
    document = ingested(a.tenant, a.base, "a.txt", "Text alone.\n")
    for name, more in (("documents", ()), ("document_versions", (document.pk,))):
        html = browser(a.editor).get(address(a, name, *more)).content.decode()
        assert "token" in html
        assert not re.search(r"\b0\s+section", html)


def test_trying_again_is_answered_with_a_sentence(a: Company, browser: Browser) -> None:
    document = ingested(a.tenant, a.base, "torn.pdf", b"%PDF-1.7\nnothing")
    editor = browser(a.editor)
    retry = address(a, "document_retry", document.pk)
    assert "“torn” is tried again" in editor.post(retry, follow=True).content.decode()
    assert "“torn” is being read already" in editor.post(retry, follow=True).content.decode()
    with tenant_transaction(a.tenant):
        DocumentVersion.objects.update(state="ready")
    assert "“torn” has not failed" in editor.post(retry, follow=True).content.decode()
