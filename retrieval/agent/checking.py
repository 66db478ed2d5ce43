"""The check between a draft and the reader: no citation whose quote is not found in its block."""

from __future__ import annotations

from dataclasses import dataclass, field

from retrieval.agent.answer_markdown import within_depth
from retrieval.agent.citations import Match, exact_match, folded_match, stands_alone
from retrieval.agent.content_words import has_content
from retrieval.agent.evidence import Block, Context, EvidenceLeaf
from retrieval.agent.folding import Folded, folded
from retrieval.agent.markers import marker_numbers, renumbered, without_markers
from retrieval.agent.numbers import unsupported_numbers
from retrieval.agent.reasoner import Draft, Quote

MOST_FOLDED = 400_000
"""Characters of evidence in which one check looks for what does not stand there literally: a
second's work. An agent may cite a whole document."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A quote found in its source; ``quote`` is the source's own text from start to end."""

    number: int
    block: Block
    leaf: EvidenceLeaf
    start: int
    end: int
    quote: str
    match: str


@dataclass(frozen=True, slots=True)
class _Place:
    block: Block
    leaf: EvidenceLeaf
    match: Match


@dataclass(slots=True)
class _Foldings:
    """The texts of one check folded, each once."""

    left: int
    texts: dict[str, Folded] = field(default_factory=dict)

    def of(self, text: str) -> Folded | None:
        """Return the text folded, None where no characters are left for it."""
        if text not in self.texts and len(text) <= self.left:
            self.left -= len(text)
            self.texts[text] = folded(text)
        return self.texts.get(text)


@dataclass(frozen=True, slots=True)
class Checked:
    """``answer`` with markers of ``citations`` only, numbered from 1 in order of appearance.

    ``unsupported`` are the numbers of the answer that stand in no cited quote, and ``rejected``
    the quotes that were not found.
    """

    answer: str
    citations: tuple[Citation, ...]
    rejected: tuple[Quote, ...]
    unsupported: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether there is a citation and every number of the answer is in one."""
        return bool(self.citations) and not self.unsupported


def check(draft: Draft, context: Context) -> Checked:
    """Return what of ``draft`` may be shown.

    A citation needs a marker in the answer and a quote that one leaf of its block contains.
    """
    foldings = _Foldings(MOST_FOLDED)
    answer = within_depth(draft.answer)
    found = {
        number: place
        for number, quote in enumerate(draft.quotes, 1)
        if (place := _place(quote, context, foldings))
    }
    cited = [number for number in marker_numbers(answer) if number in found]
    citations = tuple(_citation(new, found[old]) for new, old in enumerate(cited, 1))
    rejected = tuple(q for number, q in enumerate(draft.quotes, 1) if number not in found)
    return Checked(
        renumbered(answer, {old: new for new, old in enumerate(cited, 1)}),
        citations,
        rejected,
        unsupported_numbers(without_markers(answer), _quoted(citations)),
    )


def _place(quote: Quote, context: Context, foldings: _Foldings) -> _Place | None:
    """Return where the quote stands, first of all where it is said to, then literally."""
    block = context.block(quote.block)
    if block is None or not has_content(quote.text):
        return None  # "the" stands everywhere and proves nothing
    for leaf in block.leaves:
        if match := _named_place(quote, leaf):
            return _Place(block, leaf, match)
    for leaf in block.leaves:
        if match := exact_match(quote.text, leaf.text):
            return _Place(block, leaf, match)
    for leaf in block.leaves:
        source = foldings.of(leaf.text)
        if source and (match := folded_match(quote.text, leaf.text, source)):
            return _Place(block, leaf, match)
    return None


def _quoted(citations: tuple[Citation, ...]) -> list[str]:
    """Return the quotes, and the header lines that stand above a quoted row: "FY2021"."""
    headers = [_header(one.leaf) for one in citations if one.leaf.kind == "table"]
    return [*(one.quote for one in citations), *headers]


def _header(leaf: EvidenceLeaf) -> str:
    first_row = leaf.sentences[0][0] if leaf.sentences else leaf.start
    return leaf.header or leaf.text[: first_row - leaf.start]


def _named_place(quote: Quote, leaf: EvidenceLeaf) -> Match | None:
    """Return the place the reasoner names: the same words may stand in a block twice."""
    if quote.start is None or quote.end is None:
        return None
    if not leaf.start <= quote.start < quote.end <= leaf.end:
        return None
    start, end = quote.start - leaf.start, quote.end - leaf.start
    stands = leaf.text[start:end] == quote.text and stands_alone(leaf.text, start, end)
    return Match(start, end, "exact") if stands else None


def _citation(number: int, place: _Place) -> Citation:
    leaf, match = place.leaf, place.match
    return Citation(
        number=number,
        block=place.block,
        leaf=leaf,
        start=leaf.start + match.start,
        end=leaf.start + match.end,
        quote=leaf.text[match.start : match.end],
        match=match.kind,
    )
