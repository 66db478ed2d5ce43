"""What becomes of each file in a zip archive, and of a folder."""

from __future__ import annotations

import io
import json
import stat
import struct
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.tenancy import tenant_transaction
from knowledge.models import Document, DocumentVersion, IngestionRun
from knowledge.services.archives import Received, file_upload
from retrieval.services.scopes import Reader, base_scope
from retrieval.tools import Toolbox
from tests.factories import Company, ingest_queued, uploaded

TEXT = b"# Hours\n\nThe office opens at nine.\n"


def packed(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def renamed(archive: bytes, name: str, raw: bytes) -> bytes:
    """Return the archive with an entry's name of as many ASCII letters replaced by these bytes."""
    assert len(name) == len(raw)
    return archive.replace(name.encode(), raw)


def sent(a: Company, content: bytes, filename: str = "files.zip") -> list[Received]:
    return list(
        file_upload(tenant=a.tenant, base=a.base, filename=filename, content=content, by=None)
    )


def refusals(received: list[Received]) -> dict[str, str]:
    return {one.entry or one.name: one.refusal for one in received if one.refusal}


def paths(a: Company) -> list[str]:
    with tenant_transaction(a.tenant):
        return list(Document.objects.order_by("path").values_list("path", flat=True))


def filenames(a: Company) -> list[str]:
    with tenant_transaction(a.tenant):
        return list(Document.objects.order_by("filename").values_list("filename", flat=True))


def test_each_file_of_an_archive_is_a_document_in_its_folder(a: Company) -> None:
    content = packed({"a.md": TEXT, "Policies/Travel/b.md": TEXT, "Policies/c.txt": TEXT})
    received = sent(a, content)
    assert refusals(received) == {}
    assert paths(a) == ["a", "policies/c", "policies/travel/b"]
    assert [one.upload.outcome for one in received if one.upload] == ["new"] * 3
    with tenant_transaction(a.tenant):
        assert IngestionRun.objects.count() == 3


def test_the_same_archive_again_changes_nothing_under_whatever_name(a: Company) -> None:
    content = packed({"a.md": TEXT, "p/b.md": TEXT})
    sent(a, content)
    again = sent(a, content, "other.ZIP")
    assert [one.upload.outcome for one in again if one.upload] == ["unchanged"] * 2
    with tenant_transaction(a.tenant):
        assert DocumentVersion.objects.count() == 2


def test_an_archive_in_a_folder_unpacks_into_that_folder(a: Company) -> None:
    sent(a, packed({"x/a.md": TEXT}), "Archive/2024/files.zip")
    assert paths(a) == ["archive/2024/x/a"]


def test_an_office_file_is_no_archive(a: Company) -> None:
    received = sent(a, packed({"word/document.xml": b"<w/>"}), "letter.docx")
    assert [one.name for one in received] == ["letter.docx"]


@pytest.mark.parametrize(
    ("names", "encoding"),
    [
        (["价格表.md", "产品/说明书.md"], "gbk"),
        (["Отчёт за год.md", "Документы/Прайс-лист.md"], "cp866"),
        (["Büro.md", "Verträge/Übersicht.md"], "cp437"),
        (["価格.md"], "cp932"),
        (["价格表.md", "Отчёт.md"], "utf-8"),
    ],
)
def test_names_in_the_encoding_of_whoever_packed_them_are_read(
    a: Company, names: list[str], encoding: str
) -> None:
    places = [f"{'x' * (len(name.encode(encoding)) - 3)}{n:03}" for n, name in enumerate(names)]
    content = packed(dict.fromkeys(places, TEXT))
    for place, name in zip(places, names, strict=True):
        content = renamed(content, place, name.encode(encoding))
    received = sent(a, content)
    assert refusals(received) == {}
    assert filenames(a) == sorted(names)


def test_names_flagged_as_utf8_are_read(a: Company) -> None:
    sent(a, packed({"价格表.md": TEXT, "Отчёт.md": TEXT}))
    assert filenames(a) == ["Отчёт.md", "价格表.md"]


@pytest.mark.parametrize(("checksum", "expected"), [(0, "价格.md"), (1, "old.md")])
def test_the_unicode_path_of_info_zip_counts_where_it_belongs_to_the_name(
    a: Company, checksum: int, expected: str
) -> None:
    field = b"\x01" + struct.pack("<I", zlib.crc32(b"old.md") ^ checksum) + "价格.md".encode()
    entry = zipfile.ZipInfo("old.md")
    entry.extra = struct.pack("<HH", 0x7075, len(field)) + field
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(entry, TEXT)
    sent(a, buffer.getvalue())
    assert filenames(a) == [expected]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../../etc/passwd.md", "leads out of the archive"),
        ("a/../../b.md", "leads out of the archive"),
        ("/etc/passwd.md", "leads out of the archive"),
        ("C:/Windows/a.md", "leads out of the archive"),
        ("..\\..\\b.md", "leads out of the archive"),
        ("__MACOSX/._a.md", "made by a system"),
        ("x/Thumbs.db", "made by a system"),
        (".git/config.md", "made by a system"),
        ("x/.DS_Store", "hidden file"),
        ("NUL.md", "device on Windows"),
        ("aux/a.md", "device on Windows"),
        ("inner.zip", "archive inside of an archive"),
        ("x/inner.tar.gz", "archive inside of an archive"),
    ],
)
def test_an_entry_that_is_left_out_is_named_with_a_sentence(
    a: Company, name: str, why: str
) -> None:
    received = sent(a, packed({name: TEXT, "good.md": TEXT}))
    (sentence,) = refusals(received).values()
    assert sentence.startswith(name)
    assert why in sentence
    assert paths(a) == ["good"]


