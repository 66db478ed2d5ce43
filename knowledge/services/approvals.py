"""Whoever pays is asked first: runs that wait until a model's cost is approved."""

from django.utils import timezone

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.ingest.abstracts import AbstractWriter, extract
from knowledge.ingest.tokens import count_tokens
from knowledge.models import (
    Document,
    DocumentVersion,
    IngestionRun,
    KnowledgeBase,
    TenantQuota,
)
from knowledge.queue import enqueue_ingestion
from knowledge.services.abstracts import known_abstracts, wanted_writer
from knowledge.services.claims import Claim
from knowledge.services.costs import Estimate
from knowledge.services.sections import Level, bottom_up, sections_of_tree
from knowledge.services.trees import StoredTree

APPROVAL_TOKENS = 200_000
"""The most that a model is paid for one upload without asking, where nothing else is said."""

PROMPT_TOKENS = 120
"""What a model reads besides the source: the instructions are 108 tokens, the chat's frame some."""

ABSTRACT_TOKENS = 100
"""What a model writes: sixty words are 80 tokens of English, more of other languages."""

WAITING = (
    "Waiting for approval: the language model would be paid for some {tokens:,} tokens{price} to "
    "write the abstracts, and more than {limit:,} need approval here."
)


def approval_awaited(
    claim: Claim, base: KnowledgeBase, version: DocumentVersion, tree: StoredTree
) -> bool:
    """Store what a model will cost and return whether the run now waits for approval.

    Nothing has been paid for before. Raises LostClaim.
    """
    writer = wanted_writer(claim, base)
    if writer is None:
        return False
    estimate = abstracts_estimate(base, version, tree, writer)
    with tenant_transaction(claim.tenant_id):
        run = claim.hold()
        if run.approval:
            return False
        DocumentVersion.objects.filter(pk=version.pk).update(estimate=estimate.as_json())
        limit = _limit(base)
        if estimate.tokens <= limit:
            return False
        _park(run, _told(estimate, limit))
    return True


def abstracts_estimate(
    base: KnowledgeBase, version: DocumentVersion, tree: StoredTree, writer: AbstractWriter
) -> Estimate:
    """Return what the writer will take for the abstracts that cannot be taken over.

    Sections above one that is new are counted as if sentences were written below them.
    """
    calls = read = 0
    counted: set[str] = set()

    def count(level: Level) -> dict[int, str]:
        nonlocal calls, read
        with tenant_transaction(base.tenant_id):
            known = known_abstracts(base, level, writer)
        texts = {}
        for section, source in level:
            row = known.get(section.ordinal)
            texts[section.ordinal] = row.text if row else extract(source)
            if row is None and not source.is_short and source.digest not in counted:
                counted.add(source.digest)
                calls += 1
                read += PROMPT_TOKENS + count_tokens(f"{source.title}\n{source.text}")
        return texts

    bottom_up(sections_of_tree(version.pk, tree), count)
    return Estimate(tree.parsed.pages, calls, read, calls * ABSTRACT_TOKENS)


def run_approve(*, tenant: Tenant, run: IngestionRun, with_model: bool) -> bool:
    """Let a waiting run go on, with the model or with sentences; return False if it waits no more.

    Of two clicks at once only one finds it waiting.
    """
    choice = IngestionRun.Approval.MODEL if with_model else IngestionRun.Approval.SENTENCES
    with tenant_transaction(tenant):
        waiting = IngestionRun.objects.awaiting_approval().filter(pk=run.pk)
        if not waiting.update(
            state=IngestionRun.State.QUEUED,
            stage=IngestionRun.Stage.WAITING,
            approval=choice,
            message="",
            attempts=0,
            enqueued_at=timezone.now(),
        ):
            return False
        versions = DocumentVersion.objects.filter(pk=run.version_id)
        versions.filter(state=DocumentVersion.State.APPROVAL).update(
            state=DocumentVersion.State.QUEUED, message=""
        )
        enqueue_ingestion(run)
    return True


def _limit(base: KnowledgeBase) -> int:
    if base.approval_tokens is not None:
        return base.approval_tokens
    quota = TenantQuota.objects.first()
    if quota is not None and quota.approval_tokens is not None:
        return quota.approval_tokens
    return APPROVAL_TOKENS


def _park(run: IngestionRun, message: str) -> None:
    """Leave the run to whoever approves, in the open transaction; no worker and no sweeper has it.

    A version that was ready before stays so: it may be in use.
    """
    IngestionRun.objects.filter(pk=run.pk).update(
        state=IngestionRun.State.APPROVAL, claim="", message=message
    )
    versions = DocumentVersion.objects.filter(pk=run.version_id)
    versions.exclude(state=DocumentVersion.State.READY).update(
        state=DocumentVersion.State.APPROVAL, message=message
    )


def _told(estimate: Estimate, limit: int) -> str:
    told = estimate.as_json()
    price = "" if estimate.price is None else f" ({told['price']:.2f} {told['currency']})"
    return WAITING.format(tokens=estimate.tokens, price=price, limit=limit)


def approvals_end(document: Document) -> None:
    """End what waits for approval, since a later version has come, in the open transaction."""
    waiting = IngestionRun.objects.awaiting_approval().filter(version__document=document)
    ids = list(waiting.values_list("version_id", flat=True))
    sentence = "It was not approved before a later version was uploaded."
    waiting.update(
        state=IngestionRun.State.FAILED, message=sentence, error_code="superseded",
        finished_at=timezone.now(),
    )  # fmt: skip
    DocumentVersion.objects.filter(pk__in=ids, state=DocumentVersion.State.APPROVAL).update(
        state=DocumentVersion.State.FAILED, verdict="superseded", message=sentence
    )
