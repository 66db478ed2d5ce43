"""What differs between two sequences, in a time that grows with their length and not its square.

First the elements that occur once in each are aligned (patience diff: Bram Cohen, 2009), which
costs n log n; `difflib` then looks into the gaps between them, where these are small.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TypeVar

T = TypeVar("T", bound=Hashable)

LARGEST_GAP = 200
"""Elements on either side of a gap that difflib still looks into; it may take their cube."""


@dataclass(frozen=True, slots=True)
class Difference:
    """`old[old_start:old_end]` became `new[new_start:new_end]`; one of the two may be empty."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def differences(old: Sequence[T], new: Sequence[T]) -> list[Difference]:
    """Return what differs, in order; everything between the differences is equal."""
    found: list[Difference] = []
    at_old = at_new = 0
    for next_old, next_new in [*_anchors(old, new), (len(old), len(new))]:
        found += _in_gap(old, new, Difference(at_old, next_old, at_new, next_new))
        at_old, at_new = next_old + 1, next_new + 1
    return found


def increasing(numbers: Sequence[int]) -> set[int]:
    """Return the indices of a longest increasing subsequence of different numbers."""
    tails: list[int] = []  # the smallest number that ends a run of each length, and where
    places: list[int] = []
    previous: list[int] = []
    for index, number in enumerate(numbers):
        length = bisect_left(tails, number)
        previous.append(places[length - 1] if length else -1)
        tails[length : length + 1] = [number]
        places[length : length + 1] = [index]
    kept: set[int] = set()
    index = places[-1] if places else -1
    while index >= 0:
        kept.add(index)
        index = previous[index]
    return kept


def _anchors(old: Sequence[T], new: Sequence[T]) -> list[tuple[int, int]]:
    """Return the pairs of places of equal elements that occur once on both sides, in order."""
    once_old = {element for element, times in Counter(old).items() if times == 1}
    once = once_old & {element for element, times in Counter(new).items() if times == 1}
    where = {element: index for index, element in enumerate(new) if element in once}
    pairs = [(index, where[element]) for index, element in enumerate(old) if element in once]
    kept = increasing([new_index for _, new_index in pairs])
    return [pair for index, pair in enumerate(pairs) if index in kept]


def _in_gap(old: Sequence[T], new: Sequence[T], gap: Difference) -> list[Difference]:
    """Return the differences within a gap: less what its ends share, and what difflib finds."""
    start, start_new, end, end_new = gap.old_start, gap.new_start, gap.old_end, gap.new_end
    while start < end and start_new < end_new and old[start] == new[start_new]:
        start, start_new = start + 1, start_new + 1
    while start < end and start_new < end_new and old[end - 1] == new[end_new - 1]:
        end, end_new = end - 1, end_new - 1
    if start == end and start_new == end_new:
        return []
    if start == end or start_new == end_new or max(end - start, end_new - start_new) > LARGEST_GAP:
        return [Difference(start, end, start_new, end_new)]
    matcher = SequenceMatcher(None, old[start:end], new[start_new:end_new], autojunk=False)
    return [
        Difference(start + i1, start + i2, start_new + j1, start_new + j2)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]
