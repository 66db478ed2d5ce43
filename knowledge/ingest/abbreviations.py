"""Abbreviations a sentence does not end at, per language."""

from __future__ import annotations

import re

from .tree import Span


def _table(**languages: str) -> dict[str, frozenset[str]]:
    return {language: frozenset(words.split()) for language, words in languages.items()}


# Something always follows: a name, a number, a clause.
_OPEN = _table(
    en="fig figs eq eqs eqn tab vs e.g i.e cf viz resp approx incl"
    " dr mr mrs ms mx messrs prof rev lt capt",
    ru="см рис табл т.е напр гл п пп ст разд прим ср акад проф ул т.к т.н т.наз",
    de="z.b d.h vgl abb bzw ca dr prof hr nr bspw ggf inkl evtl sog",
    fr="p.ex fig cf mme dr env",
    es="p.ej fig cf sr sra dr dra aprox",
)
# A full stop unless a number or a bracket follows: many of these are words as well.
_NUMBERED = _table(
    en="no nos p pp vol ch art para app ed al ver v sec secs ref refs",
    ru="стр с т",
    de="s bd kap ziff art abs lit",
    fr="p pp n vol art chap",
    es="p pp n vol núm art cap",
)
# A full stop unless a small letter follows.
_CLOSED = _table(
    en="etc inc ltd co corp jr sr a.m p.m u.s u.k al",
    ru="т.д т.п др пр руб коп тыс млн млрд г гг в вв",
    de="usw u.a etc u.ä o.ä",
    fr="etc",
    es="etc",
)

_TAIL = 24
_WORD = re.compile(r"((?:[^\W\d_]{1,8}\.[ \u00a0]?){0,2}[^\W\d_]{1,8})\.[)\]»”]?\Z")
_ENUMERATOR = re.compile(r"[(\[]?(?:\d{1,3}(?:\.\d{1,3})*|[^\W\d_])[.)\]]{1,2}\Z|[-*+•–—]+\Z")
# "Ms. E. P. Hill": one initial after another ends no sentence.
_INITIAL = re.compile(r"(?<![^\W_])[^\W\d_a-zа-яё]\.\Z")
_NEXT_INITIAL = re.compile(r"[^\W\d_a-zа-яё]\.")


def continues(text: str, before: Span, after: Span, language: str) -> bool:
    """Return whether the sentence ``before`` goes on in ``after``: no sentence ended there."""
    tail = text[max(before.start, before.end - _TAIL) : before.end]
    if len(before) <= 12 and _ENUMERATOR.match(tail):
        return True
    if _INITIAL.search(tail) and _NEXT_INITIAL.match(text, after.start):
        return True
    match = _WORD.search(tail)
    if match is None:
        return False
    following = text[after.start]
    if _lists(_OPEN, language, match[1]):
        return True
    if following.isdigit() or following in "([№":
        return _lists(_NUMBERED, language, match[1])
    return following.islower() and _lists(_CLOSED, language, match[1])


def _lists(table: dict[str, frozenset[str]], language: str, words: str) -> bool:
    """Return whether the last one or two of ``words`` are listed for ``language`` or English.

    English ones are looked for everywhere: other languages' technical prose uses them too.
    """
    parts = re.split(r"[.\s]+", words.casefold())
    known = table.get(language, frozenset()) | table["en"]
    return any(".".join(parts[-size:]) in known for size in (1, 2))
