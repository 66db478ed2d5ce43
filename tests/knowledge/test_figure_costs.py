"""What a model that sees will take for figures is told, and may be refused, like any other cost."""

from __future__ import annotations

from accounts.tenancy import tenant_transaction
from knowledge.models import KnowledgeBase
from knowledge.reading.report import estimate_json
from knowledge.services.approvals import run_approve
from knowledge.services.descriptions import figures_sweep
from knowledge.services.estimates import picture_tokens
from tests.factories import Company, ingest_queued, ingested
from tests.knowledge.conftest import run_of, version_of
from tests.knowledge.test_costs import estimate_of
from tests.knowledge.test_figures import Describer, describe, figures_of
from tests.knowledge.test_figures import describer as describer
from tests.knowledge.test_figures import nobody as nobody
from tests.picture_files import pdf


def ask_for_everything(a: Company) -> None:
    with tenant_transaction(a.tenant):
        KnowledgeBase.objects.filter(pk=a.base.pk).update(approval_tokens=0)


def test_figures_count_into_the_estimate_also_where_no_abstracts_are_written(
    a: Company, describer: Describer
) -> None:
    document = ingested(a.tenant, a.base, "manual.pdf", pdf(pages=2))
    version = version_of(a.tenant, document)
    assert version.state == "ready"
    told = estimate_json(version)
    assert told is not None
    assert told["figures"] == 2
    sizes = [picture_tokens(row.width, row.height) for row in figures_of(a, document)]
    assert told["tokens"] > sum(sizes) > 0
    assert estimate_of(version)["calls"] == 2


def test_nothing_is_estimated_where_no_model_sees(a: Company, nobody: None) -> None:
    document = ingested(a.tenant, a.base, "manual.pdf", pdf(pages=2))
    assert version_of(a.tenant, document).estimate is None


def test_no_picture_is_shown_to_a_model_before_somebody_approves(
    a: Company, describer: Describer
) -> None:
    ask_for_everything(a)
    document = ingested(a.tenant, a.base, "manual.pdf", pdf(pages=2))
    version = version_of(a.tenant, document)
    assert version.state == "approval"
    assert "to describe the figures (figures: 2), and more than 0 need approval" in version.message
    assert figures_sweep(tenant=a.tenant) == 0
    run_approve(tenant=a.tenant, run=run_of(a.tenant, document), with_model=True)
    ingest_queued(a.tenant)
    describe(a, version_of(a.tenant, document).document)
    assert len(describer.shown) == 2


def test_who_approves_no_cost_gets_the_document_without_descriptions(
    a: Company, describer: Describer
) -> None:
    ask_for_everything(a)
    document = ingested(a.tenant, a.base, "manual.pdf", pdf(pages=2))
    run_approve(tenant=a.tenant, run=run_of(a.tenant, document), with_model=False)
    ingest_queued(a.tenant)
    assert version_of(a.tenant, document).state == "ready"
    assert figures_sweep(tenant=a.tenant) == 0
    assert describer.shown == []
    assert len(figures_of(a, document)) == 2


def test_a_picture_is_counted_in_tiles() -> None:
    assert picture_tokens(400, 300) == 85 + 170
    assert picture_tokens(1_024, 1_024) == 85 + 4 * 170  # 765, as OpenAI's own example
    assert picture_tokens(2_048, 4_096) == 85 + 6 * 170  # 1,105, as OpenAI's own example
