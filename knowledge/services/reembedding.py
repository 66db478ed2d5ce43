"""The change of a base to the configured embedding model: begun, paused, watched over.

The worker's part is in reembedding_run.py. The old index serves until all new vectors are there.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db.models import F, Func, IntegerField, Q, Sum, Value
from django.utils import timezone

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.embedder import current_embedder, current_server
from knowledge.models import EntryVector, IndexEntry, KnowledgeBase, Reembedding
from knowledge.models.index import IndexEntryQuerySet
from knowledge.queue import enqueue_reembedding, queue_length

MAX_ATTEMPTS = 5
"""Attempts without any progress after which a change ends as failed."""

CHARACTERS_A_TOKEN = 4
"""Of the heading paths, whose tokens are not counted when a passage is indexed."""

State = Reembedding.State
OVER = (State.DONE, State.CANCELLED)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a change of model has to embed; `price` None where none is configured."""

    entries: int
    tokens: int
    price: float | None


def entries_to_change(base: KnowledgeBase, model: str) -> IndexEntryQuerySet:
    """Return the entries that searches find and that another model embedded."""
    other = Q(embedding_model__lt=model) | Q(embedding_model__gt=model)  # ranges of an index
    return IndexEntry.objects.current().filter(other, base=base)


def tokens_of(entries: IndexEntryQuerySet) -> int:
    """Return about how many tokens are embedded for these entries, with their heading paths."""
    headings = Func(F("headings"), Value(" > "), function="array_to_string")
    length = Func(headings, function="length", output_field=IntegerField())
    total = entries.aggregate(total=Sum(F("tokens") + length / CHARACTERS_A_TOKEN))["total"]
    return int(total or 0)


def reembedding_estimate(*, tenant: Tenant, base: KnowledgeBase) -> Estimate:
    """Return what changing the base to the configured model takes. Raises EmbeddingError."""
    model = current_embedder().name
    with tenant_transaction(tenant):
        entries = entries_to_change(base, model)
        done = EntryVector.objects.filter(model=model, base=base).values("entry")
        entries = entries.exclude(pk__in=done)
        count, tokens = entries.count(), tokens_of(entries)
    price = settings.PRICE_EMBEDDING_PER_MTOK
    return Estimate(count, tokens, None if price is None else price * tokens / 1_000_000)


def reembedding_start(*, tenant: Tenant, base: KnowledgeBase) -> Reembedding | None:
    """Begin to change the base to the configured model, or go on; None if there is no need.

    What was made for another model goes. One that is under way is left alone, a paused or failed
    one goes on. Raises EmbeddingError.
    """
    model = current_embedder().name
    with tenant_transaction(tenant):
        locked = KnowledgeBase.objects.lock(base.pk)
        if locked is None:
            return None
        change = _row(locked)
        if not _is_needed(locked, model):
            _drop(locked, change)
            return None
        same = change is not None and change.model == model
        if change and same and change.state in (State.QUEUED, State.RUNNING):
            return change
        _begin(locked, model)
        return Reembedding.objects.get(base=base)


def reembedding_pause(*, tenant: Tenant, base: KnowledgeBase) -> Reembedding | None:
    """Stop the change until `reembedding_start`; what is done is kept. None without a change."""
    with tenant_transaction(tenant):
        Reembedding.objects.unfinished().filter(base=base).update(
            state=State.PAUSED, claim="", message="", not_before=None
        )
        return Reembedding.objects.filter(base=base).first()


def reembeddings_sweep(*, tenant: Tenant) -> int:
    """Begin what changed settings demand and take up what dead workers left; return how many.

    A change that is paused or has failed waits for `reembedding_start`, unless the settings name
    yet another model. Raises EmbeddingError.
    """
    model = current_embedder().name
    with tenant_transaction(tenant):
        _note_server(model)
        bases = list(KnowledgeBase.objects.all())
    begun = sum(_sweep_base(tenant, base, model) for base in bases)
    return begun + _sweep_rows(tenant)