@pytest.mark.parametrize("name", ["a:b.md", "x/a:b.md", "09:30 meeting.md"])
def test_a_colon_in_a_name_is_a_character(a: Company, name: str) -> None:
    received = sent(a, packed({name: TEXT}))
    assert refusals(received) == {}
    assert filenames(a) == [name]


@pytest.mark.parametrize("name", ["../../etc/y.md", "a/../../y.md", "/etc/y.md", "C:/docs/y.md"])
def test_a_path_out_of_the_folder_it_came_in_is_named_as_one(a: Company, name: str) -> None:
    (received,) = sent(a, TEXT, name)
    assert received.refusal == "was left out: its path leads out of the folder."
    assert not received.is_incidental
    assert paths(a) == []


def test_names_that_begin_at_the_current_folder_are_taken(a: Company) -> None:
    received = sent(a, packed({"./docs/a.md": TEXT, "./b.md": TEXT + b"B."}))
    assert refusals(received) == {}
    assert filenames(a) == ["b.md", "docs/a.md"]


@pytest.mark.parametrize("name", [".", "./."])
def test_an_entry_without_a_name_is_left_out(a: Company, name: str) -> None:
    received = sent(a, packed({"a.md": TEXT, name: TEXT, "b.md": TEXT + b"B."}))
    assert list(refusals(received).values()) == [f"{name} was left out: it has no name."]
    assert filenames(a) == ["a.md", "b.md"]


def test_names_that_differ_in_a_wide_space_are_two_files(a: Company) -> None:
    received = sent(a, packed({"年\u3000報.md": TEXT, "年報.md": TEXT + b"Later."}))
    assert refusals(received) == {}
    assert filenames(a) == ["年 報.md", "年報.md"]


def test_a_name_without_end_is_cut_where_it_is_told(a: Company) -> None:
    (sentence,) = refusals(sent(a, packed({f"{'a' * 60_000}.md": TEXT, "b.md": TEXT}))).values()
    assert len(sentence) < 500


def test_a_link_is_left_out_with_a_sentence(a: Company) -> None:
    link = zipfile.ZipInfo("link.md")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    assert "a link or a device" in refusals(sent(a, buffer.getvalue()))["link.md"]
    assert paths(a) == []


def test_a_name_that_comes_twice_is_taken_once_with_a_sentence(a: Company) -> None:
    content = renamed(packed({"a.md": b"First text.", "b.md": b"Other."}), "b.md", b"a.md")
    assert "holds this name twice" in refusals(sent(a, content))["a.md"]
    with tenant_transaction(a.tenant):
        assert bytes(DocumentVersion.objects.get().source.get().content) == b"First text."


