"""What of a question must agree before an edge learned from another one may fire."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from knowledge.lexical import dimension, terms
from retrieval.agent.constraints import codes_in
from retrieval.agent.names import names_in
from retrieval.agent.phrases import question_language
from retrieval.experience.asking import answers_asked
from retrieval.experience.dates import dates_in, years_named
from retrieval.experience.directions import directions_in
from retrieval.experience.numerals import NUMBER, canonical, with_digits
from retrieval.experience.quantities import quantities_in
from retrieval.experience.synonyms import canonical_word
from retrieval.experience.words import DocumentFrequency, Words, words_of

READ_BY = "1"
"""Raised by a change that reads other numbers, quantities, dates, codes or negations from the same
text: the keys of stored questions are made anew then."""

# What comes after is a pasted text, read no further (0.1 s at worst) and equal only to itself.
_CHARACTERS = 1000
_VERSION = re.compile(r"\b[vV]\.? ?(?=\d+\.\d)")
# What is compared with, and where a way begins: "heavier than B", "from A to B".
_COMPARES = frozenset(["more", "less"])
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
    ``frame`` all words in order; ``reference`` what it compares with. ``answers`` are the kinds of
    answer that would do.
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


@dataclass(frozen=True, slots=True)
class Reading:
    """A question read without a base: its slots but for the things, and what may be one."""

    slots: Slots
    words: Words

    @property
    def terms(self) -> frozenset[str]:
        """The terms of `knowledge.lexical` whose frequency decides which nouns are things."""
        return frozenset(term for _, term in self.words.nouns)

    @property
    def key(self) -> str:
        """What is the same text for any two questions that agree in all slots.

        A lone 1 is left out of it, as `agree` lets it pass where the other has no number.
        """
        slots = self.slots
        numbers = () if slots.numbers == ("1",) else slots.numbers
        alike = (numbers, slots.quantities, slots.dates, slots.codes, slots.negated)
        return f"{READ_BY}:{hashlib.sha256(repr(alike).encode()).hexdigest()[:32]}"

    def within(self, document_frequency: DocumentFrequency) -> Slots:
        """Return the slots in a base. ``document_frequency`` gives the share of its entries, 0 to
        1, that hold a term of `knowledge.lexical`."""
        return replace(self.slots, things=_sorted(self.words.things(document_frequency)))


def slots_of(question: str, *, language: str, document_frequency: DocumentFrequency) -> Slots:
    """Return the slots of ``question`` in a base, as `Reading.within` does. Never raises."""
    return reading_of(question, language).within(document_frequency)


def reading_of(question: str, language: str) -> Reading:
    """Return what ``question`` says. Never raises, whatever the text.

    ``language`` is ISO 639-1; a question in Chinese or Cyrillic letters is read as Chinese or
    Russian whatever it says, and one of an unknown language by its words.
    """
    question = question.strip()
    pasted = {f"text {dimension(question)}"} if len(question) > _CHARACTERS else set()
    question = _VERSION.sub("version ", question[:_CHARACTERS])
    language = _read_as(question, language.split("-")[0].lower())
    digits = with_digits(question, language)
    directions, negated, plain = directions_in(digits)
    dates, rest = dates_in(plain)
    quantities, rest = quantities_in(rest)
    years, rest = years_named(rest)
    codes = codes_in(rest)
    words = words_of(rest, language)
    slots = Slots(
        numbers=_sorted(_numbers(rest)),
        quantities=_sorted(quantities),
        dates=_sorted(dates | years),
        codes=_sorted(codes | pasted),
        names=_sorted(names_in(rest, language)),
        words=words.all,
        frame=words.frame,
        directions=_sorted(directions),
        reference=_sorted(_references(digits, language, compares=bool(directions & _COMPARES))),
        negated=negated,
        answers=_sorted(answers_asked(question, language)),
    )
    return Reading(slots, words)


def _read_as(question: str, language: str) -> str:
    seen = question_language(question)
    return language if seen in ("en", "de") and language in ("en", "de") else seen


def _sorted(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(values)))


def _numbers(text: str) -> Iterator[str]:
    """Yield the plain decimals of ``text``; versions and dates count as codes and dates."""
    for written in NUMBER.findall(text):
        if re.fullmatch(r"\d+(?:\.\d+)?", written):
            yield canonical(float(written))
        else:
            yield from re.findall(r"\d+", written)


def _references(question: str, language: str, *, compares: bool) -> Iterator[str]:
    for match in _REFERENCE.finditer(question):
        # "Export it as (als) a file" compares nothing.
        written = (match[1] if compares else "") or match[2] or match[3] or ""
        yield from map(canonical_word, terms(written, language))
