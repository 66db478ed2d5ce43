"""manage.py ingest beside workers that live, die or never were."""

import json
import os
import zipfile
from contextlib import suppress
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from accounts.operator import BadUsage
from accounts.tenancy import tenant_transaction
from knowledge.embedding import EmbeddingUnavailable
from knowledge.ingest.reading_options import ReadingOptions
from knowledge.models import Document, IngestionRun, KnowledgeBase
from tests.factories import Company, uploaded
from tests.ingest.docx.inlines import changed
from tests.knowledge.conftest import EmbedderSpy

pytestmark = pytest.mark.django_db

TEXT = "# Opening hours\n\nThe office opens at nine.\n"


def _ingest(a: Company, path: Path, *options: str) -> tuple[dict, str]:
    out, err = StringIO(), StringIO()
    where = ["--tenant", a.tenant.slug, "--kb", a.base.slug]
    arguments = ["ingest", str(path), *where, *options, "--json"]
    with suppress(SystemExit):  # it reports all the same when a file failed
        call_command(*arguments, stdout=out, stderr=err, skip_checks=True)
    return json.loads(out.getvalue()), err.getvalue()


def test_a_file_that_a_dead_worker_left_is_taken_to_its_end(a: Company, tmp_path: Path):
    path = tmp_path / "hours.md"
    path.write_text(TEXT)
    uploaded(a.tenant, a.base, path.name, TEXT)
    with tenant_transaction(a.tenant):
        IngestionRun.objects.update(
            state=IngestionRun.State.RUNNING,
            claim="of a worker that was killed",
            attempts=1,
            heartbeat_at=timezone.now() - timedelta(hours=1),
        )
    report, notes = _ingest(a, path)
    assert report["files"][0]["state"] == "ready"
    assert "Waiting for the worker" in notes


@pytest.fixture
def outage(embedder: EmbedderSpy) -> EmbedderSpy:
    """Let the embedder be away."""

    def silent(number: int) -> None:
        raise EmbeddingUnavailable("nothing listens")

    embedder.before = silent
    return embedder


def test_without_waiting_a_file_that_met_no_embedder_is_left_queued_with_the_reason(
    a: Company, tmp_path: Path, outage: EmbedderSpy
):
    (tmp_path / "hours.md").write_text(TEXT)
    report, _ = _ingest(a, tmp_path, "--no-wait")
    (file,) = report["files"]
    assert file["state"] == "queued"
    assert file["message"].startswith("The embedding model does not answer; trying again at")


def test_a_file_that_waits_for_the_embedder_says_so_and_is_read_when_it_is_back(
    a: Company, tmp_path: Path, outage: EmbedderSpy, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "hours.md").write_text(TEXT)

    def time_passes(seconds: float) -> None:
        outage.before = lambda number: None
        with tenant_transaction(a.tenant):
            IngestionRun.objects.update(not_before=timezone.now())

    monkeypatch.setattr("time.sleep", time_passes)
    report, notes = _ingest(a, tmp_path)
    assert report["files"][0]["state"] == "ready"
    assert "hours.md: The embedding model does not answer; trying again at" in notes


@pytest.mark.parametrize("table", ["knowledge_document", "knowledge_ingestionrun"])
def test_a_full_disk_ends_in_the_report_with_a_sentence(a: Company, tmp_path: Path, table: str):
    (tmp_path / "hours.md").write_text(TEXT)
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION disk_is_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            " RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$"
        )
        cursor.execute(
            f"CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON {table}"
            " FOR EACH ROW EXECUTE FUNCTION disk_is_full()"
        )
    report, _ = _ingest(a, tmp_path)
    (file,) = report["files"]
    assert file["state"] == "failed"
    assert file["message"].startswith("The disk of the database is full.")


def test_a_name_that_is_not_utf8_is_shown_as_in_addresses(a: Company, tmp_path: Path):
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md")).write_text(TEXT)
    report, notes = _ingest(a, tmp_path)
    (file,) = report["files"]
    assert (file["state"], Path(file["file"]).name) == ("ready", "caf%E9.md")
    assert "caf%E9.md" in notes


def test_a_file_that_cannot_be_stored_has_the_keys_of_one_that_can(a: Company, tmp_path: Path):
    (tmp_path / "good.md").write_text(TEXT)
    (tmp_path / f"{'n' * 210}.md").write_text(TEXT)
    report, _ = _ingest(a, tmp_path)
    good, refused = sorted(report["files"], key=lambda file: file["state"], reverse=True)
    assert (good["state"], refused["state"]) == ("ready", "failed")
    assert set(good) == set(refused)
    assert "longer than 200 characters" in refused["message"]


def test_reading_options_are_stored_with_the_base(a: Company, tmp_path: Path) -> None:
    path = tmp_path / "fee.docx"
    path.write_bytes(changed())
    report, _ = _ingest(a, path, "--tracked-changes", "marked", "--ocr-languages", "deu+eng")
    told = "Tracked changes: 1 insertion and 1 deletion are marked in the text."
    assert report["files"][0]["remarks"] == [told]
    _ingest(a, path, "--parse-mode", "thorough")  # the others stay
    with tenant_transaction(a.tenant):
        reading = KnowledgeBase.objects.get(pk=a.base.pk).reading
    assert reading == ReadingOptions("thorough", "marked", "auto", "deu+eng")


def test_languages_that_are_none_are_refused_before_anything_is_stored(
    a: Company, tmp_path: Path
) -> None:
    path = tmp_path / "hours.md"
    path.write_text(TEXT)
    where = ["--tenant", a.tenant.slug, "--kb", a.base.slug]
    with pytest.raises(BadUsage, match="does not name languages as Tesseract does"):
        call_command("ingest", str(path), *where, "--ocr-languages", "../eng", skip_checks=True)
    with tenant_transaction(a.tenant):
        assert not Document.objects.exists()


def test_what_a_system_left_in_an_archive_is_noted_and_no_failure(a: Company, tmp_path: Path):
    path = tmp_path / "hours.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("hours.md", ".DS_Store", "__MACOSX/._hours.md"):
            archive.writestr(name, TEXT)
    report, notes = _ingest(a, path)
    assert [file["state"] for file in report["files"]] == ["ready"]
    assert notes.count("Left out") == 2
