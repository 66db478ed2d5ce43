"""An embedder that tells what it was asked, and the state of a base as plain values to compare."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from django.db import connection

from accounts.models import Tenant
from accounts.tenancy import tenant_transaction
from knowledge.embedding.embedder import Vectors
from knowledge.embedding.hashing import HashingEmbedder
from knowledge.lexical import dimension, terms
from knowledge.models import (
    Document,
    DocumentVersion,
    IndexEntry,
    IngestionRun,
    KnowledgeBase,
    LexicalTerm,
    Node,
    VersionText,
)

HANDBOOK = """# Handbook

## Hours

The office opens at nine. The kitchen closes at ten.

## Leave

Everyone has thirty days of leave a year.

## Travel

Trains are booked second class.
"""


class Interruption(BaseException):
    """Stands for kill -9: nothing but a rollback follows it."""


@dataclass(slots=True)
class EmbedderSpy:
    """`texts` are those embedded so far; `before(n)` runs before the n-th call, counted from 1."""

    texts: list[str] = field(default_factory=list)
    before: Callable[[int], None] = lambda number: None
    _calls: Any = field(default_factory=lambda: count(1))

    def called(self, texts: Sequence[str]) -> None:
        self.before(next(self._calls))
        self.texts.extend(texts)


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> EmbedderSpy:
    spy = EmbedderSpy()
    passages = HashingEmbedder.passages

    def spied(self: HashingEmbedder, texts: Sequence[str]) -> Vectors:
        spy.called(texts)
        return passages(self, texts)

    monkeypatch.setattr(HashingEmbedder, "passages", spied)
    return spy


def version_of(tenant: Tenant, document: Document) -> DocumentVersion:
    """Return the latest version as it is now."""
    with tenant_transaction(tenant):
        versions = DocumentVersion.objects.filter(document=document).order_by("-number")
        return versions.select_related("document")[0]


def run_of(tenant: Tenant, document: Document) -> IngestionRun:
    """Return the latest run over the document's latest version."""
    version = version_of(tenant, document)
    with tenant_transaction(tenant):
        return IngestionRun.objects.filter(version=version).order_by("-pk")[0]


def set_back(tenant: Tenant, run: IngestionRun, **fields: Any) -> None:
    """Change a run's row, as time or a dead worker would have."""
    with tenant_transaction(tenant):
        IngestionRun.objects.filter(pk=run.pk).update(**fields)


def stored(tenant: Tenant, document: Document) -> dict[str, Any]:
    """Return all that ingestion made of the document's latest version, without ids and times."""
    version = version_of(tenant, document)
    with tenant_transaction(tenant):
        nodes = Node.objects.filter(version=version).order_by("ordinal")
        entries = IndexEntry.objects.filter(version=version).order_by("ordinal")
        facts = (
            "state verdict message warnings parser language pages tokens sections paragraphs"
            " tables figures chunks reused_vectors number"
        )
        return {
            "version": {name: getattr(version, name) for name in facts.split()},
            "text": VersionText.objects.get(version=version).content,
            "nodes": list(
                nodes.values_list(
                    "ordinal", "path", "kind", "parent__path", "title", "text", "char_start",
                    "char_end", "sentences", "tokens", "content_hash", "stable_key",
                )
            ),
            "entries": [
                (
                    entry.ordinal, entry.path, entry.node.path, entry.char_start, entry.char_end,
                    entry.input_hash, entry.embedding_model, entry.dense,
                    entry.lexical.indices(), entry.lexical.values(), entry.term_count,
                )
                for entry in entries.select_related("node")
            ],
            "is_current": version.document.current_version_id == version.pk,
        }  # fmt: skip


def assert_statistics_are_exact(tenant: Tenant, base: KnowledgeBase) -> None:
    """Compare the stored statistics with a count over the current texts from scratch."""
    frequencies: Counter[int] = Counter()
    total = 0
    with tenant_transaction(tenant):
        current = list(IndexEntry.objects.current().filter(base=base).select_related("version"))
        texts = dict(VersionText.objects.values_list("version_id", "content"))
        for entry in current:
            passage = texts[entry.version_id][entry.char_start : entry.char_end]
            words = terms(f"{' > '.join(entry.headings)}\n{passage}", entry.version.language)
            frequencies.update({dimension(word) for word in words})
            total += len(words)
        kept = LexicalTerm.objects.filter(base=base).values_list("term", "document_frequency")
        base = KnowledgeBase.objects.get(pk=base.pk)
        assert dict(kept) == dict(frequencies)
        assert (base.entry_count, base.term_count) == (len(current), total)


def at_once(*calls) -> list[BaseException]:
    """Run the calls in threads that start together; return what they raised."""
    errors: list[BaseException] = []
    barrier = threading.Barrier(len(calls))

    def run(call) -> None:
        barrier.wait()
        try:
            call()
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return errors
