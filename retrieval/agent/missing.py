"""What of a question occurs nowhere in the evidence."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from retrieval.agent.constraints import codes_in, constraints_of, years_in
from retrieval.agent.content_words import (
    ContentWord,
    Rarity,
    is_next,
    is_pair,
    telling_words,
    words_in,
)
from retrieval.agent.evidence import Block, Context

MOST = 5
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")


def missing_from(
    question: str, context: Context, rarity: Rarity, own_names: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the years, codes and words of ``question`` that no block holds, the rarest first.

    At most five, as the question writes them. A word counts as held when any block, in its own
    language, has one of its terms in its text or headings.
    """
    texts = [(block, _text(block)) for block in context.blocks]
    constraints = constraints_of(question)
    years = constraints.years.difference(*(years_in(text) for _, text in texts))
    codes = constraints.codes.difference(*(codes_in(text) for _, text in texts))
    lacking = _lacking(question, texts, rarity, own_names)
    named = [word for word in question.split() if not codes.isdisjoint(codes_in(word))]
    codes_as_written = [word.strip("?!.,;:()\"'") for word in named]
    words = [word.written for word in lacking]
    return tuple(dict.fromkeys([*sorted(years), *codes_as_written, *words]))[:MOST]


def _lacking(
    question: str, texts: list[tuple[Block, str]], rarity: Rarity, own_names: Sequence[str]
) -> list[ContentWord]:
    by_language: dict[str, set[str]] = {}
    for block, text in texts:
        by_language.setdefault(block.language, set()).update(words_in(text, block.language))
    held: set[str] = set()
    lacking: dict[str, ContentWord] = {}
    for language, present in by_language.items():
        for word in telling_words(question, language, rarity, own_names):
            lacking.setdefault(word.written, word)
            if not present.isdisjoint(word.terms):
                held.add(word.written)
    absent = [word for word in lacking.values() if word.written not in held]
    return sorted(_joined(absent, held), key=lambda word: -word.weight)


def _joined(words: Iterable[ContentWord], held: Collection[str]) -> list[ContentWord]:
    """Return the words with neighbouring pairs of characters as one: 土壤, 壤水 is 土壤水.

    A pair at an end that shares its outer character with a pair that is there goes.
    """
    joined: list[ContentWord] = []
    for word in words:
        last = joined[-1] if joined else None
        if not is_pair(word.written):
            joined.append(word)
        elif last and _HAN.match(last.written) and last.written[-1] == word.written[0]:
            if not any(is_next(word.written, other) for other in held):
                written = last.written + word.written[1:]
                weight = max(last.weight, word.weight)
                joined[-1] = ContentWord(written, last.terms + word.terms, weight)
        elif not any(is_next(other, word.written) for other in held):
            joined.append(word)
    return joined


def _text(block: Block) -> str:
    return "\n".join((block.document_title, *block.headings, block.text))
