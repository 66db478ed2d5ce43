"""Whoever pays is asked first: runs that wait until a model's cost is approved."""

from django.utils import timezone

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.models import (
    Document,
    DocumentVersion,
    Figure,
    IngestionRun,
    KnowledgeBase,
    TenantQuota,
)
from knowledge.queue import enqueue_ingestion
from knowledge.services.abstracts import wanted_writer
from knowledge.services.claims import Claim
from knowledge.services.costs import Estimate
from knowledge.services.estimates import abstracts_estimate, figures_estimate
from knowledge.services.trees import StoredTree

APPROVAL_TOKENS = 200_000
"""The most that a model is paid for one upload without asking, where nothing else is said."""

WAITING = (
    "Waiting for approval: the language model would be paid for some {tokens:,} tokens{price} to "
    "{work}, and more than {limit:,} need approval here."
)


def approval_awaited(
    claim: Claim, base: KnowledgeBase, version: DocumentVersion, tree: StoredTree
) -> bool:
    """Store what models will cost and return whether the run now waits for approval.

    Nothing has been paid for before; the pictures of the figures are stored. Raises LostClaim.
    """
    with tenant_transaction(claim.tenant_id):
        due = Figure.objects.filter(version=version, due_at__isnull=False)
        approval = claim.hold().approval
        if approval == IngestionRun.Approval.SENTENCES:
            due.update(due_at=None)  # nothing is to be paid for
        if approval:
            return False
        sizes = list(due.values_list("width", "height"))
    writer = wanted_writer(claim, base)
    if writer is None and not sizes:
        return False
    estimate = Estimate(tree.parsed.pages, 0, 0, 0)
    if writer is not None:
        estimate = abstracts_estimate(base, version, tree, writer)
    estimate = estimate.with_figures(figures_estimate(sizes))
    with tenant_transaction(claim.tenant_id):
        run = claim.hold()
        DocumentVersion.objects.filter(pk=version.pk).update(estimate=estimate.as_json())
        limit = _limit(base)
        if estimate.tokens <= limit:
            return False
        _park(run, _told(estimate, limit))
    return True


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
    works = [
        *(["write the abstracts"] if estimate.calls > estimate.figures else []),
        *([f"describe the figures (figures: {estimate.figures:,})"] if estimate.figures else []),
    ]
    work = " and ".join(works)
    return WAITING.format(tokens=estimate.tokens, price=price, work=work, limit=limit)


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
