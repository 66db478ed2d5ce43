"""The smallest valid rows, each in the transaction of the tenant it demands."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import count
from typing import Any

from pgvector import HalfVector, SparseVector

from accounts.models import Group, GroupMember, Membership, Role, Tenant, User
from accounts.tenancy import tenant_transaction
from knowledge.lexical import DIMENSIONS
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
from knowledge.services.bases import base_create
from knowledge.services.ingestion import run_ingest
from knowledge.services.uploads import document_upload
from retrieval.models import Citation, Conversation, LanguageModel, Run, RunEvent, UsageEntry
from tests.rows import create as _create
from tests.rows import digest as _digest

PASSWORD = "correct horse battery"
TEXT = "The office opens at nine."

_numbers = count(1)


def sequence(word: str) -> str:
    """Return the word with the next number: the same words in every session, each once."""
    return f"{word}-{next(_numbers)}"


def make_tenant(slug: str = "", name: str = "") -> Tenant:
    slug = slug or sequence("company")
    return Tenant.objects.create(slug=slug, name=name or slug)


def make_user(email: str = "", **fields: Any) -> User:
    """Return a user without a usable password: hashing one takes a test 0.1 s."""
    user = User(email=email or f"{sequence('user')}@example.com", **fields)
    user.set_unusable_password()
    user.save()
    return user


def make_membership(
    tenant: Tenant, user: User | None = None, role: str = Role.MEMBER
) -> Membership:
    return _create(Membership, tenant, user=user or make_user(), role=role)


def make_group(tenant: Tenant, name: str = "") -> Group:
    return _create(Group, tenant, name=name or sequence("group"))


def make_group_member(
    tenant: Tenant, group: Group | None = None, membership: Membership | None = None
) -> GroupMember:
    return _create(
        GroupMember,
        tenant,
        group=group or make_group(tenant),
        membership=membership or make_membership(tenant),
    )


def make_base(tenant: Tenant, slug: str = "", **fields: Any) -> KnowledgeBase:
    slug = slug or sequence("base")
    return _create(KnowledgeBase, tenant, **{"slug": slug, "name": slug, **fields})


def make_access(
    tenant: Tenant, base: KnowledgeBase | None = None, group: Group | None = None
) -> BaseAccess:
    return _create(
        BaseAccess, tenant, base=base or make_base(tenant), group=group or make_group(tenant)
    )


def make_document(tenant: Tenant, base: KnowledgeBase | None = None, **fields: Any) -> Document:
    """Return a document without any version; `ingested` makes one that can be searched."""
    name = fields.pop("path", "") or sequence("document")
    values = {"path": name, "title": name, "filename": f"{name}.md", **fields}
    return _create(Document, tenant, base=base or make_base(tenant), **values)


def make_version(
    tenant: Tenant, document: Document | None = None, **fields: Any
) -> DocumentVersion:
    document = document or make_document(tenant)
    values = {"number": 1, "filename": document.filename, "sha256": _digest(TEXT), "size": 1}
    return _create(DocumentVersion, tenant, document=document, **{**values, **fields})


def make_source(tenant: Tenant, version: DocumentVersion | None = None) -> VersionSource:
    version = version or make_version(tenant)
    return _create(VersionSource, tenant, version=version, content=TEXT.encode())


def make_text(tenant: Tenant, version: DocumentVersion | None = None) -> VersionText:
    return _create(VersionText, tenant, version=version or make_version(tenant), content=TEXT)


def make_node(tenant: Tenant, version: DocumentVersion | None = None, **fields: Any) -> Node:
    """Return a paragraph without a parent."""
    version = version or make_version(tenant)
    values = {
        "ordinal": 0,
        "kind": "paragraph",
        "depth": 1,
        "path": f"{version.document.path}/p1",
        "text": TEXT,
        "char_start": 0,
        "char_end": len(TEXT),
        "sentences": [0, len(TEXT)],
        "tokens": 6,
        "content_hash": _digest(TEXT),
        "stable_key": _digest("p1"),
    }
    return _create(Node, tenant, version=version, **{**values, **fields})


def make_entry(tenant: Tenant, node: Node | None = None, **fields: Any) -> IndexEntry:
    node = node or make_node(tenant)
    document = node.version.document
    values = {
        "base": document.base,
        "document": document,
        "version": node.version,
        "ordinal": 0,
        "depth": 1,
        "path": f"{document.path}/c1",
        "headings": [document.title],
        "preview": TEXT,
        "char_start": 0,
        "char_end": len(TEXT),
        "tokens": 6,
        "term_count": 1,
        "input_hash": _digest(TEXT),
        "embedding_model": "test",
        "dense": HalfVector([1.0, 0.0]),
        "lexical": SparseVector({0: 1.0}, DIMENSIONS),
    }
    return _create(IndexEntry, tenant, node=node, **{**values, **fields})


def make_abstract(tenant: Tenant, node: Node | None = None, **fields: Any) -> Abstract:
    node = node or make_node(tenant, kind="section")
    values = {
        "base": node.version.document.base,
        "version": node.version,
        "text": TEXT,
        "generator": "extractive",
        "source_hash": _digest(TEXT),
    }
    return _create(Abstract, tenant, node=node, **{**values, **fields})


def make_quota(tenant: Tenant, **fields: Any) -> TenantQuota:
    """Return the tenant's only quota, with these fields."""
    with tenant_transaction(tenant):
        return TenantQuota.objects.update_or_create(tenant=tenant, defaults=fields)[0]


