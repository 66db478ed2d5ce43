"""BM25's statistics of a base: document frequencies, number of entries, number of terms.

They count the entries of current versions only and change in the transaction that publishes or
deletes a version, while the base's row is locked, so they are exact at every commit.
"""

from collections import Counter

from django.db import connection
from django.db.models import F, Sum

from knowledge.models import IndexEntry, KnowledgeBase, LexicalTerm
from knowledge.models.index import IndexEntryQuerySet


def statistics_add(base: KnowledgeBase, version_id: int) -> None:
    """Count the entries of a version that becomes current."""
    _shift(base, version_id, +1)


def statistics_remove(base: KnowledgeBase, version_id: int) -> None:
    """Take back the entries of a version that stops being current, before they are deleted."""
    _shift(base, version_id, -1)


def document_frequencies(base: KnowledgeBase, terms: list[int]) -> dict[int, int]:
    """Return for each of the hashed terms that occurs in how many entries it does."""
    rows = LexicalTerm.objects.filter(base=base, term__in=terms, document_frequency__gt=0)
    return dict(rows.values_list("term", "document_frequency"))


def _shift(base: KnowledgeBase, version_id: int, sign: int) -> None:
    entries_count(base, IndexEntry.objects.filter(base=base, version_id=version_id), sign)


def entries_count(base: KnowledgeBase, entries: IndexEntryQuerySet, sign: int) -> None:
    """Count these entries of a current version in (+1) or out (-1)."""
    frequencies: Counter[int] = Counter()
    count = 0
    for vector in entries.values_list("lexical", flat=True).iterator(chunk_size=500):
        frequencies.update(vector.indices())
        count += 1
    terms = entries.aggregate(terms=Sum("term_count"))["terms"] or 0
    KnowledgeBase.objects.filter(pk=base.pk).update(
        entry_count=F("entry_count") + sign * count, term_count=F("term_count") + sign * terms
    )
    _upsert(base, {term: sign * n for term, n in frequencies.items()})


def _upsert(base: KnowledgeBase, changes: dict[int, int]) -> None:
    """Add to the document frequencies, in the order of the terms, in one statement."""
    terms = sorted(changes)
    table = LexicalTerm._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} (tenant_id, base_id, term, document_frequency) "  # noqa: S608
            "SELECT %s, %s, * FROM unnest(%s::int[], %s::int[]) "
            "ON CONFLICT (tenant_id, base_id, term) DO UPDATE "
            f"SET document_frequency = {table}.document_frequency + excluded.document_frequency",
            [base.tenant_id, base.pk, terms, [changes[term] for term in terms]],
        )
    LexicalTerm.objects.filter(base=base, document_frequency__lte=0).delete()
