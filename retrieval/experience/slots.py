"""What of a question must agree before an edge learned from another one may fire."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from knowledge.lexical import terms
from retrieval.agent.constraints import codes_in
from retrieval.agent.phrases import question_language
from retrieval.experience.asking import answers_asked
from retrieval.experience.dates import dates_in
from retrieval.experience.directions import directions_in
from retrieval.experience.names import names_in
from retrieval.experience.numerals import NUMBER, canonical, with_digits
from retrieval.experience.quantities import quantities_in
from retrieval.experience.synonyms import canonical_word
from retrieval.experience.words import DocumentFrequency, words_of

_LANGUAGES = frozenset(["en", "de", "ru", "zh"])
# Nobody asks a longer question; what comes after is a pasted text, and not worth the time.
_CHARACTERS = 2000
_VERSION = re.compile(r"\b[vV]\.? ?(?=\d+\.\d)")
# What is compared with, and where a way begins: "heavier than B", "from A to B".
_REFERENCE = re.compile(
    r"\b(?:than|als|чем)\s+(?:the |a |an |de[rmn] |die |das )?([^\W_][\w.-]*(?: [^\W_][\w.-]*)?)"
    r"|\b(?:from|von|из|с) ([^\W_][\w.-]*) (?:to|nach|auf|в|на)\b"
    r"|(?:比|从(?=[^?？]*到))([A-Za-z0-9-]+|[\u4e00-\u9fff]{2})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Slots:
    """Canonical values, sorted, equal for what means the same in any unit, order and language.

    ``words`` are what the question is about; ``things`` those of them that tell questions apart;
    ``frame`` all words in order; ``reference`` what it compares with. ``answers`` are the kinds of answer that would do.
    """

    numbers: tuple[str, ...] = ()
    quantities: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    frame: tuple[str, ...] = ()
    directions: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()
    negated: bool = False
    answers: tuple[str, ...] = ()


def slots_of(question: str, *, language: str, document_frequency: DocumentFrequency) -> Slots:
    """Return the slots of ``question``. Never raises, whatever the text.

    ``language`` is ISO 639-1; one that is not en, de, ru or zh is read as the one of these whose
    letters the question has. ``document_frequency`` gives the share of the base's entries, 0 to 1,
    that hold a term of `knowledge.lexical`.
    """
    question = _VERSION.sub("version ", question[:_CHARACTERS])
    language = language.split("-")[0].lower()
    if language not in _LANGUAGES:
        language = question_language(question)
    digits = with_digits(question, language)
    directions, negated, plain = directions_in(digits)
    dates, rest = dates_in(plain)
    quantities, rest = quantities_in(rest)
    codes = codes_in(rest)
    words = words_of(rest, language, document_frequency)
    return Slots(
        numbers=_sorted(_numbers(rest)),
        quantities=_sorted(quantities),
        dates=_sorted(dates),
        codes=_sorted(codes),
        names=_sorted(names_in(rest, language)),
        words=words.all,
        things=_sorted(words.things),
        frame=words.frame,
        directions=_sorted(directions),
        reference=_sorted(_references(digits, language)),
        negated=negated,
        answers=_sorted(answers_asked(question, language)),
    )


def _sorted(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(values)))


def _numbers(text: str) -> Iterator[str]:
    """Yield the plain decimals of ``text``; versions and dates count as codes and dates."""
    for written in NUMBER.findall(text):
        if re.fullmatch(r"\d+(?:\.\d+)?", written):
            yield canonical(float(written))
        else:
            yield from re.findall(r"\d+", written)


def _references(question: str, language: str) -> Iterator[str]:
    for match in _REFERENCE.finditer(question):
        written = match[1] or match[2] or match[3]
        yield from map(canonical_word, terms(written, language))
