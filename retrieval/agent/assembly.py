"""Hits made into the text that is read: whole leaves, their neighbours, each once, in order.

Design 6.2 after KohakuRAG (arXiv 2603.07612): overlapping passages are merged, a section or long
leaf of which most was hit is taken whole, documents come in the order of their best hit and their
passages in reading order. The best hits are placed first; what makes them easier to read only fills
the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from knowledge.ingest.tokens import count_tokens
from retrieval.agent.evidence import Block, Context, EvidenceLeaf, Hit, SectionLeaves
from retrieval.agent.units import Unit, clipped_leaves, units_of

TOKEN_CAP = 6000
WHOLE_SHARE = 0.6
"""The share of a section, or of a long leaf, from which on it is taken whole."""

# The blank lines between leaves and blocks, counted high; the exact count comes at the end.
_SEPARATOR_TOKENS = 2


def assemble(
    hits: Sequence[Hit],
    sections: Sequence[SectionLeaves],
    *,
    token_cap: int = TOKEN_CAP,
    sibling_leaves: int = 1,
) -> Context:
    """Return the evidence for ``hits``, at most ``token_cap`` tokens with all its headers.

    ``sections`` are those the hits fall in; a hit whose section is not there, or which covers no
    leaf of it, gives nothing. Hits are placed by rank; one that does not fit is cut at the end of
    a sentence when it is the best one, else left out. ``sibling_leaves`` on either side of a hit
    are added where they fit. Raises ValueError for a negative number of siblings.
    """
    if sibling_leaves < 0:
        raise ValueError("There is no negative number of neighbours")
    ranked = sorted(hits, key=lambda hit: hit.rank)
    plan = _Plan(ranked, sections, token_cap)
    for hit in ranked:
        plan.add_hit(hit)
    plan.complete_sections()
    plan.add_siblings(sibling_leaves)
    context = plan.context()
    while context.tokens > token_cap:
        plan.undo()
        context = plan.context()
    return context


@dataclass(slots=True)
class _Section:
    """A section with the best hit in it and the units taken so far."""

    hit: Hit
    units: tuple[Unit, ...]
    header_tokens: int
    taken: set[int] = field(default_factory=set)

    def under(self, hit: Hit) -> list[int]:
        return [
            at
            for at, unit in enumerate(self.units)
            if unit.start < hit.end and hit.start < unit.end
        ]

    def of_leaf(self, start: int) -> list[int]:
        return [at for at, unit in enumerate(self.units) if unit.leaf.start == start]

    def cost(self, added: Sequence[int]) -> int:
        """Return the tokens of ``added`` with the header of every run they begin."""
        cost = 0
        for at in added:
            near = {at - 1, at + 1} & (self.taken | {one for one in added if one < at})
            cost += self.units[at].tokens + _SEPARATOR_TOKENS + (0 if near else self.header_tokens)
        return cost

    def runs(self) -> Iterator[list[Unit]]:
        run: list[Unit] = []
        for at in sorted(self.taken):
            if run and at - 1 not in self.taken:
                yield run
                run = []
            run.append(self.units[at])
        if run:
            yield run


class _Plan:
    """What is taken; every addition can be undone, the last one first."""

    def __init__(
        self, ranked: Sequence[Hit], sections: Sequence[SectionLeaves], token_cap: int
    ) -> None:
        leaves = {(one.version_id, one.section_path): one.leaves for one in sections}
        self._left = token_cap
        self._additions: list[tuple[_Section, list[int], int]] = []
        self._sections: dict[tuple[int, str], _Section] = {}
        for hit in ranked:
            key = (hit.version_id, hit.section_path)
            if key in leaves and key not in self._sections:
                header = count_tokens(_block(hit, 100, (), ()).header()) + _SEPARATOR_TOKENS
                self._sections[key] = _Section(hit, units_of(leaves[key]), header)

    def add_hit(self, hit: Hit) -> None:
        section = self._sections.get((hit.version_id, hit.section_path))
        if section is None:
            return
        under = section.under(hit)
        if self._add(section, under):
            for leaf in {section.units[at].leaf.start for at in under}:
                self._complete(section, section.of_leaf(leaf))
        elif not self._additions:
            for at in under:
                if not self._add(section, [at]):
                    break

    def complete_sections(self) -> None:
        for section in self._sections.values():
            self._complete(section, range(len(section.units)))

    def add_siblings(self, distance: int) -> None:
        for section in self._sections.values():
            for at in sorted(section.taken):
                for step in range(1, distance + 1):
                    for sibling in (at - step, at + step):
                        if 0 <= sibling < len(section.units):
                            self._add(section, [sibling])

    def undo(self) -> None:
        section, added, cost = self._additions.pop()
        section.taken.difference_update(added)
        self._left += cost

    def context(self) -> Context:
        blocks: list[Block] = []
        order: dict[tuple[int, int], list[_Section]] = {}
        for section in self._sections.values():  # by rank of the best hit
            order.setdefault((section.hit.document_id, section.hit.version_id), []).append(section)
        for of_document in order.values():
            runs = [(section, run) for section in of_document for run in section.runs()]
            for section, run in sorted(runs, key=lambda pair: pair[1][0].start):
                leaves = clipped_leaves(run)
                blocks.append(_block(section.hit, len(blocks) + 1, leaves, run))
        context = Context(tuple(blocks), 0)
        return Context(context.blocks, count_tokens(context.render()))

    def _complete(self, section: _Section, units: Sequence[int]) -> None:
        """Take all of ``units`` if most are: a paragraph with a hole in it reads badly."""
        taken = section.taken.intersection(units)
        if WHOLE_SHARE * len(units) <= len(taken) < len(units):
            self._add(section, units)

    def _add(self, section: _Section, units: Sequence[int]) -> bool:
        """Take those of ``units`` that are not yet; return False when they do not fit."""
        added = [at for at in units if at not in section.taken]
        cost = section.cost(added)
        if cost > self._left:
            return False
        if added:
            section.taken.update(added)
            self._left -= cost
            self._additions.append((section, added, cost))
        return True


def _block(hit: Hit, number: int, leaves: Sequence[EvidenceLeaf], run: Sequence[Unit]) -> Block:
    text = "\n\n".join(leaf.rendered() for leaf in leaves)
    block = Block(
        number=number,
        document_id=hit.document_id,
        version_id=hit.version_id,
        document_title=hit.document_title,
        headings=hit.headings,
        leaves=tuple(leaves),
        start=run[0].start if run else hit.start,
        end=run[-1].end if run else hit.end,
        page=leaves[0].page if leaves else hit.page,
        tokens=0,
        text=text,
        rank=hit.rank,
        language=hit.language,
    )
    return replace(block, tokens=count_tokens(block.rendered()))
