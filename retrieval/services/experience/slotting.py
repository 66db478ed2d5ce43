"""What stored questions say, remembered by the process, and their slots in a base."""

from collections.abc import Sequence
from functools import lru_cache

from knowledge.lexical import dimension
from knowledge.models import KnowledgeBase
from knowledge.services.statistics import document_frequencies
from retrieval.agent.phrases import question_language
from retrieval.experience import Reading, Slots, reading_of

KEPT_READINGS = 20_000
"""Readings that a process remembers: one takes a millisecond (measured)."""

KEPT_BASES = 100
"""Bases whose document frequencies a process remembers, as far as they were asked for."""


@lru_cache(KEPT_READINGS)
def reading(question: str) -> Reading:
    """Return what a question says."""
    return reading_of(question, question_language(question))


def slots_in(base: KnowledgeBase, readings: Sequence[Reading]) -> list[Slots]:
    """Return the slots of questions to a base, whose terms tell what is rare.

    At most one query, for terms that nobody asked about since the base has changed; in an open
    transaction.
    """
    numbers = {term: dimension(term) for read in readings for term in read.terms}
    found = _frequencies(base.tenant_id, base.pk, base.entry_count, base.term_count)
    if unknown := {number for number in numbers.values() if number not in found}:
        counted = document_frequencies(base, sorted(unknown))
        found |= {number: counted.get(number, 0) for number in unknown}
    entries = max(1, base.entry_count)
    return [read.within(lambda term: found[numbers[term]] / entries) for read in readings]


@lru_cache(KEPT_BASES)
def _frequencies(tenant_id: int, base_id: int, entries: int, terms: int) -> dict[int, int]:
    """Return where the document frequencies of a base are kept, as far as they were asked for, as
    long as it has as many entries and terms: what a change leaves alike is a little out of date."""
    return {}
