"""Which slots of two questions disagree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from retrieval.experience.slots import Slots
from retrieval.experience.words import alike

_OPPOSITES = (("more", "less"), ("top", "bottom"), ("before", "after"))
_SIZES = frozenset(["more", "less"])
_PREFIXES = ("un", "non", "in", "dis", "не", "без")


def agree(one: Slots, other: Slots) -> tuple[str, ...]:
    """Return the names of the slots that disagree, in a fixed order; none: an edge may fire.

    Symmetric, and empty for a question and itself. Numbers, quantities, dates, codes and names
    must be the same on both sides; a direction or rare word that only one side has is let pass,
    because people leave out what goes without saying.
    """
    return tuple(dict.fromkeys(_disagreeing(one, other)))


def _disagreeing(one: Slots, other: Slots) -> Iterator[str]:
    if _without_lone_one(one, other) != _without_lone_one(other, one):
        yield "numbers"
    if one.quantities != other.quantities:
        yield "quantities"
    if one.dates != other.dates:
        yield "dates"
    if one.codes != other.codes:
        yield "codes"
    if _unnamed(one, other) or _unnamed(other, one):
        yield "names"
    if one.negated != other.negated or _prefixed(one, other) or _prefixed(other, one):
        yield "negation"
    if _opposed(one, other) or _swapped(one, other):
        yield "comparison"
    if one.answers and other.answers and not set(one.answers) & set(other.answers):
        yield "answer"
    if _of_another_subject(one, other):
        yield "subject"


def _without_lone_one(slots: Slots, other: Slots) -> tuple[str, ...]:
    """Return its numbers; a 1 says no more than an article where the other has no number."""
    return () if slots.numbers == ("1",) and not other.numbers else slots.numbers


def _unnamed(slots: Slots, other: Slots) -> bool:
    """Return whether ``other`` lacks a name, which it may have written without its capital."""
    present = (*other.names, *other.words)
    return any(not any(alike(name, word) for word in present) for name in slots.names)


def _prefixed(slots: Slots, other: Slots) -> bool:
    """Return whether one says unpaid where the other says paid."""
    return any(
        prefix + word in other.words
        and prefix + word not in slots.words
        and word not in other.words
        for word in slots.words
        for prefix in _PREFIXES
    )


def _opposed(one: Slots, other: Slots) -> bool:
    first, second = set(one.directions), set(other.directions)
    # "500 or more" is not "500"; without a number, what goes without saying may be left out.
    numbered = any((one.numbers, one.quantities, other.numbers, other.quantities))
    if numbered and first & _SIZES != second & _SIZES:
        return True
    return any(
        first & set(pair) and second & set(pair) and first & set(pair) != second & set(pair)
        for pair in _OPPOSITES
    )


def _swapped(one: Slots, other: Slots) -> bool:
    """Return whether each compares with what the other compares."""
    first, second = set(one.reference), set(other.reference)
    if not first or not second or first == second:
        return False
    return bool(
        (first - second) & {*other.frame, *other.codes, *other.numbers}
        or (second - first) & {*one.frame, *one.codes, *one.numbers}
    )


def _of_another_subject(one: Slots, other: Slots) -> bool:
    """Return whether a thing was exchanged for another one.

    Either each names a thing that the other does not, or they share no word, or all is the same
    but for a word or two at one place: who words a question anew changes more than that.
    """
    if (
        one.words
        and other.words
        and not any(alike(word, present) for word in one.words for present in other.words)
    ):
        return True
    if _lacking(one.things, other) and _lacking(other.things, one):
        return True
    first, second = _exchanged(one.frame, other.frame)
    return _lacking(set(first) & set(one.words), other) and _lacking(
        set(second) & set(other.words), one
    )


def _lacking(words: Iterable[str], other: Slots) -> bool:
    return any(
        not any(alike(word, present) for present in (*other.words, *other.frame)) for word in words
    )


def _exchanged(
    one: tuple[str, ...], other: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what stands between the common beginning and end; nothing when less is common."""
    shorter = min(len(one), len(other))
    start = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    end = next(
        (at for at in range(shorter - start) if one[-1 - at] != other[-1 - at]), shorter - start
    )
    first, second = one[start : len(one) - end], other[start : len(other) - end]
    # Pairs of characters: one thing may have a longer name than another. Of words as many must
    # stand there, for with more or fewer it is another wording.
    unspaced = any("\u3400" <= word[0] <= "\u9fff" for word in (*first, *second))
    comparable = unspaced or len(first) == len(second)
    if comparable and min(len(first), len(second)) <= start + end:
        return first, second
    return (), ()
