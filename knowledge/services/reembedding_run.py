"""The worker's part of a change of model: new vectors beside the old, then the switch.

A change is claimed by a conditional UPDATE and every write proves the claim first. Which entries
still lack their vector is read from the rows, so a worker that was killed loses one batch. A
message works for a bounded time and queues the next: uploads are not kept waiting, and no task
outlasts the queue's time-out.
"""

import logging
import time
import uuid
from datetime import timedelta
from typing import cast

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from accounts.tenancy import tenant_transaction
from knowledge.embedder import current_embedder
from knowledge.embedding import EmbeddingError, TextRefused, WrongDimensions
from knowledge.models import EntryVector, KnowledgeBase, Reembedding
from knowledge.services.claims import LostClaim, heartbeats
from knowledge.services.indexing import BATCH, next_size
from knowledge.services.ingestion import OUTAGE_WAITS_MIN
from knowledge.services.reembedding import (
    entries_to_change,
    reembedding_break_off,
    reembedding_fail,
    reembedding_requeue,
    tokens_of,
)
from knowledge.services.reembedding_batch import ChangeClaim, entries_embed, entries_next
from knowledge.services.serving_switch import serving_switch

logger = logging.getLogger(__name__)

SLICE_S = 120.0
"""How long a message works, at most half of the queue's time-out."""

OTHER_SETTINGS_WAIT = timedelta(minutes=1)
UNAVAILABLE = "The new embedding model does not answer."


def run_reembed(*, tenant_id: int, change_id: int) -> None:
    """Work on a queued change for a while, and end it if all is there; raises nothing."""
    work = None
    try:
        work = _claimed(tenant_id, change_id)
        if work is not None:
            with heartbeats(work.beat):
                _work(work)
    except LostClaim:
        logger.info("The change of model %s was paused or given to another worker.", change_id)
    except (TextRefused, WrongDimensions) as error:
        _end(work, f"The new embedding model cannot be used: {error}. The old index serves.")
    except EmbeddingError as error:
        logger.exception("The change of model %s met no embedder.", change_id)
        _break_off(work, f"{UNAVAILABLE} ({error})", outage=True)
    except Exception:
        reference = uuid.uuid4().hex[:8]
        logger.exception("The change of model %s failed, reference %s.", change_id, reference)
        _break_off(work, f"Something went wrong inside Cairn ({reference}).", outage=False)


def _claimed(tenant_id: int, change_id: int) -> ChangeClaim | None:
    """Return the change as this worker's; None if it is not queued or for other settings."""
    embedder, token, now = current_embedder(), uuid.uuid4().hex, timezone.now()
    with tenant_transaction(tenant_id):
        queued = Reembedding.objects.claimable(now).filter(pk=change_id)
        change = queued.select_for_update(no_key=True).first()
        if change is None:
            return None
        if change.model != embedder.name:
            # A worker that was started before the settings changed, or after they changed again.
            reembedding_requeue(change, message="", wait=OTHER_SETTINGS_WAIT)
            return None
        queued.update(
            state=Reembedding.State.RUNNING,
            claim=token,
            attempts=F("attempts") + 1,
            not_before=None,
            heartbeat_at=now,
        )
    return ChangeClaim(tenant_id, change_id, change.base_id, token, embedder)


def _work(work: ChangeClaim) -> None:
    """Embed until all is there, then switch; or queue the rest when the time is over."""
    end = time.monotonic() + min(SLICE_S, cast(int, settings.Q_CLUSTER["timeout"]) / 2)
    _recount(work)
    last, size = 0, BATCH
    while time.monotonic() < end:
        began = time.monotonic()
        batch = entries_next(work, last, size)
        if batch:
            entries_embed(work, batch)
            last = batch[-1].pk
            size = next_size(size, time.monotonic() - began)
        elif _switched(work):
            return
        else:
            last = 0  # what was published meanwhile
    with tenant_transaction(work.tenant_id):
        reembedding_requeue(work.hold())


def _recount(work: ChangeClaim) -> None:
    """Store how much is to do by now: documents are published and deleted meanwhile."""
    with tenant_transaction(work.tenant_id):
        change = work.hold()
        entries = entries_to_change(KnowledgeBase(pk=work.base_id), work.embedder.name)
        vectors = EntryVector.objects.filter(base=work.base_id)
        done = entries.filter(pk__in=vectors.values("entry"))
        change.done, change.total = done.count(), entries.count()
        change.tokens_done, change.tokens_total = tokens_of(done), tokens_of(entries)
        change.save(update_fields=["done", "total", "tokens_done", "tokens_total"])


def _switched(work: ChangeClaim) -> bool:
    """Let the new model serve and end the change; False if entries came meanwhile."""
    with tenant_transaction(work.tenant_id):
        base = KnowledgeBase.objects.lock(work.base_id)
        if base is None:
            raise LostClaim
        change = work.hold()
        if not serving_switch(base, work.embedder):
            return False
        Reembedding.objects.filter(pk=change.pk).update(
            state=Reembedding.State.DONE,
            done=change.done,
            total=change.done,
            tokens_total=change.tokens_done,
            claim="",
            message="",
            finished_at=timezone.now(),
        )
    logger.info("Base %s is served by %s.", work.base_id, work.embedder.name)
    return True


def _break_off(work: ChangeClaim | None, reason: str, *, outage: bool) -> None:
    if work is None:
        return
    try:
        with tenant_transaction(work.tenant_id):
            change = work.hold()
            wait = _outage_wait(change.attempts) if outage else None
            reembedding_break_off(change, reason, wait=wait)
    except LostClaim:
        logger.info("The change of model %s was given to another worker.", work.change_id)


def _outage_wait(attempts: int) -> timedelta:
    at = min(max(attempts, 1), len(OUTAGE_WAITS_MIN)) - 1
    return timedelta(minutes=OUTAGE_WAITS_MIN[at])


def _end(work: ChangeClaim | None, sentence: str) -> None:
    if work is None:
        return
    try:
        with tenant_transaction(work.tenant_id):
            reembedding_fail(work.hold(), sentence)
    except LostClaim:
        logger.info("The change of model %s was given to another worker.", work.change_id)
