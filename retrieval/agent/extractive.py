"""Answering without a model: the sentences that fit the question best, word for word, or none.

It never writes a sentence of its own apart from the fixed ones that say why there is no answer.
Method, figures and limits: docs/decisions/0004-extractive-reasoner.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from knowledge.embedding import Embedder
from retrieval.agent.candidates import Candidate, candidates_of
from retrieval.agent.citations import escaped
from retrieval.agent.constraints import constraints_of
from retrieval.agent.content_words import Rarity, content_words
from retrieval.agent.evidence import Context, Hit
from retrieval.agent.missing import missing_from
from retrieval.agent.phrases import abstention
from retrieval.agent.reasoner import Draft, Quote, Signals
from retrieval.agent.scoring import (
    THRESHOLD,
    Features,
    confidence,
    features_of,
    preliminary,
    relevance,
)

# The bundled model takes 15-40 ms a sentence: within a second.
EMBEDDED_SENTENCES = 24
MOST_QUOTES = 3
# A further sentence is quoted when its relevance is at most this far behind the best one's.
_CLOSE = 1.2
_NEAREST = 3

_Rated = tuple[Candidate, Features]


class ExtractiveReasoner:
    """Reasoner that quotes; safe to share between threads when its embedder is."""

    name = "extractive"

    def __init__(self, embedder: Embedder, *, embedded_sentences: int = EMBEDDED_SENTENCES) -> None:
        self._embedder = embedder
        self._embedded_sentences = embedded_sentences

    def answer(self, question: str, context: Context, signals: Signals) -> Draft:
        """Return one to three quoted sentences, or the reason why none is good enough.

        Raises EmbeddingError.
        """
        rated = self.rated(question, context, signals)
        if not rated or confidence(rated[0][1]) < THRESHOLD:
            return _abstention(question, context, signals, rated)
        return _draft(_chosen(rated))

    def rated(self, question: str, context: Context, signals: Signals) -> list[_Rated]:
        """Return the sentences that were compared with ``question``, best first."""
        constraints = constraints_of(question)
        rarity = Rarity(signals.document_frequency, signals.entries)
        words = {
            block.language: content_words(question, block.language, rarity)
            for block in context.blocks
        }
        rated = [
            (
                one,
                features_of(one, words[one.block.language], constraints, _rank(one, signals.hits)),
            )
            for one in candidates_of(context)
        ]
        rated.sort(key=lambda pair: -preliminary(pair[1]))
        compared = self._with_cosines(question, rated[: self._embedded_sentences])
        return sorted(compared, key=lambda pair: -relevance(pair[1]))

    def _with_cosines(self, question: str, rated: Sequence[_Rated]) -> list[_Rated]:
        if not rated:
            return []
        texts = [f"{candidate.headings}\n{candidate.shown}" for candidate, _ in rated]
        cosines = self._embedder.passages(texts) @ self._embedder.query(question)
        return [
            (candidate, replace(features, cosine=float(cosine)))
            for (candidate, features), cosine in zip(rated, cosines, strict=True)
        ]


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


def _chosen(rated: Sequence[_Rated]) -> list[Candidate]:
    """Return the best sentence and those close behind it, each text once, in reading order."""
    least = relevance(rated[0][1]) - _CLOSE
    chosen: dict[str, Candidate] = {}
    for candidate, features in rated:
        if relevance(features) < least or len(chosen) == MOST_QUOTES:
            break
        chosen.setdefault(" ".join(candidate.text.split()), candidate)
    return sorted(chosen.values(), key=lambda one: (one.block.number, one.start))


def _draft(chosen: Sequence[Candidate]) -> Draft:
    return Draft(
        answer="\n\n".join(_paragraph(one, number) for number, one in enumerate(chosen, 1)),
        quotes=tuple(Quote(one.block.number, one.text, one.start, one.end) for one in chosen),
    )


def _paragraph(candidate: Candidate, number: int) -> str:
    if candidate.leaf.kind != "code":
        return f"{escaped(candidate.shown)} [{number}]"
    if "\n" in candidate.shown or "`" in candidate.shown:
        return f"~~~~\n{candidate.shown}\n~~~~\n[{number}]"
    return f"`{candidate.shown.strip()}` [{number}]"


def _abstention(
    question: str, context: Context, signals: Signals, rated: Sequence[_Rated]
) -> Draft:
    rarity = Rarity(signals.document_frequency, signals.entries)
    missing = missing_from(question, context, rarity)
    nearest = tuple(dict.fromkeys(candidate.headings for candidate, _ in rated))[:_NEAREST]
    return Draft(
        answer="",
        quotes=(),
        missing=missing,
        sufficient=False,
        reason=abstention(question, len(context.blocks), missing, nearest),
    )
