"""Consecutive units of one section, packed greedily towards a size in tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .flatten import NodeDraft
from .tokens import count_tokens
from .tree import NodeKind, Span
from .units import Unit, UnitLimits, announces, units_of


@dataclass(frozen=True, slots=True)
class Passage:
    """Units packed together, with the two texts and the counted tokens of ``text``."""

    units: tuple[Unit, ...]
    span: Span
    text: str
    index_text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Packer:
    """Packs leaves of the canonical ``text``; ``most`` tokens are the limit, ``target`` the aim."""

    text: str
    most: int
    target: int

    @property
    def limits(self) -> UnitLimits:
        """The sizes below which a leaf, and above which no unit, stays whole."""
        return UnitLimits(self.target, self.most)

    def packed(self, leaves: Sequence[NodeDraft]) -> Iterator[Passage]:
        """Yield the passages over ``leaves``, all of one section, in order."""
        for units in self._tail_merged(self._greedy(leaves)):
            yield from self.fitting(units)

    def fitting(self, units: Sequence[Unit]) -> Iterator[Passage]:
        """Yield ``units`` as one passage, or as more where their sum was an underestimate.

        White space between units and tokens that merge differently count only once joined.
        """
        span = Span(units[0].span.start, units[-1].span.end)
        shown = span.of(self.text)
        index = index_text(self.text, units)
        tokens = count_tokens(shown)
        fits = tokens <= self.most and (index == shown or count_tokens(index) <= self.most)
        if fits or len(units) == 1:
            yield Passage(tuple(units), span, shown, index if fits else shown, tokens)
            return
        middle = len(units) // 2
        yield from self.fitting(units[:middle])
        yield from self.fitting(units[middle:])

    def _greedy(self, leaves: Sequence[NodeDraft]) -> Iterator[list[Unit]]:
        current: list[Unit] = []
        weight = 0
        for number, leaf in enumerate(leaves):
            following = leaves[number + 1] if number + 1 < len(leaves) else None
            leads = announces(self.text, leaf, following)
            units = units_of(self.text, leaf, self.limits, leads=leads)
            if len(units) > 1 and weight > self.target // 2 and not current[-1].leads:
                # A leaf that is cut anyway starts on its own instead of after a scrap.
                yield current
                current, weight = [], 0
            for unit in units:
                if current and weight + unit.weight > self.target:
                    current, carried = self._carried(current, unit)
                    if current:
                        yield current
                    current, weight = carried, sum(held.weight for held in carried)
                current.append(unit)
                weight += unit.weight
        if current:
            yield current

    def _carried(self, units: list[Unit], following: Unit) -> tuple[list[Unit], list[Unit]]:
        """Return what the closing chunk keeps, and the caption that moves on with its table."""
        last = units[-1]
        if last.leads and last.weight + following.weight <= self.most:
            return units[:-1], [last]
        return units, []

    def _tail_merged(self, packs: Iterator[list[Unit]]) -> Iterator[list[Unit]]:
        """Yield ``packs``, a last scrap joined to the pack before it."""
        held: list[Unit] = []
        previous: list[Unit] = []
        for pack in packs:
            if previous:
                yield previous
            previous, held = held, pack
        size, before = _weight(held), _weight(previous)
        room = min(self.most, self.target + self.target // 4)
        if previous and size < self.target // 5 and before + size <= room:
            yield previous + held
            return
        if previous:
            yield previous
        if held:
            yield held


def index_text(text: str, units: Sequence[Unit]) -> str:
    """Return the text of ``units`` for the index: canonical, but table rows as their own lines."""
    parts = []
    start = 0
    while start < len(units):
        unit = units[start]
        stop = start + 1
        if unit.index is not None:
            parts.append(unit.index)
        else:
            while stop < len(units) and units[stop].index is None:
                stop += 1
            parts.append(text[unit.span.start : units[stop - 1].span.end])
        start = stop
    return "\n".join(parts)


def is_inner(node: NodeDraft) -> bool:
    """Return whether ``node`` is the document or a section rather than a leaf."""
    return node.kind in (NodeKind.DOCUMENT, NodeKind.SECTION)


def _weight(units: Sequence[Unit]) -> int:
    return sum(unit.weight for unit in units)
