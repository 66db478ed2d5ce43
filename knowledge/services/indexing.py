"""From chunks to index entries, each with its dense and its lexical vector.

Entries are inserted batch by batch in document order and complete, so that a version's rows lie
together (an exact scan over scattered rows was measured to take eleven times as long) and a run
that was killed goes on at the first chunk that has no entry; unless the cut is another one now.
"""

import hashlib
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.conf import settings
from pgvector import HalfVector, SparseVector

from accounts.tenancy import tenant_transaction
from knowledge.embedder import current_embedder, serving_embedder
from knowledge.embedding import Embedder, EmbeddingError, Vectors
from knowledge.ingest.chunking import ChunkDraft, chunk
from knowledge.lexical import ANALYSIS, DIMENSIONS, document_weights, terms
from knowledge.models import DocumentVersion, IndexEntry, IngestionRun, KnowledgeBase
from knowledge.services.bulk_rows import rows_insert
from knowledge.services.claims import Claim
from knowledge.services.serving import serving_require, serving_settle
from knowledge.services.trees import StoredTree

logger = logging.getLogger(__name__)

BATCH = 16
"""The fewest entries a transaction: a few seconds of the bundled embedder."""

MOST = 256
BATCH_S = 2.0
"""A batch that took less than half of this is doubled, up to `MOST`: what a kill loses is time.

Short entries of a fast embedder cost more in transactions than in vectors.
"""

PREVIEW_LENGTH = 200


@dataclass(frozen=True, slots=True)
class _Input:
    """A chunk as it is indexed: with its heading path in front."""

    chunk: ChunkDraft
    text: str
    input_hash: str


def version_index(
    claim: Claim, base: KnowledgeBase, version: DocumentVersion, tree: StoredTree
) -> None:
    """Give every chunk of the version its entry; vectors of equal texts in the base are reused.

    All are embedded by the model that serves the base, which may be one of former settings; if
    that answers no longer, by the configured one. Raises EmbeddingError and LostClaim, and
    ModelChanged when the base has changed to another model meanwhile.
    """
    serving_settle(base)
    configured = current_embedder()
    embedder = serving_embedder(base) or configured
    try:
        _index(claim, base, version, tree, embedder)
    except EmbeddingError:
        if embedder.name == configured.name:
            raise
        logger.warning("%s fails; version %s is embedded anew.", embedder.name, version.pk)
        _index(claim, base, version, tree, configured)


def _index(
    claim: Claim,
    base: KnowledgeBase,
    version: DocumentVersion,
    tree: StoredTree,
    embedder: Embedder,
) -> None:
    inputs = [_input(draft) for draft in _chunks(base, tree)]
    with tenant_transaction(claim.tenant_id):
        claim.hold()
        present = _present(version, inputs, embedder)
        if not present:
            version.reused_vectors = version.reused_tokens = 0
        DocumentVersion.objects.filter(pk=version.pk).update(
            chunks=len(inputs),
            reused_vectors=version.reused_vectors,
            reused_tokens=version.reused_tokens,
        )
    missing = [item for item in inputs if item.chunk.ordinal not in present]
    done = len(inputs) - len(missing)
    claim.report(IngestionRun.Stage.EMBED, done, len(inputs))
    size, start = BATCH, 0
    while start < len(missing):
        began = time.monotonic()
        batch = missing[start : start + size]
        vectors, reused = _vectors(claim, base, embedder, batch)
        rows = [
            _entry(base, version, tree, embedder.name, item, vector)
            for item, vector in zip(batch, vectors, strict=True)
        ]
        start += len(batch)
        with tenant_transaction(claim.tenant_id):
            _store(claim, base, version, rows, reused)
            claim.note(IngestionRun.Stage.EMBED, done + start, len(inputs))
        size = next_size(size, time.monotonic() - began)


def _store(
    claim: Claim,
    base: KnowledgeBase,
    version: DocumentVersion,
    rows: Sequence[IndexEntry],
    reused: Sequence[_Input],
) -> None:
    """Insert the entries and count what was reused, in an open transaction."""
    claim.hold()
    serving_require(base)
    rows_insert(rows)
    version.reused_vectors += len(reused)
    version.reused_tokens += sum(item.chunk.tokens for item in reused)
    DocumentVersion.objects.filter(pk=version.pk).update(
        reused_vectors=version.reused_vectors, reused_tokens=version.reused_tokens
    )


