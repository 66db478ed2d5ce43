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


@lru_cache(KEPT_READINGS)
def reading(question: str) -> Reading:
    """Return what a question says."""
    return reading_of(question, question_language(question))


def slots_in(base: KnowledgeBase, readings: Sequence[Reading]) -> list[Slots]:
    """Return the slots of questions to a base, whose terms tell what is rare; one query.

    In an open transaction.
    """
    numbers = {term: dimension(term) for read in readings for term in read.terms}
    found = document_frequencies(base, sorted(set(numbers.values())))
    entries = max(1, base.entry_count)
    return [read.within(lambda term: found.get(numbers[term], 0) / entries) for read in readings]
