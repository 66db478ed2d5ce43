"""Factories of experience, verdicts and audits; `tests.owned` names them."""

from __future__ import annotations

from typing import Any

from pgvector import HalfVector

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.models import DocumentVersion, KnowledgeBase
from retrieval.models import (
    AnswerQuota,
    ExperienceEdge,
    ExperienceQuestion,
    ExperienceSettings,
    Feedback,
    GeneratedSection,
    Run,
    ShadowAudit,
)


def make_experience_settings(
    tenant: Tenant, base: KnowledgeBase, **fields: Any
) -> ExperienceSettings:
    with tenant_transaction(tenant):
        return ExperienceSettings.objects.create(tenant=tenant, base=base, **fields)


def make_experience_question(
    tenant: Tenant, base: KnowledgeBase, text: str = "When?", **fields: Any
) -> ExperienceQuestion:
    values = {
        "text_hash": text[:64],
        "embedding_model": "model",
        "dense": HalfVector([1.0, 0.0, 0.0]),
    }
    with tenant_transaction(tenant):
        return ExperienceQuestion.objects.create(
            tenant=tenant, base=base, text=text, **{**values, **fields}
        )


def make_experience_edge(
    tenant: Tenant, question: ExperienceQuestion, version: DocumentVersion, **fields: Any
) -> ExperienceEdge:
    values = {
        "path": f"{version.document.path}/p1",
        "stable_key": "key",
        "content_hash": "hash",
    }
    with tenant_transaction(tenant):
        return ExperienceEdge.objects.create(
            tenant=tenant,
            base_id=question.base_id,
            question=question,
            document_id=version.document_id,
            version=version,
            **{**values, **fields},
        )


def make_answer_quota(tenant: Tenant, **fields: Any) -> AnswerQuota:
    """Return the tenant's only quota, with these fields."""
    with tenant_transaction(tenant):
        return AnswerQuota.objects.update_or_create(tenant=tenant, defaults=fields)[0]


def make_generated_section(tenant: Tenant, base: KnowledgeBase, **fields: Any) -> GeneratedSection:
    with tenant_transaction(tenant):
        return GeneratedSection.objects.create(
            tenant=tenant, base=base, **{"content_hash": "hash", **fields}
        )


def make_feedback(tenant: Tenant, run: Run, **fields: Any) -> Feedback:
    with tenant_transaction(tenant):
        return Feedback.objects.create(tenant=tenant, run=run, **{"verdict": "bad", **fields})


def make_audit(tenant: Tenant, run: Run, **fields: Any) -> ShadowAudit:
    with tenant_transaction(tenant):
        return ShadowAudit.objects.create(tenant=tenant, run=run, **fields)
