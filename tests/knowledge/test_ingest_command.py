"""manage.py ingest beside workers that live, die or never were."""

import json
from contextlib import suppress
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.tenancy import tenant_transaction
from knowledge.models import IngestionRun
from tests.factories import Company, uploaded

pytestmark = pytest.mark.django_db

TEXT = "# Opening hours\n\nThe office opens at nine.\n"


def _ingest(a: Company, path: Path) -> tuple[dict, str]:
    out, err = StringIO(), StringIO()
    arguments = ["ingest", str(path), "--tenant", a.tenant.slug, "--kb", a.base.slug, "--json"]
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


def test_a_file_that_cannot_be_stored_has_the_keys_of_one_that_can(a: Company, tmp_path: Path):
    (tmp_path / "good.md").write_text(TEXT)
    (tmp_path / f"{'n' * 210}.md").write_text(TEXT)
    report, _ = _ingest(a, tmp_path)
    good, refused = sorted(report["files"], key=lambda file: file["state"], reverse=True)
    assert (good["state"], refused["state"]) == ("ready", "failed")
    assert set(good) == set(refused)
    assert "longer than 200 characters" in refused["message"]