@pytest.mark.parametrize("twin", [" a.md", "a.md ", "a\u200b.md"])
def test_names_that_are_stored_alike_are_one_name(a: Company, twin: str) -> None:
    content = packed({"a.md": b"First text.", twin: b"Other."})
    assert "holds this name twice" in refusals(sent(a, content))[twin]
    with tenant_transaction(a.tenant):
        assert bytes(DocumentVersion.objects.get().source.get().content) == b"First text."


def test_a_protected_entry_is_left_out_with_a_sentence(a: Company) -> None:
    content = bytearray(packed({"secret.md": TEXT, "good.md": TEXT}))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    assert "protected by a password" in refusals(sent(a, bytes(content)))["secret.md"]
    assert paths(a) == ["good"]


def test_a_bomb_is_stopped_by_counted_bytes_and_everything_behind_it_is_named(
    a: Company, settings
) -> None:
    settings.ARCHIVE_MAX_BYTES = 3 * 1024 * 1024
    zeros = dict.fromkeys((f"{number}.md" for number in range(5)), bytes(1024 * 1024))
    sentences = refusals(sent(a, packed(zeros)))
    assert list(sentences) == ["3.md", "4.md"]
    assert "unpacks to far more data" in sentences["3.md"]
    assert "too much data before it" in sentences["4.md"]


def test_an_entry_that_lies_about_its_size_is_counted_all_the_same(a: Company) -> None:
    content = bytearray(packed({"large.md": bytes(1024 * 1024), "good.md": TEXT}))
    for signature, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = content.index(signature) + place
        content[at : at + 4] = (10).to_bytes(4, "little")
    assert "damaged" in refusals(sent(a, bytes(content)))["large.md"]
    assert paths(a) == ["good"]


def test_an_entry_larger_than_a_file_may_be_is_left_out(a: Company, settings) -> None:
    settings.UPLOAD_MAX_BYTES = 1024 * 1024
    received = sent(a, packed({"large.md": bytes(2 * 1024 * 1024), "good.md": TEXT}))
    assert "more than 1 MB" in refusals(received)["large.md"]
    assert paths(a) == ["good"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "damaged"),
        (b"no archive", "damaged"),
        (packed({"a.md": TEXT})[:-10], "damaged"),
        (packed({}), "The archive is empty."),
        (packed({f"{number}.md": b"x" for number in range(12)}), "has 12 entries; at most 10"),
    ],
)
def test_an_archive_that_cannot_be_unpacked_is_one_sentence(
    a: Company, settings, content: bytes, why: str
) -> None:
    settings.ARCHIVE_MAX_FILES = 10
    (received,) = sent(a, content)
    assert why in received.refusal
    assert paths(a) == []


def test_a_document_and_a_folder_of_one_name_have_two_addresses(a: Company) -> None:
    for name in ("hr.md", "HR/rules.md", "hr/more.md", "sales/a.md", "sales.md"):
        uploaded(a.tenant, a.base, name, TEXT)
    assert paths(a) == ["hr", "hr-2/more", "hr-2/rules", "sales-2", "sales/a"]


def test_folders_too_deep_are_refused_with_a_sentence(a: Company) -> None:
    received = sent(a, packed({"/".join("abcdefghijklmnopqrstuvwxyz") + ".md": TEXT}))
    assert "more than 20 folders deep" in next(iter(refusals(received).values()))


