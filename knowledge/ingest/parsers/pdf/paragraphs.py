"""Rows gathered into blocks: paragraphs, list items, and rows that may be headings."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .lines import Line

_BULLET = re.compile(r"[•▪●○■□◦‣➢✓❖–—*·-](?=\s|[^\W\d_])(?!-)|[•▪●■➢✓❖]|o\s(?=[A-Z])")
_COUNTED = re.compile(
    r"(?:\(?(?:\d{1,3}|[a-zA-Zа-яА-Я]|[ivxIVX]{1,5})[.)]|\((?:\d{1,3}|[a-z]{1,4}|[A-Z])\)"
    r"|\d{1,2}(?:\.\d{1,3}){1,6}\.?)\s+\S"
)
_ENDS = re.compile(r"[.!?:;。！？：；…؟]['\"”’»)\]]*[⁰¹²³⁴-⁹]*\Z")

# A gap of more than this many times the usual distance of lines ends a paragraph.
_GAP = 1.5
# With a sentence or a short line before it, a smaller one does.
_GAP_AFTER_END = 1.2
_USUAL_PITCH = 1.2
_LONGEST = 6_000


@dataclass(slots=True)
class Block:
    """Rows that belong together. ``hard`` are the rows that end where their author broke them."""

    lines: list[Line]
    item: bool = False
    note: bool = False
    hard: set[int] = field(default_factory=set)
    # A heading when above 0; its title when that is not its text.
    level: int = 0
    title: str = ""
    # Text of a heading that no row holds (a bookmark's).
    inserted: bool = False
    # That of a footnote tied to its mark, counted from 1.
    number: int = 0

    @property
    def first(self) -> Line:
        """The first row."""
        return self.lines[0]

    @property
    def is_item(self) -> bool:
        """Whether the block is written as an item of a list."""
        return self.item and not self.level and self.first.content is None

    @property
    def text(self) -> str:
        """The rows on one line."""
        return " ".join(line.text for line in self.lines)


def usual_pitches(runs: Iterable[Sequence[Line]]) -> dict[int, float]:
    """Return the usual distance of lines by size of font, both in points."""
    seen: dict[int, Counter[float]] = defaultdict(Counter)
    for run in runs:
        for before, line in itertools.pairwise(run):
            pitch = line.y1 - before.y1
            if abs(line.size - before.size) < 0.6 and 0.8 < pitch / max(line.size, 1) < 2.7:
                seen[round(line.size)][round(pitch * 2) / 2] += 1
    pitches = {}
    for size, counts in seen.items():
        most = max(counts.values())
        # The smallest of the common ones: short paragraphs make their gaps common too.
        pitches[size] = min(pitch for pitch, count in counts.items() if count * 2 >= most)
    return pitches


class Gatherer:
    """Gathers the rows of a document, run by run, into blocks."""

    def __init__(self, pitches: dict[int, float], body: float) -> None:
        self._pitches = pitches
        self._body = body

    def blocks(self, run: Sequence[Line]) -> list[Block]:
        """Return the blocks of one run of rows (a column of one page)."""
        if not run:
            return []
        right = max(line.x1 for line in run)
        left = min(line.x0 for line in run)
        result: list[Block] = []
        size = 0
        for line in run:
            if result and self._goes_on(result[-1], line, left, right) and size < _LONGEST:
                block = result[-1]
                before = block.lines[-1]
                if (before.spread and line.spread) or self._is_broken(before, line, right):
                    block.hard.add(len(block.lines) - 1)
                block.lines.append(line)
                size += len(line.text)
            else:
                item = line.content is None and bool(_BULLET.match(line.text))
                result.append(Block([line], item or is_counted(line.text), line.note))
                size = len(line.text)
        return result

    def _goes_on(self, block: Block, line: Line, left: float, right: float) -> bool:
        before = block.lines[-1]
        if line.content or before.content or line.note != before.note or line.label:
            return False
        if line.mark or before.mark:
            return bool(line.mark and before.mark and line.mark[0] == 0)
        if abs(line.size - before.size) > 0.08 * max(line.size, before.size):
            return False
        gap = (line.y1 - before.y1) / self._pitch(line)
        if gap > _GAP or gap < -0.5:
            return False
        large = line.size >= 1.15 * self._body
        ended = bool(ends_sentence(before.text))
        broken = self._is_broken(before, line, right) and not large
        if line.bold != before.bold and (broken or ended or gap > _GAP_AFTER_END or line.bold):
            return False
        if broken and line.text.isupper() != before.text.isupper():
            return False
        if gap > _GAP_AFTER_END and (ended or broken or block.item):
            return False
        if _BULLET.match(line.text) and not large:
            return False
        if (ended or broken or block.item) and is_counted(line.text):
            return False
        return not self._is_new(block, line, ended, broken, left)

    def _is_new(self, block: Block, line: Line, ended: bool, broken: bool, left: float) -> bool:
        """Return whether an indent, or a sentence that ends early, starts a paragraph here."""
        before = block.lines[-1]
        if ended and broken:
            return True
        indented = line.x0 - before.x0
        if block.item:
            # The text of an item hangs; back at the margin or before it there is other text.
            return ended and indented < -2 and line.x0 <= block.first.x0 + 1
        return ended and indented > 0.7 * line.size and before.x0 <= left + 40

    def _is_broken(self, before: Line, line: Line, right: float) -> bool:
        """Return whether the first word of ``line`` would have fitted on the line before."""
        room = right - before.x1
        if room < 1.5 * line.size or before.text.endswith(("-", "\u00ad", "\u2010")):
            return False
        word = line.text.split(" ", 1)[0]
        width = (line.x1 - line.x0) * len(word) / max(1, len(line.text))
        return room > 1.3 * width + 1.5 * line.size

    def _pitch(self, line: Line) -> float:
        return self._pitches.get(round(line.size)) or max(1.0, line.size * _USUAL_PITCH)


def ends_sentence(text: str) -> bool:
    """Return whether ``text`` ends like a sentence, or leads to what follows."""
    # Its last characters tell; the pattern would try every place of a long line.
    return bool(_ENDS.search(text[-10:]))


def is_counted(text: str) -> bool:
    """Return whether ``text`` starts like a counted item: '1.', '(a)', 'iv)', '2.3'."""
    return bool(_COUNTED.match(text))


def is_bulleted(text: str) -> bool:
    """Return whether ``text`` starts with a bullet or a dash."""
    return bool(_BULLET.match(text))


def joined_over_pages(blocks: Sequence[Block]) -> list[Block]:
    """Return ``blocks`` with sentences that go on after a page or column in one paragraph.

    Footnotes between the halves move behind them; one that goes on below the next page is one.
    """
    result: list[Block] = []
    notes: list[Block] = []
    last: Block | None = None
    for block in blocks:
        if last and _note_goes_on(last, block):
            last.lines += block.lines
            continue
        if block.note:
            notes.append(block)
            last = block
            continue
        if result and _continues(result[-1], block):
            before = result[-1]
            before.hard |= {len(before.lines) + number for number in block.hard}
            before.lines += block.lines
            continue
        result += notes
        notes = []
        result.append(block)
    return result + notes


def _note_goes_on(before: Block, block: Block) -> bool:
    is_next_page = block.first.page == before.lines[-1].page + 1
    return block.note and not block.first.label and is_next_page


def _continues(before: Block, block: Block) -> bool:
    last, line = before.lines[-1], block.first
    moved = line.page != last.page or line.y1 < last.y0
    if not moved or block.level or before.level or line.content or last.content:
        return False
    if abs(line.size - last.size) > 0.08 * line.size or line.bold != last.bold or line.mark:
        return False
    if ends_sentence(last.text) or is_bulleted(line.text) or line.direction != last.direction:
        return False
    if line.text[:1].islower():
        return True
    if is_counted(line.text) or last.text.isupper() or len(last.text) < 20:
        return False
    if line.text[:1].isdigit() and len(before.lines) > 1 and ends_sentence(block.lines[-1].text):
        # A date or an amount; the heading of a section has no full stop.
        return True
    # Without a full stop a full line goes on, if only with a name or a number.
    return last.x1 - last.x0 >= 0.8 * max(other.x1 - other.x0 for other in before.lines) and (
        len(before.lines) > 1 or not last.text.isascii()
    )
