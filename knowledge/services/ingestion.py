"""Ingestion of one version: parse > tree > embed > abstract > publish.

Each stage is idempotent and finds out from the rows what is left to do, so a run that was killed
goes on where it stopped. A run is claimed by a conditional UPDATE; every later write first proves
that the claim still holds, so a worker that was given up for dead and comes back changes nothing.
No transaction is open while a document is parsed or an embedder answers.
"""

import logging
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F
from django.utils import timezone

from accounts.tenancy import tenant_transaction
from knowledge.embedding import EmbeddingError, TextRefused, WrongDimensions
from knowledge.ingest.flatten import flatten
from knowledge.ingest.preflight import Refused
from knowledge.models import DocumentVersion, IngestionRun, KnowledgeBase
from knowledge.queue import enqueue_ingestion
from knowledge.services.abstracts import version_abstract
from knowledge.services.approvals import approval_awaited
from knowledge.services.claims import Claim, LostClaim
from knowledge.services.costs import QuotaExceeded, reading_take
from knowledge.services.descriptions import figures_queue
from knowledge.services.figures import figures_store
from knowledge.services.indexing import version_index
from knowledge.services.publishing import run_finish, version_publish
from knowledge.services.serving import ModelChanged
from knowledge.services.trees import (
    StoredTree,
    source_parse,
    tree_is_stored,
    tree_of,
    tree_store,
)
from knowledge.services.versions import version_reread

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 5
GIVEN_UP = "The reading of this file was broken off {attempts} times. You can try it again."
UNAVAILABLE = "The passages could not be indexed: the embedding model does not answer."
POSTPONED = "The embedding model does not answer; trying again at {time:%H:%M}."
OUTAGE_WAITS_MIN = (2, 5, 15, 40)
"""Minutes after each attempt that met no embedder: five attempts outlast an outage of an hour."""


@dataclass(frozen=True, slots=True)
class _Failure:
    code: str
    sentence: str
    permanent: bool
    outage: bool = False


def run_ingest(*, tenant_id: int, run_id: int) -> None:
    """Take a queued run to its end; return at once if it is not queued, or its version is ready.

    Raises nothing for a bad document or a missing model: those end on the run's own row.
    """
    claim = _claim(tenant_id, run_id)
    if claim is None:
        return
    try:
        with claim.kept_alive():
            _ingest(claim)
    except LostClaim:
        logger.warning("Run %s was given to another worker.", run_id)
    except Refused as refused:
        _fail(claim, _Failure(str(refused.verdict), refused.sentence, permanent=True))
    except QuotaExceeded as spent:
        _fail(claim, _Failure("quota", str(spent), permanent=True))
    except TextRefused as refused_text:
        sentence = f"A passage could not be indexed: {refused_text}."
        _fail(claim, _Failure("embedding", sentence, permanent=True))
    except WrongDimensions as error:
        sentence = f"The passages could not be indexed: {error}. An administrator can correct it."
        _fail(claim, _Failure("embedding", sentence, permanent=True))
    except EmbeddingError:
        logger.exception("Run %s: the embedder failed.", run_id)
        _fail(claim, _Failure("embedding", UNAVAILABLE, permanent=False, outage=True))
    except Exception:
        reference = uuid.uuid4().hex[:8]
        logger.exception("Run %s failed unexpectedly, reference %s.", run_id, reference)
        sentence = f"Something went wrong inside Cairn while reading this file ({reference})."
        _fail(claim, _Failure("internal", sentence, permanent=False))


def run_fail(*, run: IngestionRun, code: str, sentence: str) -> None:
    """End a run and its version as failed, in the caller's open transaction."""
    now = timezone.now()
    IngestionRun.objects.filter(pk=run.pk).update(
        state=IngestionRun.State.FAILED, message=sentence, error_code=code, finished_at=now
    )
    DocumentVersion.objects.filter(pk=run.version_id).exclude(
        state=DocumentVersion.State.READY
    ).update(state=DocumentVersion.State.FAILED, verdict=code, message=sentence)


def run_requeue(
    *, run: IngestionRun, message: str = "", not_before: datetime | None = None
) -> None:
    """Queue a run again, in the caller's open transaction; its attempts stay counted.

    With `not_before` it gets no queue message: the sweeper sends it when its time has come, so that
    no worker is kept by waiting.
    """
    IngestionRun.objects.filter(pk=run.pk).update(
        state=IngestionRun.State.QUEUED,
        stage=IngestionRun.Stage.WAITING,
        message=message,
        claim="",
        enqueued_at=timezone.now(),
        not_before=not_before,
    )
    DocumentVersion.objects.filter(pk=run.version_id, state=DocumentVersion.State.RUNNING).update(
        state=DocumentVersion.State.QUEUED
    )
    if not_before is None:
        enqueue_ingestion(run)