def test_a_folder_is_listed_searched_and_grepped_by_its_address(a: Company) -> None:
    sent(
        a,
        packed(
            {
                "HR/leave.md": b"# Leave\n\nThirty days of leave.\n",
                "HR/Travel/rail.md": b"# Rail\n\nTrains are second class.\n",
                "top.md": b"# Top\n\nTrains and leave.\n",
            }
        ),
    )
    ingest_queued(a.tenant)
    with tenant_transaction(a.tenant):
        box = Toolbox(base_scope(Reader(a.tenant.pk), a.base.slug))
    root = f"kb://{a.base.slug}"
    assert [(item.kind, item.title, item.uri) for item in box.list().items] == [
        ("folder", "HR", f"{root}/hr"),
        ("document", "Top", f"{root}/top"),
    ]
    assert [item.uri for item in box.list(f"{root}/hr").items] == [
        f"{root}/hr/travel",
        f"{root}/hr/leave",
    ]
    assert {item.group for item in box.grep("trains", f"{root}/hr").items} == {
        f"Rail {root}/hr/travel/rail"
    }
    found = box.search("trains leave", f"{root}/hr").items
    assert {item.group.partition("\n")[0] for item in found} == {
        f"Rail {root}/hr/travel/rail",
        f"Leave {root}/hr/leave",
    }
    assert box.read(f"{root}/hr").error == "That is a folder; list it."
    assert "second class" in box.read(f"{root}/hr/travel/rail").items[0].text
    assert box.list(f"{root}/hr/trav").error


def test_a_folder_from_the_browser_keeps_its_paths(a: Company, client: Client) -> None:
    client.force_login(a.editor.user)
    url = reverse("documents", args=[a.tenant.slug, a.base.slug])
    given = ["Handbook/hours.md", "Handbook/Travel/hours.md"]
    for outcome in ("received", "is here already, unchanged"):
        files = [SimpleUploadedFile("hours.md", TEXT), SimpleUploadedFile("hours.md", TEXT)]
        response = client.post(url, {"folder": files, "folder_paths": json.dumps(given)})
        assert response.status_code == 200
        assert response.content.decode().count(outcome) == 2
        assert filenames(a) == sorted(given)


@pytest.mark.parametrize("sent_paths", ["", "[]", "{}", '"x"', "[1, null]", '["a/other.md"]', "no"])
def test_paths_that_do_not_fit_the_files_never_name_them(
    a: Company, client: Client, sent_paths: str
) -> None:
    client.force_login(a.editor.user)
    url = reverse("documents", args=[a.tenant.slug, a.base.slug])
    form = {"folder": [SimpleUploadedFile("hours.md", TEXT)], "folder_paths": sent_paths}
    assert client.post(url, form).status_code in (200, 422)
    assert filenames(a) in ([], ["hours.md"])


@pytest.mark.parametrize(
    "sent_paths", ["[" * 200_000, "9" * 5_000, f"[{'9' * 5_000}]", '{"a":' * 100_000, "[no"]
)
def test_paths_that_cannot_be_read_are_refused_in_a_sentence(
    a: Company, client: Client, sent_paths: str
) -> None:
    client.force_login(a.editor.user)
    url = reverse("documents", args=[a.tenant.slug, a.base.slug])
    form = {"folder": [SimpleUploadedFile("hours.md", TEXT)], "folder_paths": sent_paths}
    response = client.post(url, form)
    assert response.status_code == 422
    assert "The names of the folder cannot be read." in response.content.decode()
    assert filenames(a) == []


def test_an_archive_on_the_page_shows_what_became_of_each_file(a: Company, client: Client) -> None:
    client.force_login(a.editor.user)
    url = reverse("documents", args=[a.tenant.slug, a.base.slug])
    content = packed({"a/good.md": TEXT, "../bad.md": TEXT})
    page = client.post(url, {"documents": SimpleUploadedFile("f.zip", content)}).content.decode()
    assert "a/good.md" in page
    assert "its path leads out of the archive" in page


def test_the_command_reports_each_file_of_an_archive(a: Company, tmp_path: Path) -> None:
    archive = tmp_path / "files.zip"
    archive.write_bytes(packed({"a/good.md": TEXT, "../out.md": TEXT}))
    out = io.StringIO()
    arguments = ["ingest", str(archive), "--tenant", a.tenant.slug, "--kb", a.base.slug, "--json"]
    with suppress(SystemExit):
        call_command(*arguments, stdout=out, stderr=io.StringIO(), skip_checks=True)
    good, outside = json.loads(out.getvalue())["files"]
    assert (good["file"], good["state"]) == (f"{archive}/a/good.md", "ready")
    assert good["uri"] == f"kb://{a.base.slug}/a/good"
    assert (outside["state"], outside["verdict"]) == ("failed", "refused")
