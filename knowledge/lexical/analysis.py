"""Text to the terms that the lexical leg of the search counts.

Both sides must agree: a change that gives other terms for the same text raises `ANALYSIS`, which is
stored with each entry, so that those of another analysis can be found.
"""

import re
from collections.abc import Iterable, Iterator

from knowledge.lexical.normalisation import normalised
from knowledge.lexical.question_words import (
    is_question_word,
    names_in_capitals,
    without_question_words,
)
from knowledge.lexical.stemming import languages_of, stem
from knowledge.lexical.tokens import Kind, Token, tokens

ANALYSIS = "snowball-3/1"
_CODE_PARTS = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)*")
# A longer code (a hash, an address) is found whole; its parts would be noise.
_PARTS_OF_A_CODE = 4
_CHARACTERS_OF_A_TERM = 64


def terms(text: str, language: str) -> list[str]:
    """Terms of a passage in `language` (ISO 639-1; "" or "und": unknown), in order, with repeats.

    Words become Snowball stems by the rules of the language, or of the language usual for their
    script when that is another one. Numbers and codes stay whole and give their parts besides
    (`ISO-27001`: `iso27001`, `iso`, `27001`). Chinese, Japanese, Korean and Thai become pairs of
    neighbouring characters, a character by itself stays (the CJKAnalyzer of Lucene). No stop
    words: BM25's idf makes them light.
    """
    return _analysed(tokens(normalised(text)), [language.split("-")[0].lower()])


def query_terms(text: str, languages: Iterable[str]) -> list[str]:
    """Terms of a question asked of a base whose documents are in `languages`, in order.

    A question's own language is not guessed: it is short, and names in it are foreign. Each word
    is stemmed by the rules of every language of the base that shares its script, and each
    different stem is a term; one that no document holds has no weight. Words that only ask
    (`which`, `does`, `сколько`, `什么`) are left out, unless nothing else is there.
    """
    present = sorted({language.split("-")[0].lower() for language in languages})
    found = list(tokens(normalised(text)))
    names = names_in_capitals(text)
    telling = [part for token in found for part in _telling(token, present, names)]
    return _analysed(telling or found, present)


def _telling(token: Token, languages: list[str], names: frozenset[str]) -> Iterator[Token]:
    if token.kind is Kind.RUN:
        yield from (Token(piece, Kind.RUN) for piece in without_question_words(token.text))
    elif token.text in names or not is_question_word(
        token.text, languages_of(token.text, languages)
    ):
        yield token


def _analysed(found: Iterable[Token], languages: list[str]) -> list[str]:
    return [term[:_CHARACTERS_OF_A_TERM] for token in found for term in _terms_of(token, languages)]


def _terms_of(token: Token, languages: list[str]) -> Iterator[str]:
    if token.kind is Kind.WORD:
        word = token.text[:_CHARACTERS_OF_A_TERM]  # before `stem` remembers it
        yield from dict.fromkeys(stem(word, language) for language in languages_of(word, languages))
    elif token.kind is Kind.RUN:
        pairs = (token.text[at : at + 2] for at in range(max(1, len(token.text) - 1)))
        yield from pairs
    else:
        yield from _terms_of_code(token.text, languages)


def _terms_of_code(code: str, languages: list[str]) -> Iterator[str]:
    # E-104, E104 and E_104 are one code; the dots of 2.4.1 tell it from 241.
    whole = re.sub(r"[-_&']|(?<=[^\W\d])\.|\.(?=[^\W\d])", "", code)
    yield whole
    parts = _CODE_PARTS.findall(code)
    if len(parts) <= _PARTS_OF_A_CODE:
        for part in parts:
            if part != whole and len(part) > 1:
                yield from _terms_of(Token(part, Kind.WORD), languages)