def _note_server(model: str) -> None:
    """Store where the configured model is now, to ask it there once the settings have changed."""
    served, server = KnowledgeBase.objects.filter(serving_model=model), current_server()
    known = Q(serving_server__isnull=True) if server is None else Q(serving_server=server)
    served.exclude(known).update(serving_server=server)


def _sweep_base(tenant: Tenant, base: KnowledgeBase, model: str) -> int:
    with tenant_transaction(tenant):
        change = _row(base)
        needed = _is_needed(base, model)
    left = change is not None and change.state not in OVER
    if left and change is not None and change.model == model:
        return 0
    if not needed and not left:
        return 0
    started = reembedding_start(tenant=tenant, base=base)
    if change is not None and change.state == State.PAUSED:
        reembedding_pause(tenant=tenant, base=base)
    return int(started is not None)


def _sweep_rows(tenant: Tenant) -> int:
    silence = timedelta(seconds=settings.TASK_SILENCE_S)
    now = timezone.now()
    with tenant_transaction(tenant):
        rows = Reembedding.objects.select_for_update(skip_locked=True, no_key=True)
        abandoned = list(rows.abandoned(now, silence))
        lost = [] if queue_length() else list(rows.never_started(now, silence))
        due = list(rows.due(now))
        for change in abandoned:
            reembedding_break_off(change, "Its worker was ended.")
        for change in [*lost, *due]:
            reembedding_requeue(change)
    return len(abandoned) + len(lost) + len(due)


def reembedding_break_off(
    change: Reembedding, reason: str, *, wait: timedelta | None = None
) -> None:
    """Queue a change again, or end it after too many attempts without progress.

    In the caller's open transaction; with `wait` the sweeper sends it, not before.
    """
    if change.attempts >= MAX_ATTEMPTS:
        sentence = f"{reason} Given up after {MAX_ATTEMPTS} attempts; the old index serves."
        reembedding_fail(change, sentence)
    else:
        reembedding_requeue(change, message=reason, wait=wait)


def reembedding_fail(change: Reembedding, sentence: str) -> None:
    """End a change as failed, in the caller's open transaction; the old index goes on serving."""
    Reembedding.objects.filter(pk=change.pk).update(
        state=State.FAILED, claim="", message=sentence, finished_at=timezone.now()
    )


def reembedding_requeue(
    change: Reembedding, *, message: str = "", wait: timedelta | None = None
) -> None:
    """Queue a change again, in the caller's open transaction; its attempts stay counted."""
    now = timezone.now()
    Reembedding.objects.filter(pk=change.pk).update(
        state=State.QUEUED,
        claim="",
        message=message,
        enqueued_at=now,
        not_before=None if wait is None else now + wait,
    )
    if wait is None:
        enqueue_reembedding(change)


def _row(base: KnowledgeBase) -> Reembedding | None:
    return Reembedding.objects.select_for_update(no_key=True).filter(base=base).first()


def _is_needed(base: KnowledgeBase, model: str) -> bool:
    """Whether anything that is searched was made by another model than this."""
    return base.serving_model not in ("", model) or entries_to_change(base, model).exists()


def _begin(base: KnowledgeBase, model: str) -> None:
    EntryVector.objects.filter(base=base).exclude(model=model).delete()
    entries = entries_to_change(base, model)
    change, _ = Reembedding.objects.update_or_create(
        tenant_id=base.tenant_id,
        base=base,
        defaults={
            "model": model,
            "done": EntryVector.objects.filter(base=base).count(),
            "total": entries.count(),
            "tokens_done": 0,
            "tokens_total": tokens_of(entries),
            "attempts": 0,
            "created_at": timezone.now(),
            "finished_at": None,
        },
    )
    reembedding_requeue(change)


def _drop(base: KnowledgeBase, change: Reembedding | None) -> None:
    """End a change that nobody needs any more: the settings are back at the old model."""
    EntryVector.objects.filter(base=base).delete()
    if change is not None and change.state not in OVER:
        Reembedding.objects.filter(pk=change.pk).update(
            state=State.CANCELLED, claim="", message="", finished_at=timezone.now()
        )
