"""Which way a question compares, and whether it is negated."""

from __future__ import annotations

import re

from retrieval.experience.lexicon import pattern, word_list

_WORDS = word_list("directions")
# What bounds a number is taken out first: the "not" of "not more than" negates nothing.
_BOUNDS = {name: pattern(words) for name, words in _WORDS["bounds"].items()}
_COMPARISONS = {name: pattern(words) for name, words in _WORDS["comparisons"].items()}
_NEGATION = pattern(_WORDS["negation"])
_NO_NEGATION = pattern(_WORDS["no_negation"])
_SIZES = {"at most": "less", "at least": "more"}
_EXTREMES = {"at most": "top", "at least": "bottom"}


def directions_in(text: str) -> tuple[frozenset[str], bool, str]:
    """Return which ways ``text`` compares, whether it is negated, and the text without these words.

    Ways are more, less (of a number, bounds included), top, bottom, before and after. A bound
    without a number asks for an extreme: "how many at most" is "the highest number". ``text``
    has its numbers in digits.
    """
    found: set[str] = set()
    for name, words in _BOUNDS.items():
        for match in words.finditer(text):
            beside = text[match.end() : match.end() + 16]
            if match[0] == "以内":  # 10天以内: the number stands before
                beside = text[: match.start()]
            near = re.search(r"\d", beside)
            found.add((_SIZES if near else _EXTREMES)[name])
        text = words.sub(" ", text)
    for name, words in _COMPARISONS.items():
        if words.search(text):
            found.add(name)
            text = words.sub(" ", text) if name not in ("before", "after") else text
    rest, negations = _NEGATION.subn(" ", _NO_NEGATION.sub(" ", text))
    return frozenset(found), bool(negations), rest