def make_ingest_usage(tenant: Tenant, **fields: Any) -> IngestUsage:
    values = {"version_number": next(_numbers), "purpose": "read", "tokens": 6}
    return _create(IngestUsage, tenant, **{**values, **fields})


def make_entry_vector(tenant: Tenant, entry: IndexEntry | None = None) -> EntryVector:
    entry = entry or make_entry(tenant)
    return _create(
        EntryVector,
        tenant,
        base_id=entry.base_id,
        entry=entry,
        model="next",
        input_hash=entry.input_hash,
        dense=HalfVector([1.0, 0.0, 0.0]),
    )


def make_reembedding(tenant: Tenant, base: KnowledgeBase | None = None) -> Reembedding:
    return _create(Reembedding, tenant, base=base or make_base(tenant), model="next")


def make_figure(tenant: Tenant, node: Node | None = None, **fields: Any) -> Figure:
    node = node or make_node(tenant, kind="figure")
    values = {
        "version": node.version,
        "number": 1,
        "content": b"\x89PNG",
        "media_type": "image/png",
        "width": 1,
        "height": 1,
        "sha256": _digest("picture"),
    }
    return _create(Figure, tenant, node=node, **{**values, **fields})


def make_term(tenant: Tenant, base: KnowledgeBase | None = None, term: int = 1) -> LexicalTerm:
    return _create(
        LexicalTerm, tenant, base=base or make_base(tenant), term=term, document_frequency=1
    )


def make_ingestion_run(
    tenant: Tenant, version: DocumentVersion | None = None, **fields: Any
) -> IngestionRun:
    return _create(IngestionRun, tenant, version=version or make_version(tenant), **fields)


def make_conversation(
    tenant: Tenant, base: KnowledgeBase | None = None, user: User | None = None, title: str = "Hi"
) -> Conversation:
    return _create(
        Conversation,
        tenant,
        base=base or make_base(tenant),
        user=user or make_user(),
        title=title,
    )


def make_run(tenant: Tenant, conversation: Conversation | None = None, **fields: Any) -> Run:
    conversation = conversation or make_conversation(tenant)
    values = {"user_id": conversation.user_id, "question": "When?", "preset": "naive"}
    return _create(
        Run, tenant, base=conversation.base, conversation=conversation, **{**values, **fields}
    )


def make_event(tenant: Tenant, run: Run | None = None, **fields: Any) -> RunEvent:
    values = {"number": 1, "kind": "assembled", "payload": {"blocks": 1, "tokens": 6}}
    return _create(RunEvent, tenant, run=run or make_run(tenant), **{**values, **fields})


