"""A quote is what stands in its passage.

Matching is exact, then under the foldings of `folding`, and never fuzzy: what is not found is no
citation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from retrieval.agent.folding import Folded, folded, is_numeric, visible

_DIGIT_SEPARATORS = ".,:'’٫٬"
_GROUP_SPACES = " \u00a0\u2009\u202f"
_DASHES = "-\u2010\u2011\u2012\u2013\u2212"
_CURRENCY = re.compile(r"[$€£¥₽₸] ?(?=\d)")
# A true minus may stand apart from its number; a hyphen that does is a bullet.
_MINUS_APART = re.compile(r"(?:\A|[^\s\d])\s*\u2212[ \u00a0\u202f]\Z")
# What turns a statement into its opposite, where a quote ends or begins right beside it. "No 12"
# is a number, and Chinese writes no space.
_BREAK = r"[^\S\n]*(?:\n[^\S\n]*)?"
_NEGATION_BEFORE = re.compile(
    r"(?:\b(?:(?:can)?not|never|no|nor|without|nicht|kein\w{0,2}|nie|ohne|не|нет|ни|без)"
    rf"|\wn['’]t)\**(?=\s){_BREAK}\Z|[不没沒未无無勿]\Z",
    re.IGNORECASE,
)
_NEGATION_AFTER = re.compile(rf"{_BREAK}(?<=\s)\**(?:not|nicht)\b")
_BESIDE = 20
"""Characters around a quote that are looked at."""
# Scripts that write no space between words: there, any character may begin a quote.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
)


@dataclass(frozen=True, slots=True)
class Match:
    """Where a quote stands: offsets in the text searched, and how literally."""

    start: int
    end: int
    kind: Literal["exact", "folded"]


def verify(quote: str, text: str) -> Match | None:
    """Return the first place in ``text`` where ``quote`` stands on its own, None without one.

    On its own: it begins and ends between words, no number goes on past its ends, and no negation
    stands beside it ("50 euros" is no quote of "150 euros", "able" none of "unable", nor "paid
    back" of "not paid back"). White space around ``quote`` is ignored; a quote without a letter
    or digit is not found.
    """
    return exact_match(quote, text) or folded_match(quote, text, folded(text))


def exact_match(quote: str, text: str) -> Match | None:
    """Return the first place where ``quote`` stands letter by letter, as `verify` does."""
    quote = quote.strip()
    if not any(char.isalnum() for char in quote):
        return None
    for start in _places(quote, text):
        if stands_alone(text, start, start + len(quote)):
            return Match(start, start + len(quote), "exact")
    return None


def folded_match(quote: str, text: str, source: Folded) -> Match | None:
    """Return the first place where ``quote`` stands under the foldings; ``source`` is ``text``
    folded, which takes three seconds a million characters."""
    quote = quote.strip()
    if not any(char.isalnum() for char in quote):
        return None
    pattern = folded(quote)
    for start in _places(pattern.text, source.text):
        span = source.source(start, start + len(pattern.text))
        if span and stands_alone(text, *span):
            return Match(*span, "folded")
    return None


def stands_alone(text: str, start: int, end: int) -> bool:
    """Return whether no word, number or negation of ``text`` goes past ``start`` or ``end``."""
    before = visible(text[max(0, start - _BESIDE) : start])
    after = visible(text[end : end + _BESIDE])
    quote = visible(text[start:end])
    return not (
        _splits_word(before[-1:], quote[0])
        or _splits_word(quote[-1], after[:1])
        or _number_began(before, quote)
        or _number_goes_on(quote, after)
        or _negation_began(before, quote)
        or _NEGATION_AFTER.match(after)
    )


def _places(part: str, text: str) -> list[int]:
    places = []
    at = text.find(part)
    while at >= 0:
        places.append(at)
        at = text.find(part, at + 1)
    return places


def _splits_word(left: str, right: str) -> bool:
    if not (left and right and left.isalnum() and right.isalnum()):
        return False
    if is_numeric(left) or is_numeric(right):
        # 50 in 150, 6 in 6½; but 12 may be cut from 第12条, and from 12kg nothing.
        return is_numeric(left) == is_numeric(right) or not _unspaced(left + right)
    return not _unspaced(left + right)


def _unspaced(pair: str) -> bool:
    return bool(_UNSPACED.search(pair))


def _number_began(before: str, quote: str) -> bool:
    """Return whether ``before`` holds the sign, or the first digits, of the quote's number."""
    if not before:
        return False
    if quote[0] in _DIGIT_SEPARATORS:
        return quote[1:2].isdigit() and before[-1].isdigit()
    if not is_numeric(quote[0]) and not _CURRENCY.match(quote):
        return False
    if before[-1] in _DIGIT_SEPARATORS:
        return before[-2:-1].isdigit() or (before[-1] == "." and not before[-2:-1].strip())
    if before[-1] in _DASHES:
        return not before[-2:-1].isalnum()
    if _MINUS_APART.search(before):
        return True
    spaced = re.search(rf"(?<!\d)\d{{1,3}}[{_GROUP_SPACES}]\Z", before)
    return bool(spaced and re.match(r"\d{3}(?!\d)", quote))


def _negation_began(before: str, quote: str) -> bool:
    """Return whether the word before the quote says that it is not so."""
    found = _NEGATION_BEFORE.search(before)
    return bool(found and not (found[0].strip().casefold() == "no" and quote[0].isdigit()))


def _number_goes_on(quote: str, after: str) -> bool:
    if re.search(rf"\d[{_DIGIT_SEPARATORS}]\Z", quote):
        return after[:1].isdigit()
    if not is_numeric(quote[-1]):
        return False
    if after and after[0] in _DIGIT_SEPARATORS:
        return after[1:2].isdigit()
    spaced = re.match(rf"[{_GROUP_SPACES}]\d{{3}}(?!\d)", after)
    return bool(spaced and re.search(r"(?<!\d)\d{1,3}\Z", quote))