def next_size(size: int, took_s: float) -> int:
    """Return how many entries to take next, after so many took so long."""
    if took_s < BATCH_S / 2:
        return min(size * 2, max(MOST, BATCH))
    return max(BATCH, size // 2) if took_s > BATCH_S else size


def _present(
    version: DocumentVersion, inputs: Sequence[_Input], embedder: Embedder
) -> frozenset[int]:
    """Return the ordinals of the entries that an earlier attempt left.

    If chunk settings, embedder or analysis have changed since then, all of them go: ordinals of two
    cuts name different passages, and a version of both would miss text or have it twice.
    """
    entries = IndexEntry.objects.filter(version=version)
    made = set(entries.chunks().values_list("ordinal", "input_hash", "embedding_model", "analysis"))
    wanted = {(item.chunk.ordinal, item.input_hash, embedder.name, ANALYSIS) for item in inputs}
    if made <= wanted:
        return frozenset(ordinal for ordinal, *_ in made)
    entries.delete()
    return frozenset()


def _chunks(base: KnowledgeBase, tree: StoredTree) -> tuple[ChunkDraft, ...]:
    max_tokens = base.chunk_max_tokens or settings.CHUNK_MAX_TOKENS
    return chunk(
        tree.parsed,
        tree.drafts,
        max_tokens=max_tokens,
        target_tokens=min(settings.CHUNK_TARGET_TOKENS, max_tokens),
    )


def _input(draft: ChunkDraft) -> _Input:
    text = embedded_text(draft.headings, draft.index_text)
    return _Input(draft, text, input_hash(text))


def embedded_text(headings: Sequence[str], index_text: str) -> str:
    """Return what is embedded of a passage: its heading path, then its text."""
    return f"{' > '.join(headings)}\n{index_text}"


def input_hash(text: str) -> str:
    """Return by what equal texts are known, so that their vectors are made once."""
    return hashlib.sha256(text.encode()).hexdigest()


def _vectors(
    claim: Claim, base: KnowledgeBase, embedder: Embedder, batch: Sequence[_Input]
) -> tuple[Vectors, list[_Input]]:
    """Return the batch's vectors, n x d, and whose were reused instead of computed."""
    hashes = [item.input_hash for item in batch]
    with tenant_transaction(claim.tenant_id):
        known: dict[str, list[float]] = dict(
            IndexEntry.objects.filter(
                base=base, embedding_model=embedder.name, input_hash__in=hashes
            )
            # One of each: a file that repeats itself would fetch all it has so far, batch by batch.
            .order_by("input_hash")
            .distinct("input_hash")
            .values_list("input_hash", "dense")
        )
    fresh = [item.text for item in batch if item.input_hash not in known]
    computed = iter(embedder.passages(fresh))
    rows = [
        np.asarray(known[digest], dtype=np.float32) if digest in known else next(computed)
        for digest in hashes
    ]
    return np.stack(rows), [item for item in batch if item.input_hash in known]


def _entry(
    base: KnowledgeBase,
    version: DocumentVersion,
    tree: StoredTree,
    model: str,
    item: _Input,
    vector: Vectors,
) -> IndexEntry:
    draft = item.chunk
    found = terms(item.text, tree.parsed.language)
    return IndexEntry(
        tenant_id=base.tenant_id,
        base=base,
        document_id=version.document_id,
        version=version,
        node_id=tree.node_ids[draft.owner],
        ordinal=draft.ordinal,
        depth=tree.drafts[draft.owner].depth + 1,
        path=f"{version.document.path}/{draft.path}",
        headings=list(draft.headings),
        preview=" ".join(draft.text.split())[:PREVIEW_LENGTH],
        char_start=draft.span.start,
        char_end=draft.span.end,
        page=tree.leaf_page(draft),
        tokens=draft.tokens,
        term_count=len(found),
        input_hash=item.input_hash,
        index_text="" if draft.index_text == draft.text else draft.index_text,
        analysis=ANALYSIS,
        embedding_model=model,
        dense=HalfVector(vector),
        lexical=SparseVector(document_weights(found), DIMENSIONS),
    )
