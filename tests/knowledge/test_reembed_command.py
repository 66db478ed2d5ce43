"""manage.py reembed: what a change of model will cost, and the change itself."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import call_command

from knowledge.services.reembedding import reembedding_estimate
from tests.factories import Company
from tests.knowledge.test_reembedding import NEXT, configure, notes, server

__all__ = ["notes", "server"]  # fixtures


def test_the_command_reports_an_estimate_with_its_price_and_does_the_work(
    notes: Company, settings, server
) -> None:
    new = configure(settings, server, NEXT)
    settings.PRICE_EMBEDDING_PER_MTOK = 2.0
    estimate = reembedding_estimate(tenant=notes.tenant, base=notes.base)
    assert estimate.entries == 80
    assert estimate.price == pytest.approx(estimate.tokens * 2 / 1_000_000)
    status = reembed(notes, "--status")
    assert status["state"] == "none"
    assert status["estimate"]["tokens"] == estimate.tokens
    done = reembed(notes, "--wait")
    assert (done["state"], done["entries_done"], done["serving_model"]) == ("done", 80, new)
    assert reembed(notes, "--status")["estimate"]["entries"] == 0


def reembed(company: Company, *options: str) -> dict:
    out = StringIO()
    call_command(
        "reembed", *options, tenant=company.tenant.slug, kb=company.base.slug, json=True, stdout=out
    )
    report: dict = json.loads(out.getvalue())
    return report
