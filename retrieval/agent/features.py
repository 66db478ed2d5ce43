"""What is known about how a sentence fits a question, each thing a person could check."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.agent.candidates import Candidate
from retrieval.agent.constraints import Constraints, codes_in, holds_answer_type, years_in
from retrieval.agent.content_words import ContentWord, is_next, words_in
from retrieval.agent.numbers import values_in
from retrieval.agent.phrases import question_language

_NEXT_TO_NOTHING = 0.1
"""Of the question's words, by idf: the golden answers in words of their own share .11 and more."""


@dataclass(frozen=True, slots=True)
class Features:
    """All between 0 and 1, but for the likenesses, which are about that and 0 until computed.

    ``own``: the idf-weighted share of the question's words in the sentence, its codes aside, which
    ``code`` is about: every row of a data sheet has them. ``near``: that of the words in it, its
    leaf or its headings. ``place``: 1 in the best hit, falling with its rank.
    ``held`` are the words behind ``own``, as the question writes them.
    ``kind``: 1 when it holds the kind of answer asked for, and the price the question gives.
    ``name``: the share of the question's names that stand in it, in its leaf unless that is a
    table, or in its headings; half of it where they stand elsewhere in its block.
    ``year``: 1 when it is of a year that is asked for, 0.5 when it names none, 0 when it is of
    another one. ``code``: the share of the question's codes that it speaks of. Where the question
    asks for none, these are 1. ``amount``: 1 when it holds the price that the question gives, 0
    also where that gives none. ``shared`` is false when next to nothing of the question is near
    the sentence, though both are in one language. ``under`` is the likeness of the question and
    the sentence under its headings, ``around`` the greater one of the sentences before and after
    it in its leaf, ``alone`` that of the bare sentence.
    """

    own: float
    near: float
    place: float
    kind: float
    year: float
    code: float
    name: float = 1.0
    held: frozenset[str] = frozenset()
    amount: float = 0.0
    shared: bool = True
    under: float = 0.0
    around: float = 0.0
    alone: float = 0.0

    @property
    def is_whole(self) -> bool:
        """Whether the sentence itself holds every word of the question, and these are several."""
        return self.own == 1 and len(self.held) > 1

    @property
    def contradicts(self) -> bool:
        """Whether the sentence is of another year or thing, or of the wrong kind to answer."""
        return self.kind == 0 or self.year == 0 or self.code < 0.5 or self.name < 0.5


def features_of(
    candidate: Candidate,
    words: Sequence[ContentWord],
    names: Sequence[ContentWord],
    constraints: Constraints,
    rank: int | None,
) -> Features:
    """Return the features of ``candidate``, but for the likenesses.

    ``words`` are the question's in the candidate's language, ``names`` those of them that it has
    to speak of, none where it is in another language; ``rank`` is that of the best hit that
    covers it, None for a neighbour of hits.
    """
    language = candidate.block.language
    own = words_in(candidate.shown, language)
    near = own | words_in(candidate.leaf.text, language) | words_in(candidate.headings, language)
    kind = holds_answer_type(candidate.shown, constraints.answer_type, constraints.question)
    priced = not constraints.amount.isdisjoint(values_in(candidate.shown))
    foreign = language not in ("", "und", question_language(constraints.question))
    subject = [word for word in words if not codes_in(word.written)] or words
    return Features(
        own=covered(subject, own),
        near=covered(subject, near),
        place=1 / math.sqrt(rank) if rank else 0.0,
        kind=float(kind and (priced or not constraints.amount)),
        year=_year_agreement(candidate, constraints),
        code=_code_agreement(candidate, constraints),
        name=_name_agreement(candidate, names),
        held=frozenset(word.written for word in subject if not own.isdisjoint(word.terms)),
        amount=float(priced),
        shared=foreign or covered(words, near) >= _NEXT_TO_NOTHING,
    )


def covered(words: Sequence[ContentWord], present: frozenset[str]) -> float:
    """Return the idf-weighted share of ``words`` that have a term in ``present``; 0 of none.

    A pair of characters that is not there does not count where the pair beside it is: it is the
    seam of two words (年假 | 申请), or of one and a particle.
    """
    held = [not present.isdisjoint(word.terms) for word in words]
    found = total = 0.0
    for at, word in enumerate(words):
        beside = [other for other in (at - 1, at + 1) if 0 <= other < len(words) and held[other]]
        if held[at]:
            found += word.weight
        elif any(
            is_next(words[min(at, other)].written, words[max(at, other)].written)
            for other in beside
        ):
            continue
        total += word.weight
    return found / total if total else 0.0


def _year_agreement(candidate: Candidate, constraints: Constraints) -> float:
    """The nearest text that names a year decides: the sentence, then its headings, then its leaf.

    A policy's year stands in its title and nowhere near the sentence that differs.
    """
    if not constraints.years:
        return 1.0
    for text in (candidate.shown, candidate.headings, candidate.leaf.text):
        if years := years_in(text):
            return float(bool(years & constraints.years))
    return 0.5


def _code_agreement(candidate: Candidate, constraints: Constraints) -> float:
    """The mean over the question's codes: 1 for one in the sentence, its leaf or above it, 0.5 for
    one in the block around it, else 0. The other rows of a table are not around a row."""
    if not constraints.codes:
        return 1.0
    near = codes_in(candidate.shown) | codes_in(candidate.headings)
    if candidate.leaf.kind != "table":
        near |= codes_in(candidate.leaf.text)
    around = near if candidate.leaf.kind == "table" else codes_in(candidate.block.text)
    found = len(constraints.codes & near) + len(constraints.codes & (near | around))
    return found / 2 / len(constraints.codes)


def _name_agreement(candidate: Candidate, names: Sequence[ContentWord]) -> float:
    """As of codes: what is said of one place, person or product is not said of another."""
    if not names:
        return 1.0
    language = candidate.block.language
    near = words_in(candidate.shown, language) | words_in(candidate.headings, language)
    if candidate.leaf.kind != "table":
        near |= words_in(candidate.leaf.text, language)
    around = near if candidate.leaf.kind == "table" else words_in(candidate.block.text, language)
    found = [not near.isdisjoint(name.terms) for name in names]
    beside = [not (near | around).isdisjoint(name.terms) for name in names]
    return (sum(found) + sum(beside)) / 2 / len(names)
