"""Cost before work: estimates, approval, and the quotas of a company."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_q.models import OrmQ

from accounts.tenancy import tenant_transaction
from knowledge import abstract_writers
from knowledge.models import (
    Abstract,
    DocumentVersion,
    IngestionRun,
    IngestUsage,
    KnowledgeBase,
    TenantQuota,
)
from knowledge.services.approvals import run_approve
from knowledge.services.sweeping import runs_sweep
from knowledge.services.uploads import UploadRefused, document_upload, version_retry
from tests.factories import (
    Company,
    ingest_queued,
    ingested,
    make_ingest_usage,
    make_quota,
    make_user,
    uploaded,
)
from tests.knowledge.conftest import EmbedderSpy, run_of, set_back, version_of
from tests.knowledge.test_abstracts import MANUAL, Writer

EDITED = MANUAL.replace("by March", "by April", 1)


@pytest.fixture
def writer() -> Iterator[Writer]:
    made = Writer()
    before = abstract_writers._factory
    abstract_writers.set_writers(lambda base: made)
    yield made
    abstract_writers.set_writers(before)


@pytest.fixture
def asking(a: Company, writer: Writer) -> Company:
    """Return the company with an eager base in which every cost needs approval."""
    with tenant_transaction(a.tenant):
        bases = KnowledgeBase.objects.filter(pk=a.base.pk)
        bases.update(abstracts="eager", approval_tokens=0)
    return a


def ingest_command(a: Company, path: Path) -> tuple[dict, str]:
    out, err = StringIO(), StringIO()
    where = ["--tenant", a.tenant.slug, "--kb", a.base.slug]
    with suppress(SystemExit):
        call_command("ingest", str(path), *where, "--json", stdout=out, stderr=err)
    return json.loads(out.getvalue())["files"][0], err.getvalue()


def estimate_of(version: DocumentVersion) -> dict[str, Any]:
    estimate: dict[str, Any] | None = version.estimate
    assert estimate is not None
    return estimate


def refusal_of(a: Company, name: str, content: bytes) -> str:
    with pytest.raises(UploadRefused) as refused:
        document_upload(tenant=a.tenant, base=a.base, filename=name, content=content, by=None)
    return str(refused.value)


def test_nothing_is_paid_before_somebody_approves(
    asking: Company, writer: Writer, embedder: EmbedderSpy, settings
) -> None:
    settings.PRICE_INPUT_PER_MTOK, settings.PRICE_OUTPUT_PER_MTOK = 1000.0, 2000.0
    settings.PRICE_CURRENCY = "EUR"
    document = ingested(asking.tenant, asking.base, "manual.md", MANUAL)
    version, run = version_of(asking.tenant, document), run_of(asking.tenant, document)
    assert (version.state, run.state) == ("approval", "approval")
    assert (writer.titles, embedder.texts) == ([], [])
    estimate = estimate_of(version)
    assert estimate["calls"] == 5  # three sections and, as far as one can know, the two above
    assert estimate["tokens"] == estimate["input_tokens"] + estimate["output_tokens"]
    price = (estimate["input_tokens"] + 2 * estimate["output_tokens"]) / 1000
    assert (estimate["price"], estimate["currency"]) == (pytest.approx(price), "EUR")
    assert f"{price:.2f} EUR" in version.message
    set_back(asking.tenant, run, heartbeat_at=timezone.now() - timedelta(days=1))
    assert runs_sweep(tenant=asking.tenant) == 0  # it waits for a person, for as long as it takes


def test_an_approved_version_is_published_with_what_the_model_wrote(
    asking: Company, writer: Writer
) -> None:
    document = ingested(asking.tenant, asking.base, "manual.md", MANUAL)
    run, queued = run_of(asking.tenant, document), OrmQ.objects.count()
    assert run_approve(tenant=asking.tenant, run=run, with_model=True)
    assert not run_approve(tenant=asking.tenant, run=run, with_model=True)  # the second click
    assert OrmQ.objects.count() == queued + 1
    ingest_queued(asking.tenant)
    version = version_of(asking.tenant, document)
    assert (version.state, len(writer.titles)) == ("ready", 3)
    assert estimate_of(version)["calls"] == 5
    assert version.message == ""


def test_one_may_take_sentences_instead(asking: Company, writer: Writer) -> None:
    document = ingested(asking.tenant, asking.base, "manual.md", MANUAL)
    run = run_of(asking.tenant, document)
    run_approve(tenant=asking.tenant, run=run, with_model=False)
    ingest_queued(asking.tenant)
    assert version_of(asking.tenant, document).state == "ready"
    assert writer.titles == []
    with tenant_transaction(asking.tenant):
        assert set(Abstract.objects.values_list("generator", flat=True)) == {"extractive"}


def test_below_the_threshold_nobody_is_asked_and_the_estimate_is_kept(
    a: Company, writer: Writer
) -> None:
    with tenant_transaction(a.tenant):
        KnowledgeBase.objects.filter(pk=a.base.pk).update(abstracts="eager")
    make_quota(a.tenant, approval_tokens=10)
    document = ingested(a.tenant, a.base, "manual.md", MANUAL)
    assert version_of(a.tenant, document).state == "approval"  # the company's threshold
    with tenant_transaction(a.tenant):
        KnowledgeBase.objects.filter(pk=a.base.pk).update(approval_tokens=100_000)
    document = ingested(a.tenant, a.base, "other.md", MANUAL.replace("# Manual", "# Other"))
    version = version_of(a.tenant, document)
    assert version.state == "ready"  # the base's own goes before
    assert estimate_of(version)["price"] is None  # unknown, not 0
    assert estimate_of(version)["currency"] is None


def test_what_is_taken_over_is_not_estimated_again(asking: Company, writer: Writer) -> None:
    with tenant_transaction(asking.tenant):
        KnowledgeBase.objects.filter(pk=asking.base.pk).update(approval_tokens=100_000)
    ingested(asking.tenant, asking.base, "manual.md", MANUAL)
    document = ingested(asking.tenant, asking.base, "manual.md", EDITED)
    assert estimate_of(version_of(asking.tenant, document))["calls"] == 1  # Leave


def test_a_later_upload_ends_what_waits(asking: Company, writer: Writer) -> None:
    first = ingested(asking.tenant, asking.base, "manual.md", MANUAL)
    waiting = run_of(asking.tenant, first)
    document = uploaded(asking.tenant, asking.base, "manual.md", EDITED)
    with tenant_transaction(asking.tenant):
        waiting = IngestionRun.objects.select_related("version").get(pk=waiting.pk)
        assert (waiting.state, waiting.version.state) == ("failed", "failed")
        assert "later version" in waiting.version.message
    assert version_of(asking.tenant, document).number == 2


def test_the_command_ends_with_the_estimate_instead_of_waiting(
    asking: Company, writer: Writer, tmp_path: Path
) -> None:
    path = tmp_path / "manual.md"
    path.write_text(MANUAL)
    report, _ = ingest_command(asking, path)
    assert report["state"] == "approval"
    assert report["message"].startswith("Waiting for approval")
    assert report["estimate"]["tokens"] > 0
    assert report["estimate"]["price"] is None
    assert report["abstracts"] == {"made": 0, "reused": 0, "share": None, "tokens": 0}


def test_admins_approve_on_the_documents_page_and_editors_do_not(
    asking: Company, writer: Writer, client: Client
) -> None:
    document = ingested(asking.tenant, asking.base, "manual.md", MANUAL)
    arguments = [asking.tenant.slug, asking.base.slug, document.pk]
    page, approve = reverse("document", args=arguments), reverse("document_approve", args=arguments)
    client.force_login(asking.editor.user)
    html = client.get(page).content.decode()
    assert "Waiting for approval: the language model would be paid for some" in html
    assert approve not in html
    assert client.post(approve, {"choice": "model"}).status_code == 403
    client.force_login(asking.admin.user)
    assert approve in client.get(page).content.decode()
    assert client.post(approve, {"choice": "model"}).status_code == 302
    ingest_queued(asking.tenant)
    html = client.get(page).content.decode()
    assert "All about" in html  # the line about the document
    assert "tokens of the model" in html


def test_a_file_that_does_not_fit_the_space_is_refused_with_a_sentence(a: Company) -> None:
    make_quota(a.tenant, bytes_stored=3 * 1024 * 1024)
    uploaded(a.tenant, a.base, "first.txt", b"a " * 1024 * 1024)
    told = refusal_of(a, "second.txt", b"b " * 1024 * 1024)
    assert "may keep 3 MB of documents. It keeps 2 MB, and this file has 2 MB." in told
    with tenant_transaction(a.tenant):
        assert DocumentVersion.objects.count() == 1


def test_a_document_beyond_the_months_tokens_fails_before_it_is_embedded(
    a: Company, embedder: EmbedderSpy
) -> None:
    quota = make_quota(a.tenant, tokens_per_month=150)
    document = ingested(a.tenant, a.base, "manual.md", MANUAL)
    version = version_of(a.tenant, document)
    assert (version.state, version.verdict) == ("failed", "quota")
    assert "may have 150 tokens of documents read a month. It has used 0" in version.message
    assert embedder.texts == []
    with tenant_transaction(a.tenant):
        quota.tokens_per_month = 10_000
        quota.save()
    version_retry(tenant=a.tenant, version=version)
    ingest_queued(a.tenant)
    assert version_of(a.tenant, document).state == "ready"


def test_uploads_are_refused_once_the_month_is_used_up_and_last_months_does_not_count(
    a: Company,
) -> None:
    make_quota(a.tenant, tokens_per_month=100)
    make_ingest_usage(a.tenant, tokens=500, created_at=timezone.now() - timedelta(days=32))
    ingested(a.tenant, a.base, "small.md", "The office opens at nine.")
    make_ingest_usage(a.tenant, tokens=99)
    told = refusal_of(a, "next.md", b"The office opens at ten.")
    assert "they are used up. Files are accepted again from " in told


def test_a_version_is_counted_once_however_often_it_is_read_and_stays_counted(a: Company) -> None:
    document = ingested(a.tenant, a.base, "manual.md", MANUAL)
    version = version_of(a.tenant, document)
    set_back(a.tenant, run_of(a.tenant, document), state="queued")
    with tenant_transaction(a.tenant):
        DocumentVersion.objects.filter(pk=version.pk).update(state="queued")
    ingest_queued(a.tenant)
    with tenant_transaction(a.tenant):
        usage = IngestUsage.objects.get()
        assert (usage.purpose, usage.tokens) == ("read", version.tokens)


@pytest.mark.parametrize("limit", [None, 0])
def test_without_a_limit_nothing_is_refused(a: Company, limit: int | None) -> None:
    make_quota(a.tenant, tokens_per_month=limit, bytes_stored=limit)
    document = ingested(a.tenant, a.base, "manual.md", MANUAL)
    assert version_of(a.tenant, document).state == "ready"


def test_a_companys_quota_is_none_of_anothers(a: Company, b: Company) -> None:
    make_quota(a.tenant, bytes_stored=1, tokens_per_month=1)
    assert ingested(b.tenant, b.base, "manual.md", MANUAL).current_version is not None


def test_operators_set_one_quota_a_company(a: Company, client: Client) -> None:
    client.force_login(make_user("operator@example.com", is_staff=True, is_superuser=True))
    client.post(reverse("admin:choose_tenant", args=[a.tenant.pk]))
    add = reverse("admin:knowledge_tenantquota_add")
    values = {"_tenant": a.tenant.pk, "tokens_per_month": 500, "bytes_stored": ""}
    assert client.post(add, values).status_code == 302
    assert "has an ingest quota already" in client.post(add, values).content.decode()
    assert client.get(reverse("admin:knowledge_ingestusage_changelist")).status_code == 200
    with tenant_transaction(a.tenant):
        assert TenantQuota.objects.get().tokens_per_month == 500
