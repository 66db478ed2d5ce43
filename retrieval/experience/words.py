"""What a question is about: its content words, and those of them that name a thing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from retrieval.agent.content_words import Rarity, content_words, terms_of_word
from retrieval.experience.asking import without_asking
from retrieval.experience.lexicon import pattern, word_list
from retrieval.experience.synonyms import canonical_word

DocumentFrequency = Callable[[str], float]
"""Of a term of `knowledge.lexical`: the share of the base's entries that hold it, 0 to 1."""

FREQUENT = 0.2
"""A word in more than this share of the entries is what the base is about and tells nothing
apart."""

_LISTS = word_list("words")
_ASKING = pattern(_LISTS["asking"])
_BEFORE_NOUN = frozenset(_LISTS["before_noun"].split())
_RUSSIAN_VERB = pattern(_LISTS["russian_verb"])
_CHINESE_FILLER = pattern(_LISTS["chinese_filler"])
_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_NO_RARITY = Rarity({}, 0)


@dataclass(frozen=True, slots=True)
class Words:
    """Canonical terms: ``all`` content words once, ``frame`` every word in order.

    ``nouns`` are those that may name a thing, each with its term of `knowledge.lexical`.
    """

    all: tuple[str, ...]
    nouns: tuple[tuple[str, str], ...]
    frame: tuple[str, ...]
    is_chinese: bool

    def things(self, document_frequency: DocumentFrequency) -> frozenset[str]:
        """Return the nouns that tell questions apart: they are not frequent in the base.

        In Chinese a noun is a pair of characters that the base knows and seldom uses.
        """
        least = 0.0 if self.is_chinese else -1.0
        shares = ((name, document_frequency(term)) for name, term in self.nouns)
        return frozenset(name for name, share in shares if least < share <= FREQUENT)


def words_of(text: str, language: str) -> Words:
    """Return the words of ``text`` but numbers and codes.

    A noun is one as far as its letters and neighbours tell; in Chinese every pair may be one.
    """
    chinese = language == "zh"
    found: dict[str, None] = {}
    named: list[tuple[str, str]] = []
    nouns = frozenset() if chinese else frozenset(_nouns(text, language))
    told = _CHINESE_FILLER.sub(" ", without_asking(text)) if chinese else text
    for word in content_words(told, language, _NO_RARITY):
        if any(char.isdigit() for char in word.written) or _ASKING.fullmatch(word.written):
            continue
        name = canonical_word(word.terms[0])
        found[name] = None
        if chinese or word.written in nouns:
            named.append((name, word.terms[0]))
    frame = tuple(found) if chinese else tuple(_frame(text, language))
    return Words(tuple(found), tuple(named), frame, chinese)


def _frame(text: str, language: str) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        yield from map(canonical_word, terms_of_word(match[0], language)[:1])


def _nouns(text: str, language: str) -> Iterator[str]:
    before, within = "", False
    for match in _TOKEN.finditer(text):
        word = match[0]
        if language == "en":
            adjoins = text[: match.start()].endswith(f"{before} ") and bool(before)
            is_function = word.casefold() in _BEFORE_NOUN or not content_words(
                word, "en", _NO_RARITY
            )
            within = not is_function and adjoins and (within or before.casefold() in _BEFORE_NOUN)
            noun = (within and not word.endswith("ed")) or (word[0].isupper() and not is_function)
        elif language == "ru":
            noun = not _RUSSIAN_VERB.fullmatch(word.casefold())
        else:
            noun = word[0].isupper()
        before = word
        if noun:
            yield word


def alike(one: str, other: str) -> bool:
    """Return whether two terms are of one word: equal, a part of a compound, or of one stem."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if "\u3400" <= short[0] <= "\u9fff":
        return len(short) == 1 and short in long
    if short[0] == "=" or len(short) < 4:
        return False
    common = next((at for at, char in enumerate(short) if long[at] != char), len(short))
    return short in long or (common >= 5 and common >= 0.6 * len(long))
