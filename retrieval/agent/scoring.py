"""How well a sentence answers a question: a few features, each of which can be explained.

Sources of the weights and of the threshold: docs/decisions/0004-extractive-reasoner.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.lexical import terms
from retrieval.agent.candidates import Candidate
from retrieval.agent.constraints import Constraints, codes_in, holds_answer_type, years_in
from retrieval.agent.content_words import ContentWord


@dataclass(frozen=True, slots=True)
class Features:
    """What is known about one sentence; every value but ``cosine`` lies between 0 and 1.

    ``own`` is the idf-weighted share of the question's words in the sentence, ``near`` of those in
    it, its leaf or its headings. ``cosine`` is that of question and sentence under its headings,
    None when it was not computed. ``place`` is 1 for the best hit and falls with the rank.
    ``kind`` says whether it holds the kind of answer that is asked for, and ``year`` and ``code``
    whether it agrees with those of the question: 1 yes, 0 no, 0.5 nothing is said.
    """

    own: float
    near: float
    place: float
    kind: float
    year: float
    code: float
    cosine: float | None = None


# A step of each feature in the same unit; cosines of multilingual-e5 lie between .75 and .95.
_COSINE_FROM, _COSINE_SCALE = 0.8, 0.1
THRESHOLD = 0.5


def preliminary(features: Features) -> float:
    """Return the relevance as far as it is known without a cosine: higher is better."""
    return (
        1.5 * features.own
        + 0.8 * features.near
        + 2.0 * features.place
        + 1.0 * features.kind
        + 1.0 * features.year
        + 0.5 * features.code
    )


def relevance(features: Features) -> float:
    """Return how well the sentence fits, without unit: only differences within a question count."""
    return preliminary(features) + 4.0 * _similarity(features)


def confidence(features: Features) -> float:
    """Return the probability that the best sentence of a question answers it."""
    if features.year == 0 or features.code == 0:
        return 0.0
    return 1 / (1 + math.exp(-100 * ((features.cosine or 0.0) - 0.845)))


def _similarity(features: Features) -> float:
    return ((features.cosine or 0.0) - _COSINE_FROM) / _COSINE_SCALE


def features_of(
    candidate: Candidate, words: Sequence[ContentWord], constraints: Constraints, rank: int | None
) -> Features:
    """Return the features of ``candidate``, but for the cosine.

    ``words`` are the question's in the candidate's language; ``rank`` is that of the best hit that
    covers it, None for a neighbour of hits.
    """
    language = candidate.block.language
    own = frozenset(terms(candidate.shown, language))
    near = own.union(terms(candidate.leaf.text, language), terms(candidate.headings, language))
    return Features(
        own=covered(words, own),
        near=covered(words, near),
        place=1 / math.sqrt(rank) if rank else 0.0,
        kind=float(holds_answer_type(candidate.shown, constraints.answer_type)),
        year=_year_agreement(candidate, constraints),
        code=_code_agreement(candidate, constraints),
    )


def covered(words: Sequence[ContentWord], present: frozenset[str]) -> float:
    """Return the idf-weighted share of ``words`` that have a term in ``present``; 0 of none."""
    total = sum(word.weight for word in words)
    found = sum(word.weight for word in words if not present.isdisjoint(word.terms))
    return found / total if total else 0.0


def _year_agreement(candidate: Candidate, constraints: Constraints) -> float:
    """The nearest text that names a year decides: the sentence, then its headings, then its leaf.

    A policy's year stands in its title and nowhere near the sentence that differs.
    """
    if not constraints.years:
        return 0.5
    for text in (candidate.shown, candidate.headings, candidate.leaf.text):
        if years := years_in(text):
            return float(bool(years & constraints.years))
    return 0.5


def _code_agreement(candidate: Candidate, constraints: Constraints) -> float:
    if not constraints.codes:
        return 0.5
    text = f"{candidate.headings}\n{candidate.leaf.rendered()}"
    found = codes_in(candidate.shown) | codes_in(text)
    return len(constraints.codes & found) / len(constraints.codes)
