"""Some entries of a base get their vectors by the next model, beside those that serve it."""

from dataclasses import dataclass, field

from django.db.models import Exists, F, OuterRef
from django.utils import timezone
from pgvector import HalfVector

from accounts.tenancy import tenant_transaction
from knowledge.embedding import Embedder, Vectors
from knowledge.models import EntryVector, IndexEntry, KnowledgeBase, Reembedding, VersionText
from knowledge.services.bulk_rows import rows_insert
from knowledge.services.claims import LostClaim
from knowledge.services.indexing import embedded_text, input_hash
from knowledge.services.reembedding import CHARACTERS_A_TOKEN, entries_to_change


@dataclass(slots=True)
class ChangeClaim:
    """A worker's hold on a change; `texts` are those of the versions that are being embedded."""

    tenant_id: int
    change_id: int
    base_id: int
    token: str
    embedder: Embedder
    texts: dict[int, str] = field(default_factory=dict)

    def hold(self) -> Reembedding:
        """Lock the change's row until the open transaction ends. Raises LostClaim."""
        rows = Reembedding.objects.select_for_update(no_key=True)
        change = rows.filter(pk=self.change_id, claim=self.token).first()
        if change is None or change.state != Reembedding.State.RUNNING:
            raise LostClaim
        return change

    def beat(self) -> None:
        """Tell that the worker lives, in a transaction of its own."""
        with tenant_transaction(self.tenant_id):
            Reembedding.objects.filter(pk=self.change_id, claim=self.token).update(
                heartbeat_at=timezone.now()
            )


def entries_next(work: ChangeClaim, last: int, size: int) -> list[IndexEntry]:
    """Return entries after this key that lack their new vector, in the order they were made in.

    The key saves going over all that is done already for each batch. Raises LostClaim.
    """
    with tenant_transaction(work.tenant_id):
        base = KnowledgeBase.objects.filter(pk=work.base_id).first()
        if base is None:
            raise LostClaim
        has = EntryVector.objects.filter(entry=OuterRef("pk"))
        entries = entries_to_change(base, work.embedder.name).filter(~Exists(has), pk__gt=last)
        batch = list(entries.defer("dense", "lexical").order_by("pk")[:size])
        wanted = {entry.version_id for entry in batch if not entry.index_text}
        missing = wanted - set(work.texts)
        if missing:
            texts = VersionText.objects.filter(version__in=missing)
            kept = {pk: text for pk, text in work.texts.items() if pk in wanted}
            work.texts = kept | dict(texts.values_list("version_id", "content"))
    return batch


def entries_embed(work: ChangeClaim, batch: list[IndexEntry]) -> None:
    """Store the vectors of these entries; one that went meanwhile gets none.

    Raises EmbeddingError and LostClaim.
    """
    texts = {entry.pk: _text(work, entry) for entry in batch}
    vectors = _vectors(work, list(texts.values()))
    with tenant_transaction(work.tenant_id):
        if not KnowledgeBase.objects.keep(work.base_id):
            raise LostClaim
        change = work.hold()
        # Without waiting for whoever deletes some: what is left out comes in the next round.
        there = IndexEntry.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
        there = there.filter(pk__in=texts).order_by("pk")
        found = set(there.values_list("pk", flat=True))
        rows = [
            EntryVector(
                tenant_id=work.tenant_id,
                base_id=work.base_id,
                entry=entry,
                model=work.embedder.name,
                input_hash=input_hash(texts[entry.pk]),
                dense=HalfVector(vectors[input_hash(texts[entry.pk])]),
            )
            for entry in batch
            if entry.pk in found
        ]
        rows_insert(rows)
        _note(change, [entry for entry in batch if entry.pk in found])


def _text(work: ChangeClaim, entry: IndexEntry) -> str:
    """Return what is embedded of an entry: as it was indexed, without reading the file again."""
    passage = entry.index_text
    if not passage:
        passage = work.texts[entry.version_id][entry.char_start : entry.char_end]
    return embedded_text(entry.headings, passage)


def _vectors(work: ChangeClaim, texts: list[str]) -> dict[str, Vectors]:
    """Return the vectors by hash of the text; equal texts are embedded once."""
    by_hash = {input_hash(text): text for text in texts}
    with tenant_transaction(work.tenant_id):
        made = EntryVector.objects.filter(
            base=work.base_id, model=work.embedder.name, input_hash__in=by_hash
        )
        found = made.order_by("input_hash").distinct("input_hash")
        known = dict(found.values_list("input_hash", "dense"))
    fresh = [digest for digest in by_hash if digest not in known]
    computed = work.embedder.passages([by_hash[digest] for digest in fresh])
    return known | dict(zip(fresh, computed, strict=True))


def _note(change: Reembedding, entries: list[IndexEntry]) -> None:
    """Store the progress, in the open transaction; with it the attempts begin anew."""
    if not entries:
        return
    tokens = sum(
        entry.tokens + len(" > ".join(entry.headings)) // CHARACTERS_A_TOKEN for entry in entries
    )
    Reembedding.objects.filter(pk=change.pk).update(
        done=F("done") + len(entries),
        tokens_done=F("tokens_done") + tokens,
        attempts=0,
        message="",
        heartbeat_at=timezone.now(),
    )
