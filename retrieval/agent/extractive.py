"""Answering without a model: the sentences that fit the question best, word for word, or none.

It never writes a sentence of its own apart from the fixed ones that say why there is no answer.
Method, figures and limits: docs/decisions/0004-extractive-reasoner.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from knowledge.embedding import Embedder
from knowledge.ingest.note_marks import MARK
from retrieval.agent.candidates import Candidate, candidates_of
from retrieval.agent.comparison import Rated, compared
from retrieval.agent.content_words import Rarity
from retrieval.agent.editions import without_superseded
from retrieval.agent.evidence import Context
from retrieval.agent.markers import escaped, renumbered
from retrieval.agent.missing import missing_from
from retrieval.agent.parts import parts_of
from retrieval.agent.phrases import abstention, unanswered_part
from retrieval.agent.reasoner import Draft, Quote, Signals
from retrieval.agent.scoring import answers

MOST_QUOTES = MOST_NOTES = 3
# A further sentence is quoted when it is at most this much less relevant than the best one.
_CLOSE = 2.0
# And when it has this share of the question's words at least that the best one has around it.
_SHARE = 0.5
_NEAREST = 3


class ExtractiveReasoner:
    """Reasoner that quotes; safe to share between threads when its embedder is."""

    name = "extractive"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def answer(self, question: str, context: Context, signals: Signals) -> Draft:
        """Return one to three quoted sentences for each thing asked, or why none is good enough.

        The notes that they refer to come with them, three at most. Where only some of it is
        answered, a sentence says which part is not. Raises EmbeddingError.
        """
        drafts = [self._one(part, context, signals) for part in parts_of(question)]
        if len(drafts) == 1 or not any(draft.sufficient for draft in drafts):
            return drafts[0] if len(drafts) == 1 else self._one(question, context, signals)
        return _joined(question, drafts)

    def _one(self, question: str, context: Context, signals: Signals) -> Draft:
        rated = compared(question, context, signals, self._embedder)
        if rated and answers(rated[0].features):
            return _quoting(_with_notes(_chosen(_in_force(question, rated)), context))
        return _abstention(question, context, signals, rated)


def _in_force(question: str, rated: Sequence[Rated]) -> list[Rated]:
    return without_superseded(
        question,
        rated,
        title=lambda one: one.candidate.block.document_title,
        relevance=lambda one: one.relevance,
        close=_CLOSE,
    )


def _chosen(rated: Sequence[Rated]) -> list[Candidate]:
    """Return the best sentence and those close behind it, each text once, the best first.

    A further row of its table has all words of the question that the best one has, or brings
    another: the row for 5 kg is no answer beside the one for the 20 kg that were asked for.
    """
    best = rated[0]
    held = best.features.held
    chosen: dict[str, Candidate] = {}
    for one in rated:
        if one.features.contradicts or one.relevance < best.relevance - _CLOSE:
            break
        of_table = one.candidate.leaf.kind == "table" and one.candidate.leaf == best.candidate.leaf
        is_beside = (
            of_table and one.features.held <= held and one.features.held < best.features.held
        )
        if one.features.near < _SHARE * best.features.near or is_beside:
            continue
        held |= one.features.held
        chosen.setdefault(" ".join(one.candidate.text.split()), one.candidate)
    return list(chosen.values())[:MOST_QUOTES]


def _with_notes(chosen: Sequence[Candidate], context: Context) -> list[Candidate]:
    """Return ``chosen`` and the first sentence of each note they refer to: it may limit them."""
    marks = {
        (one.block.version_id, mark)
        for one in chosen
        for mark in MARK.findall(_with_header(one))
        if not one.leaf.text.startswith(mark)
    }
    notes = (
        one
        for one in candidates_of(context)
        if one.position == 0
        and (mark := MARK.match(one.leaf.text))
        and (one.block.version_id, mark[0]) in marks
    )
    return list(dict.fromkeys([*chosen, *islice(notes, MOST_NOTES)]))


def _with_header(candidate: Candidate) -> str:
    """Return the words that are quoted, those of a row below the names of its columns."""
    leaf = candidate.leaf
    if leaf.kind != "table":
        return candidate.text
    return f"{leaf.header or leaf.text.partition(chr(10))[0]}\n{candidate.text}"


def _quoting(chosen: Sequence[Candidate]) -> Draft:
    return Draft(
        answer="\n\n".join(_paragraph(one, number) for number, one in enumerate(chosen, 1)),
        quotes=tuple(Quote(one.block.number, one.text, one.start, one.end) for one in chosen),
    )


def _joined(question: str, drafts: Sequence[Draft]) -> Draft:
    """Return the answers below each other, their markers counted on, each quote once."""
    paragraphs: dict[str, None] = {}
    quotes: dict[Quote, int] = {}
    for place, draft in enumerate(drafts):
        if not draft.sufficient:
            paragraphs[unanswered_part(question, place)] = None
            continue
        numbers = {
            old: quotes.setdefault(quote, len(quotes) + 1)
            for old, quote in enumerate(draft.quotes, 1)
        }
        paragraphs |= dict.fromkeys(renumbered(draft.answer, numbers).split("\n\n"))
    return Draft(answer="\n\n".join(paragraphs), quotes=tuple(quotes))


def _paragraph(candidate: Candidate, number: int) -> str:
    if candidate.leaf.kind != "code":
        return f"{escaped(candidate.shown)} [{number}]"
    if "\n" in candidate.shown or "`" in candidate.shown:
        return f"~~~~\n{candidate.shown}\n~~~~\n[{number}]"
    return f"`{candidate.shown.strip()}` [{number}]"


def _abstention(question: str, context: Context, signals: Signals, rated: Sequence[Rated]) -> Draft:
    rarity = Rarity(signals.document_frequency, signals.entries)
    missing = missing_from(question, context, rarity, signals.own_names)
    nearest = tuple(dict.fromkeys(one.candidate.headings for one in rated))[:_NEAREST]
    return Draft(
        answer="",
        quotes=(),
        missing=missing,
        sufficient=False,
        reason=abstention(question, len(context.blocks), missing, nearest),
    )
