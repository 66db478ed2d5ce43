"""The sentences of the evidence in the order in which they answer a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from knowledge.embedding import Embedder
from retrieval.agent.candidates import Candidate, candidates_of
from retrieval.agent.constraints import constraints_of
from retrieval.agent.content_words import Rarity, telling_words
from retrieval.agent.evidence import Context, Hit
from retrieval.agent.features import Features, features_of
from retrieval.agent.likeness import scale_of
from retrieval.agent.names import required_names
from retrieval.agent.phrases import question_language
from retrieval.agent.reasoner import Signals
from retrieval.agent.scoring import preliminary, relevance

# The bundled model takes 15-40 ms a sentence: a second in all.
FIRST_LOOK, SECOND_LOOK = 24, 12


@dataclass(frozen=True, slots=True)
class Rated:
    """A sentence and what is known about how it fits."""

    candidate: Candidate
    features: Features

    @property
    def relevance(self) -> float:
        return relevance(self.features)


def compared(question: str, context: Context, signals: Signals, embedder: Embedder) -> list[Rated]:
    """Return the twelve sentences that fit ``question`` best, those that contradict it last.

    Words choose 24 of all sentences, their likeness under their headings twelve of these, and how
    alike they are by themselves decides. Raises EmbeddingError.
    """
    rated = _by_words(question, context, signals)[:FIRST_LOOK]
    if not rated:
        return []
    vector = embedder.query(question)
    shown = [f"{one.candidate.headings}\n{one.candidate.shown}" for one in rated]
    cosines: list[float] = (embedder.passages(shown) @ vector).tolist()
    scale = scale_of(embedder.name, cosines, signals.background)
    rated = _under_headings(
        rated,
        [
            scale.likeness(cosine, one.candidate.block.language)
            for one, cosine in zip(rated, cosines, strict=True)
        ],
    )
    rated = sorted(rated, key=_order)[:SECOND_LOOK]
    # Both as queries: which of two texts is the question is what multilingual-e5 is told by its
    # prefixes, and with the same one it compares what they say (intfloat's model card).
    rated = [
        Rated(one.candidate, replace(one.features, alone=likeness))
        for one in rated
        for cosine in [float(embedder.query(one.candidate.shown) @ vector)]
        for likeness in [scale.likeness(cosine, one.candidate.block.language)]
    ]
    return sorted(rated, key=_order)


def _by_words(question: str, context: Context, signals: Signals) -> list[Rated]:
    constraints = constraints_of(question)
    rarity = Rarity(signals.document_frequency, signals.entries)
    languages = {block.language for block in context.blocks}
    words = {
        language: telling_words(question, language, rarity, signals.own_names)
        for language in languages
    }
    asked_in = question_language(question)
    names = required_names(question, words.get(asked_in, ()), asked_in, rarity)
    rated = []
    for candidate in candidates_of(context):
        rank = _rank(candidate, signals.hits)
        language = candidate.block.language
        required = names if language == asked_in else ()
        features = features_of(candidate, words[language], required, constraints, rank)
        rated.append(Rated(candidate, features))
    return sorted(rated, key=lambda one: -preliminary(one.features))


def _order(one: Rated) -> tuple[bool, float]:
    return one.features.contradicts, -one.relevance


def _rank(candidate: Candidate, hits: Sequence[Hit]) -> int | None:
    return min(
        (
            hit.rank
            for hit in hits
            if hit.version_id == candidate.block.version_id
            and hit.start < candidate.end
            and candidate.start < hit.end
        ),
        default=None,
    )


def _under_headings(rated: Sequence[Rated], likenesses: Sequence[float]) -> list[Rated]:
    """Return the same with the likeness of each, and the greater one of those beside it."""
    found = {
        (one.candidate.leaf.path, one.candidate.position): likeness
        for one, likeness in zip(rated, likenesses, strict=True)
    }
    result = []
    for one, likeness in zip(rated, likenesses, strict=True):
        leaf, position = one.candidate.leaf.path, one.candidate.position
        beside = [found[leaf, at] for at in (position - 1, position + 1) if (leaf, at) in found]
        features = replace(one.features, under=likeness, around=max(beside, default=0.0))
        result.append(Rated(one.candidate, features))
    return result
