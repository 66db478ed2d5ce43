"""The factory of every tenant-owned model; tests/accounts fails for a model without one."""

from __future__ import annotations

from collections.abc import Callable

from accounts.models import Group, GroupMember, Membership, Tenant
from accounts.tenancy import TenantOwned
from knowledge.models import (
    Abstract,
    BaseAccess,
    Document,
    DocumentVersion,
    EntryVector,
    Figure,
    IndexEntry,
    IngestionRun,
    IngestUsage,
    KnowledgeBase,
    LexicalTerm,
    Node,
    Reembedding,
    TenantQuota,
    VersionSource,
    VersionText,
)
from retrieval.models import (
    AnswerQuota,
    Citation,
    Conversation,
    ExperienceEdge,
    ExperienceQuestion,
    ExperienceSettings,
    Feedback,
    GeneratedSection,
    LanguageModel,
    Run,
    RunEvent,
    ShadowAudit,
    UsageEntry,
)
from tests import factories
from tests.experience_factories import (
    make_answer_quota,
    make_audit,
    make_experience_edge,
    make_experience_question,
    make_experience_settings,
    make_feedback,
    make_generated_section,
)


def _edge(tenant: Tenant) -> ExperienceEdge:
    version = factories.make_version(tenant)
    question = make_experience_question(tenant, version.document.base)
    return make_experience_edge(tenant, question, version)


OWNED: dict[type[TenantOwned], Callable[[Tenant], TenantOwned]] = {
    Membership: factories.make_membership,
    Group: factories.make_group,
    GroupMember: factories.make_group_member,
    KnowledgeBase: factories.make_base,
    BaseAccess: factories.make_access,
    Document: factories.make_document,
    DocumentVersion: factories.make_version,
    VersionSource: factories.make_source,
    VersionText: factories.make_text,
    Node: factories.make_node,
    Figure: factories.make_figure,
    IndexEntry: factories.make_entry,
    EntryVector: factories.make_entry_vector,
    Reembedding: factories.make_reembedding,
    Abstract: factories.make_abstract,
    TenantQuota: factories.make_quota,
    IngestUsage: factories.make_ingest_usage,
    LexicalTerm: factories.make_term,
    IngestionRun: factories.make_ingestion_run,
    Conversation: factories.make_conversation,
    Run: factories.make_run,
    RunEvent: factories.make_event,
    Citation: factories.make_citation,
    UsageEntry: factories.make_usage,
    LanguageModel: factories.make_language_model,
    ExperienceSettings: lambda tenant: make_experience_settings(
        tenant, factories.make_base(tenant)
    ),
    ExperienceQuestion: lambda tenant: make_experience_question(
        tenant, factories.make_base(tenant)
    ),
    ExperienceEdge: lambda tenant: _edge(tenant),
    AnswerQuota: make_answer_quota,
    GeneratedSection: lambda tenant: make_generated_section(tenant, factories.make_base(tenant)),
    Feedback: lambda tenant: make_feedback(tenant, factories.make_run(tenant)),
    ShadowAudit: lambda tenant: make_audit(tenant, factories.make_run(tenant)),
}