def make_citation(
    tenant: Tenant, run: Run | None = None, version: DocumentVersion | None = None, **fields: Any
) -> Citation:
    run = run or make_run(tenant)
    version = version or make_version(tenant, make_document(tenant, run.base))
    values = {
        "number": 1,
        "path": f"{version.document.path}/p1",
        "quote": TEXT,
        "char_start": 0,
        "char_end": len(TEXT),
        "match": "exact",
    }
    return _create(
        Citation,
        tenant,
        run=run,
        version=version,
        document=version.document,
        **{**values, **fields},
    )


def make_usage(tenant: Tenant, **fields: Any) -> UsageEntry:
    values = {"purpose": "answer", "model": "scripted", "seconds": 0.1}
    return _create(UsageEntry, tenant, **{**values, **fields})


def make_language_model(tenant: Tenant, **fields: Any) -> LanguageModel:
    """Return a model that no question is put to: it is not active."""
    values = {"base_url": "http://127.0.0.1:9/v1", "model_id": "scripted", "is_active": False}
    return _create(LanguageModel, tenant, **{"name": sequence("model"), **values, **fields})


def uploaded(tenant: Tenant, base: KnowledgeBase, filename: str, content: str | bytes) -> Document:
    """Return a document whose ingestion is queued."""
    data = content.encode() if isinstance(content, str) else content
    return document_upload(
        tenant=tenant, base=base, filename=filename, content=data, by=None
    ).document


def ingested(tenant: Tenant, base: KnowledgeBase, filename: str, content: str | bytes) -> Document:
    """Return a document after its ingestion, through the services and without a worker."""
    document = uploaded(tenant, base, filename, content)
    ingest_queued(tenant, document)
    while _is_being_read(tenant, document):
        time.sleep(0.05)
    with tenant_transaction(tenant):
        return Document.objects.for_listing().get(pk=document.pk)


def _is_being_read(tenant: Tenant, document: Document) -> bool:
    """Return whether a worker beside the test was quicker to claim the document's run."""
    with tenant_transaction(tenant):
        running = IngestionRun.objects.filter(state=IngestionRun.State.RUNNING)
        return running.filter(version__document=document).exists()


def ingest_queued(tenant: Tenant, document: Document | None = None) -> None:
    """Do the worker's work: every queued run of the tenant, or of one document, to its end."""
    with tenant_transaction(tenant):
        queued = IngestionRun.objects.filter(state=IngestionRun.State.QUEUED).order_by("pk")
        if document is not None:
            queued = queued.filter(version__document=document)
        ids = list(queued.values_list("pk", flat=True))
    for run_id in ids:
        run_ingest(tenant_id=tenant.pk, run_id=run_id)


@dataclass(frozen=True, slots=True)
class Company:
    """A tenant with a person in each role, an open base and a restricted one.

    `insider` is the only plain member whose group may read the restricted base.
    """

    tenant: Tenant
    owner: Membership
    admin: Membership
    editor: Membership
    member: Membership
    insider: Membership
    group: Group
    base: KnowledgeBase
    restricted: KnowledgeBase


def make_company(slug: str) -> Company:
    """Return a company; two of different slugs have equal content but for names and addresses."""
    tenant = make_tenant(slug)
    people = {
        name: make_membership(tenant, make_user(f"{name}@{slug}.example"), role)
        for name, role in {
            "owner": Role.OWNER,
            "admin": Role.ADMIN,
            "editor": Role.EDITOR,
            "member": Role.MEMBER,
            "insider": Role.MEMBER,
        }.items()
    }
    group = make_group(tenant, "Board")
    make_group_member(tenant, group, people["insider"])
    restricted = base_create(
        tenant=tenant,
        name="Board papers",
        by=None,
        visibility=KnowledgeBase.Visibility.RESTRICTED,
        groups=[group],
    )
    base = base_create(tenant=tenant, name="Handbook", by=None)
    return Company(tenant=tenant, group=group, base=base, restricted=restricted, **people)