def _claim(tenant_id: int, run_id: int) -> Claim | None:
    token, now = uuid.uuid4().hex, timezone.now()
    with tenant_transaction(tenant_id):
        claimed = (
            IngestionRun.objects.claimable(now)
            .filter(pk=run_id)
            .update(
                state=IngestionRun.State.RUNNING,
                message="",
                not_before=None,
                claim=token,
                attempts=F("attempts") + 1,
                started_at=now,
                heartbeat_at=now,
            )
        )
        if not claimed:
            return None
        run = IngestionRun.objects.get(pk=run_id)
        version = DocumentVersion.objects.filter(pk=run.version_id)
        unfinished = version.exclude(state=DocumentVersion.State.READY)
        # One that is current is never taken back: its entries are being searched. One that is
        # ready but not current is to be used again, and stays ready meanwhile; unless it was only
        # to be read again, which is of no use any more.
        if (
            not unfinished.update(state=DocumentVersion.State.RUNNING)
            and version.current().exists() is not run.rereads
        ):
            run_finish(run_id)
            return None
    return Claim(tenant_id, run_id, run.version_id, token)


def _ingest(claim: Claim) -> None:
    claim.report(IngestionRun.Stage.PARSE, 0, 1)
    with tenant_transaction(claim.tenant_id):
        version = DocumentVersion.objects.select_related("document").get(pk=claim.version_id)
        base = KnowledgeBase.objects.get(pk=version.document.base_id)
        source = bytes(version.source.get().content)
    parsed = source_parse(base, source, version.filename)
    if version.state == DocumentVersion.State.READY:
        drafts = flatten(parsed)
        if not tree_is_stored(version, parsed, drafts):
            version_reread(claim)
            return
        if version.pk == version.document.current_version_id:
            _renew(claim, base, version, tree_of(version, parsed, drafts))
            return
    claim.report(IngestionRun.Stage.TREE, 0, 1)
    tree = tree_store(claim, version, parsed)
    with tenant_transaction(claim.tenant_id):
        claim.hold()
        reading_take(version, tree.drafts[0].tokens)
    figures_store(claim, base, version, source)
    if approval_awaited(claim, base, version, tree):
        return
    while not _publish(claim, base, version, tree):
        logger.info("Run %s: the base changed to another embedding model.", claim.run_id)
    figures_queue(tenant_id=claim.tenant_id, version_id=claim.version_id)


def _renew(claim: Claim, base: KnowledgeBase, version: DocumentVersion, tree: StoredTree) -> None:
    """End the run over a version in use that reads as before: it stays, with wanted abstracts."""
    if approval_awaited(claim, base, version, tree):
        return
    version_abstract(claim, base, version, tree)
    with tenant_transaction(claim.tenant_id):
        claim.hold()
        run_finish(claim.run_id)


def _publish(claim: Claim, base: KnowledgeBase, version: DocumentVersion, tree: StoredTree) -> bool:
    """Index and publish the version; False if the base's model has changed meanwhile."""
    try:
        version_index(claim, base, version, tree)
        version_abstract(claim, base, version, tree)
        claim.report(IngestionRun.Stage.PUBLISH, 0, 1)
        version_publish(claim, title=tree.parsed.title)
    except ModelChanged:
        return False
    return True


def _fail(claim: Claim, failure: _Failure) -> None:
    """End the run, or queue it again while it has attempts left and another may help."""
    try:
        with tenant_transaction(claim.tenant_id):
            run = claim.hold()
            if failure.permanent or run.attempts >= MAX_ATTEMPTS:
                run_fail(run=run, code=failure.code, sentence=failure.sentence)
            elif failure.outage:
                _postpone(run)
            else:
                run_requeue(run=run, message=failure.sentence)
    except LostClaim:
        logger.warning("Run %s failed after it was given to another worker.", claim.run_id)


def _postpone(run: IngestionRun) -> None:
    minutes = OUTAGE_WAITS_MIN[min(run.attempts, len(OUTAGE_WAITS_MIN)) - 1]
    then = timezone.now() + timedelta(minutes=minutes)
    message = POSTPONED.format(time=timezone.localtime(then))
    run_requeue(run=run, message=message, not_before=then)
