"""Remembered places among the hits of a search: each span once, where it came first."""

from __future__ import annotations

from retrieval.agent.shortcuts import SUSPECT_RANK, Memory, Shortcut
from tests.agent.evidence_factories import hit, section

TEXTS = section([f"Paragraph {number}." for number in range(8)])
A, B, C, D, X = (hit(number + 1, TEXTS, number) for number in range(5))


def remembered(*hits, is_suspect=False) -> Memory:
    return Memory(tuple(Shortcut(n, one.path, one, "", is_suspect) for n, one in enumerate(hits)))


def order(memory, *hits) -> list[str]:
    led = memory.leading(hits)
    assert [one.rank for one in led] == list(range(1, len(led) + 1))
    return [one.path for one in led]


def paths(*hits) -> list[str]:
    return [one.path for one in hits]


def test_a_remembered_place_that_the_search_has_found_as_well_stays_first() -> None:
    assert order(remembered(X), A, B, X, C) == paths(X, A, B, C)


def test_remembered_places_keep_their_order_wherever_the_search_has_them() -> None:
    assert order(remembered(X, D), D, A, X) == paths(X, D, A)


def test_a_place_whose_text_has_changed_keeps_the_rank_that_the_search_gave_it() -> None:
    suspect = remembered(A, is_suspect=True)
    assert SUSPECT_RANK == 3
    assert order(suspect, A, B, C, D) == paths(A, B, C, D)
    assert order(suspect, B, C, D, X, A) == paths(B, C, D, A, X)


def test_hits_that_overlap_without_being_the_same_are_both_kept() -> None:
    wide = hit(1, TEXTS, 0, 1)
    assert order(remembered(A), wide, A, B) == paths(A, wide, B)
