"""The golden questions, asked of the sample company through the whole road, with the real embedder.

Prints its figures; a citation is right when it overlaps a gold passage of its document.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.models import IngestUsage, KnowledgeBase
from knowledge.services.bases import base_create
from knowledge.services.ingestion import run_ingest
from knowledge.services.uploads import document_upload
from retrieval.models import Run
from retrieval.services.runs import run_create, run_execute

HERE = Path(__file__).parent
DOCUMENTS = HERE.parent.parent / "sample_company"
pytestmark = pytest.mark.django_db

CITED_AT_LEAST = 22
ABSTAINED_AT_LEAST = 7


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what came of it; `quotes` are pairs of file name and quote."""

    id: str
    answerable: bool
    abstained: bool
    right: bool
    quotes: tuple[tuple[str, str], ...]


@pytest.fixture(scope="module")
def asked(django_db_setup, django_db_blocker) -> list[Asked]:
    """Every question's outcome; the database is cleared again by deleting the tenant's rows."""
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.conf.settings.EMBEDDER", "bundled")
        tenant = Tenant.objects.create(slug="golden", name="Golden")
        base = base_create(tenant=tenant, name="Golden", by=None)
        _ingest(tenant, base)
        lines = (HERE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        outcomes = [_ask(tenant, base, json.loads(line)) for line in lines if line.strip()]
        _clear(tenant, base)
    return outcomes


def test_the_golden_questions_are_answered_from_gold_passages_or_declined(asked, record_property):
    answerable = [item for item in asked if item.answerable]
    others = [item for item in asked if not item.answerable]
    right = sum(item.right for item in answerable)
    declined = sum(item.abstained for item in others)
    wrong = [item.id for item in answerable if not item.right]
    answered = [item.id for item in others if not item.abstained]
    record_property(
        "figures",
        f"golden questions: cites a gold passage for {right} of {len(answerable)} answerable ones"
        f" (not: {', '.join(wrong) or 'none'}), abstains on {declined} of {len(others)} others"
        f" (not: {', '.join(answered) or 'none'})",
    )
    assert right >= CITED_AT_LEAST
    assert declined >= ABSTAINED_AT_LEAST


def test_every_citation_is_verbatim_in_its_file(asked, record_property):
    quotes = [quote for item in asked for quote in item.quotes]
    texts = {path.name: path.read_text(encoding="utf-8") for path in DOCUMENTS.iterdir()}
    exceptions = [quote for quote in quotes if quote[1] not in texts[quote[0]]]
    record_property(
        "figures",
        f"golden questions: {len(quotes)} citations, {len(exceptions)} not verbatim in the source",
    )
    assert quotes
    assert exceptions == []


def _ingest(tenant: Tenant, base: KnowledgeBase) -> None:
    for path in sorted(DOCUMENTS.iterdir()):
        upload = document_upload(
            tenant=tenant, base=base, filename=path.name, content=path.read_bytes(), by=None
        )
        with tenant_transaction(tenant):
            run_id = upload.version.runs.get().pk
        run_ingest(tenant_id=tenant.pk, run_id=run_id)


def _ask(tenant: Tenant, base: KnowledgeBase, question: dict) -> Asked:
    run = run_create(tenant=tenant, base=base, membership=None, question=question["question"])
    run_execute(tenant_id=tenant.pk, run_id=run.pk)
    with tenant_transaction(tenant):
        run = Run.objects.get(pk=run.pk)
        cited = run.citations.values_list("document__filename", "quote")
        quotes = tuple((filename, quote) for filename, quote in cited)
    assert run.state == Run.State.DONE, (question["id"], run.reason)
    return Asked(
        id=question["id"],
        answerable=question["answerable"],
        abstained=run.abstained,
        right=any(_is_gold(question, *quote) for quote in quotes),
        quotes=quotes,
    )


def _is_gold(question: dict, filename: str, quote: str) -> bool:
    return filename == question["doc"] and any(
        passage in quote or quote in passage for passage in question["evidence"]
    )


def _clear(tenant: Tenant, base: KnowledgeBase) -> None:
    from django_q.models import OrmQ

    from knowledge.services.bases import base_delete

    base_delete(tenant=tenant, base=base)
    with tenant_transaction(tenant):
        IngestUsage.objects.all().delete()
    tenant.delete()
    OrmQ.objects.all().delete()
