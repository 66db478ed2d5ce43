"""A version whose making was broken off and goes on under other settings or another program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest

from accounts.tenancy import tenant_transaction
from knowledge.embedding import registry
from knowledge.embedding.hashing import HashingEmbedder
from knowledge.ingest import parsers
from knowledge.ingest.tree import ParsedDocument
from knowledge.models import Document, IndexEntry, KnowledgeBase, Node
from knowledge.services import indexing
from knowledge.services.uploads import version_retry
from tests.factories import Company, ingest_queued, ingested, make_base, uploaded
from tests.knowledge.conftest import (
    EmbedderSpy,
    Interruption,
    assert_statistics_are_exact,
    run_of,
    set_back,
    stored,
    version_of,
)

LONG = "# Notes\n\n" + " ".join(f"The fact number {number} stands here." for number in range(800))


class Renamed(HashingEmbedder):
    name = "renamed@1"


def use_renamed(monkeypatch: pytest.MonkeyPatch, settings) -> None:
    """Change to another embedder; that of before is gone, so that it cannot serve the base."""
    monkeypatch.delitem(registry._EMBEDDERS, "hashing")
    monkeypatch.setitem(registry._EMBEDDERS, "renamed", Renamed)
    settings.EMBEDDER = "renamed"


def cut_at(company: Company, base: KnowledgeBase, max_tokens: int | None) -> None:
    with tenant_transaction(company.tenant):
        KnowledgeBase.objects.filter(pk=base.pk).update(chunk_max_tokens=max_tokens)


def killed_after_a_batch(company: Company, embedder: EmbedderSpy) -> Document:
    """Return a document with 16 entries whose run has ended as failed and is queued again."""

    calls = count(1)

    def kill_at_second(number: int) -> None:
        if next(calls) == 2:
            raise Interruption

    embedder.before = kill_at_second
    document = uploaded(company.tenant, company.base, "notes.md", LONG)
    with pytest.raises(Interruption):
        ingest_queued(company.tenant, document)
    embedder.before = lambda number: None
    version = version_of(company.tenant, document)
    with tenant_transaction(company.tenant):
        assert IndexEntry.objects.filter(version=version).count() == 16
        type(version).objects.filter(pk=version.pk).update(state="failed")
    set_back(company.tenant, run_of(company.tenant, document), state="failed")
    version_retry(tenant=company.tenant, version=version)
    return document


@pytest.mark.parametrize(("before", "after"), [(None, 60), (60, None)])
def test_a_version_begun_under_another_chunk_size_is_cut_anew_throughout(
    a: Company, embedder: EmbedderSpy, before: int | None, after: int | None
) -> None:
    cut_at(a, a.base, before)
    document = killed_after_a_batch(a, embedder)
    cut_at(a, a.base, after)
    ingest_queued(a.tenant, document)
    other = make_base(a.tenant, chunk_max_tokens=after)
    assert stored(a.tenant, document) == stored(
        a.tenant, ingested(a.tenant, other, "notes.md", LONG)
    )
    assert_statistics_are_exact(a.tenant, a.base)


def test_a_version_begun_with_another_embedder_is_embedded_anew_throughout(
    a: Company, embedder: EmbedderSpy, monkeypatch: pytest.MonkeyPatch, settings
) -> None:
    document = killed_after_a_batch(a, embedder)
    use_renamed(monkeypatch, settings)
    ingest_queued(a.tenant, document)
    made = stored(a.tenant, document)
    assert {entry[6] for entry in made["entries"]} == {Renamed.name}
    assert made["version"]["state"] == "ready"


def test_a_version_begun_with_another_analysis_is_indexed_anew_throughout(
    a: Company, embedder: EmbedderSpy, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = killed_after_a_batch(a, embedder)
    monkeypatch.setattr(indexing, "ANALYSIS", "another/1")
    ingest_queued(a.tenant, document)
    with tenant_transaction(a.tenant):
        entries = IndexEntry.objects.current().filter(document=document)
        assert {entry.analysis for entry in entries} == {"another/1"}


def test_vectors_that_are_thrown_away_are_not_counted_as_reused(
    a: Company, embedder: EmbedderSpy, monkeypatch: pytest.MonkeyPatch, settings
) -> None:
    ingested(a.tenant, a.base, "copy.md", LONG)
    document = killed_after_a_batch(a, embedder)
    assert version_of(a.tenant, document).reused_vectors == 16
    use_renamed(monkeypatch, settings)
    ingest_queued(a.tenant, document)
    assert stored(a.tenant, document)["version"]["reused_vectors"] == 0


Parse = Callable[..., ParsedDocument]


def of_a_parser_that_reads_more(content: bytes, filename: str, **limits: object) -> ParsedDocument:
    return parsers.parse(content + b"\n\nA last fact.", filename)


def of_a_parser_that_sees_sections(
    content: bytes, filename: str, **limits: object
) -> ParsedDocument:
    parsed = parsers.parse(content.replace(b". The fact number 5", b".\n\n## Facts\n\n5"), filename)
    return replace(parsed, parser_version="next")


@pytest.mark.parametrize("parse", [of_a_parser_that_reads_more, of_a_parser_that_sees_sections])
def test_a_tree_of_another_reading_is_stored_anew_with_all_that_hangs_on_it(
    a: Company, embedder: EmbedderSpy, monkeypatch: pytest.MonkeyPatch, parse: Parse
) -> None:
    document = killed_after_a_batch(a, embedder)
    monkeypatch.setattr("knowledge.services.trees.parse", parse)
    ingest_queued(a.tenant, document)
    other = make_base(a.tenant)
    assert stored(a.tenant, document) == stored(
        a.tenant, ingested(a.tenant, other, "notes.md", LONG)
    )
    assert_statistics_are_exact(a.tenant, a.base)


def root_of(company: Company, document: Document) -> int:
    with tenant_transaction(company.tenant):
        return Node.objects.get(version__document=document, parent=None).pk


def test_a_tree_of_the_same_reading_is_kept_and_described_again(
    a: Company, embedder: EmbedderSpy
) -> None:
    document = killed_after_a_batch(a, embedder)
    root = root_of(a, document)
    ingest_queued(a.tenant, document)
    assert root_of(a, document) == root
    assert len(embedder.texts) == version_of(a.tenant, document).chunks  # none of them twice
    other = make_base(a.tenant)
    fresh = ingested(a.tenant, other, "notes.md", LONG)
    assert stored(a.tenant, document) == stored(a.tenant, fresh)


def test_a_tree_of_an_older_parser_is_stored_anew_though_its_text_is_equal(
    a: Company, embedder: EmbedderSpy, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = killed_after_a_batch(a, embedder)
    root = root_of(a, document)

    def parse(content: bytes, filename: str, **limits: object) -> ParsedDocument:
        return replace(parsers.parse(content, filename), parser_version="next")

    monkeypatch.setattr("knowledge.services.trees.parse", parse)
    ingest_queued(a.tenant, document)
    assert root_of(a, document) != root
    version = version_of(a.tenant, document)
    assert (version.state, version.parser_version) == ("ready", "next")
