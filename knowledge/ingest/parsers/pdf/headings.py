"""Headings by their looks: larger, heavier, numbered or in capitals, standing alone; no bookmarks.

First every block is asked whether it could be a heading; then each style of those is judged over
the whole document; then the styles are ranked, and the ranks are the levels.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knowledge.ingest.parsers.numbering import APPENDED

from .contents import is_contents_line
from .covers import cover_lines
from .lines import Cells
from .paragraphs import Block, is_bulleted
from .sections import Number, number_of

# Larger than the text around it by so much (design; measured: LaTeX's sections are 1.19 times).
LARGER = 1.17
_SAME_SIZE = 0.04
_LONGEST = 160
_LONGEST_PLAIN = 110
_MOST_WORDS = 22
_MOST_ROWS = 4

_SENTENCE_END = re.compile(r"[.;,!。；，！、][\"'»”)\]]*\Z")
_CAPTION = re.compile(
    r"(?:figure|fig\.|table|tab\.|chart|box|рис(?:унок|\.)|таблица|табл\.|abbildung|abb\.|tabelle"
    r"|tableau|图|圖|表)\s*[\dA-Z]",
    re.IGNORECASE,
)
_LABEL = re.compile(r"([^\W\d_]+)\s+\d+(?:\.\d+)*(?!\w)")
_INDEX_ENTRY = re.compile(r",\s*\d{1,3}\Z")
_LETTERS = re.compile(r"[^\W\d_]+")
_MOST_ALIKE = 4
_NO_TITLE = re.compile(r"https?://|www\.|@\w|\A[\W\d]*\Z|\A\W*\w{1,2}\W*\Z")


@dataclass(frozen=True, slots=True)
class _Candidate:
    index: int
    block: Block
    size: float
    bold: bool
    upper: bool
    number: Number | None

    @property
    def look(self) -> tuple[float, bool, bool]:
        """What the eye tells apart."""
        return (self.size, self.bold, self.upper)


def find_headings(blocks: Sequence[Block], body: float, pages: int) -> None:
    """Give the headings among ``blocks`` their level; ``body`` is the usual size of the text."""
    candidates = _judged(blocks)
    if not candidates:
        candidates = [
            candidate
            for index, block in enumerate(blocks)
            if (candidate := _candidate(index, block, body))
        ]
        candidates = _without_labels(candidates)
        candidates = _of_good_styles(candidates, blocks, body, pages)
        candidates = _without_lists(candidates)
        covers = cover_lines([candidate.block for candidate in candidates], blocks)
        candidates = [candidate for candidate in candidates if id(candidate.block) not in covers]
    for candidate, level in _levelled(candidates):
        candidate.block.level = level
        candidate.block.item = False


def _judged(blocks: Sequence[Block]) -> list[_Candidate]:
    """Return the headings that the layout model has marked; only their levels are open."""
    judged = []
    for index, block in enumerate(blocks):
        if block.level < 0:
            block.level = 0
            number, bold = number_of(block.text), all(row.bold for row in block.lines)
            upper = block.text.isupper()
            judged.append(_Candidate(index, block, block.first.size, bold, upper, number))
    return judged


def _candidate(index: int, block: Block, body: float) -> _Candidate | None:
    line = block.first
    if line.content or line.spread or block.note or len(block.lines) > _MOST_ROWS:
        return None
    if sum(len(row.text) for row in block.lines) > _LONGEST:
        return None
    text = block.text
    number = number_of(text)
    larger = line.size >= LARGER * body
    bold = all(row.bold for row in block.lines)
    upper = text.isupper() and sum(character.isupper() for character in text) >= 4
    marked = bold or upper or (number is not None and number.sure)
    if line.size < 0.93 * body or not (larger or marked):
        return None
    if not _is_title(text, number, larger):
        return None
    return _Candidate(index, block, line.size, bold, upper, number)


def _is_title(text: str, number: Number | None, larger: bool) -> bool:
    title = text[number.end :] if number else text
    if not title:
        return number is not None and number.sure
    if _NO_TITLE.search(title) or _CAPTION.match(text) or is_contents_line(text):
        return False
    if _are_signs(title) or (number is None and _INDEX_ENTRY.search(title)):
        return False
    if number is None and (is_bulleted(text) or len(text) > _LONGEST_PLAIN):
        return False
    if len(title.split()) > _MOST_WORDS or title[:1].islower():
        return False
    # A numbered title may end with a full stop, a sentence may not look like a title.
    if _SENTENCE_END.search(title):
        return bool(number) and title.endswith(".") and len(title.split()) <= 6
    letters = sum(character.isalpha() for character in title)
    if letters * 2 < len(title.replace(" ", "")):
        return False
    return not (title.endswith(":") and not larger and number is None and len(title.split()) > 6)


def _are_signs(title: str) -> bool:
    """Return whether ``title`` is the letters of a formula or drawing: 'P Q R', 'A ∩ B = C'."""
    words = _LETTERS.findall(title)
    return len(words) >= 3 and title.isupper() and all(len(word) <= 2 for word in words)


def _without_labels(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """Return ``candidates`` without words that come back all the time: 'Definition 12', 'Note'.

    Numbered by one counter through the document they are labels of statements, not sections.
    """
    labels = Counter(_label(candidate) for candidate in candidates)
    return [
        candidate
        for candidate in candidates
        if (candidate.number and candidate.number.sure) or labels[_label(candidate)] < _MOST_ALIKE
    ]


def _label(candidate: _Candidate) -> str:
    """Return the word before a number when the title begins with both, else the whole title."""
    text = candidate.block.text.casefold()
    match = _LABEL.match(text)
    return match[1] if match else text


def _of_good_styles(
    candidates: Sequence[_Candidate], blocks: Sequence[Block], body: float, pages: int
) -> list[_Candidate]:
    """Return the candidates whose style is a heading's wherever it is used."""
    whole: Counter[tuple[float, bool]] = Counter()
    for block in blocks:
        if not block.first.content:
            style = (round(block.first.size), block.first.bold)
            whole[style] += sum(len(line.text) for line in block.lines)
    total = max(1, sum(whole.values()))
    # Most of a statement is its table.
    with_tables = total + sum(_length_of_cells(block) for block in blocks)
    taken: Counter[tuple[float, bool]] = Counter()
    for candidate in candidates:
        style = (round(candidate.size), candidate.block.first.bold)
        taken[style] += len(candidate.block.text)
    good = []
    for candidate in candidates:
        style = (round(candidate.size), candidate.block.first.bold)
        if candidate.number and candidate.number.sure:
            good.append(candidate)
            continue
        larger = candidate.size >= LARGER * body
        most = 0.3 if larger else 0.15
        plain = candidate.upper and not candidate.bold and not larger
        most *= with_tables if larger else total
        if plain or (whole[style] <= most and taken[style] * 3 >= whole[style]):
            good.append(candidate)
    counts = Counter(candidate.look for candidate in good)
    return [
        candidate
        for candidate in good
        if candidate.size >= LARGER * body
        or (candidate.number and candidate.number.sure)
        or counts[candidate.look] <= 8 * pages
    ]


def _length_of_cells(block: Block) -> int:
    cells = block.first.content
    return sum(len(text) for row in cells.rows for text in row) if isinstance(cells, Cells) else 0


def _without_lists(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """Return ``candidates`` without runs of four and more of one look with nothing below them."""
    kept = []
    for run in _runs(candidates):
        looks = Counter(candidate.look for candidate in run)
        kept += [candidate for candidate in run if looks[candidate.look] < 4 or _is_sure(candidate)]
    return kept


def _is_sure(candidate: _Candidate) -> bool:
    return candidate.number is not None and candidate.number.sure and candidate.bold


def _runs(candidates: Sequence[_Candidate]) -> Iterator[list[_Candidate]]:
    """Yield candidates that follow each other without a block between them."""
    run: list[_Candidate] = []
    for candidate in candidates:
        if run and candidate.index != run[-1].index + 1:
            yield run
            run = []
        run.append(candidate)
    if run:
        yield run


def _levelled(candidates: Sequence[_Candidate]) -> list[tuple[_Candidate, int]]:
    """Return the candidates with their levels, equal for equal styles through the document."""
    sizes = _size_ranks(candidates)
    looks = [(sizes[size], not bold, not upper) for size, bold, upper in _settled_looks(candidates)]
    kinds: dict[tuple[int, bool, bool], list[str]] = defaultdict(list)
    shallowest: dict[tuple[tuple[int, bool, bool], str], int] = {}
    for candidate, look in zip(candidates, looks, strict=True):
        if candidate.number:
            kind, depth = _kind(candidate), candidate.number.depth
            # An appendix ends the parts before it, whatever these are counted by.
            if kind not in kinds[look] and kind not in APPENDED:
                kinds[look].append(kind)
            shallowest[look, kind] = min(depth, shallowest.get((look, kind), depth))
    keys = []
    for candidate, look in zip(candidates, looks, strict=True):
        order, depth = 0, 0
        if candidate.number:
            kind = _kind(candidate)
            order = 0 if kind in APPENDED else kinds[look].index(kind)
            depth = candidate.number.depth - shallowest[look, kind]
        keys.append((look, order + depth))
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys)), 1)}
    return [(candidate, ranks[key]) for candidate, key in zip(candidates, keys, strict=True)]


def _kind(candidate: _Candidate) -> str:
    """Return how the title is counted, '' where it is not; 'A. Annex' is one of the appendices."""
    number = candidate.number
    if number is None:
        return ""
    title = candidate.block.text[number.end :].casefold()
    if number.kind == "letter" and title.startswith(APPENDED):
        return next(word for word in APPENDED if title.startswith(word))
    return number.kind


def _settled_looks(candidates: Sequence[_Candidate]) -> list[tuple[float, bool, bool]]:
    """Return the look of each candidate; chapters all have the most usual one of chapters.

    So have all of one kind and depth of number: one of them may be set differently.
    """
    usual: dict[tuple[str, int], Counter[tuple[float, bool, bool]]] = defaultdict(Counter)
    for candidate in candidates:
        if candidate.number and candidate.number.sure:
            usual[candidate.number.kind, candidate.number.depth][candidate.look] += 1
    return [
        usual[candidate.number.kind, candidate.number.depth].most_common(1)[0][0]
        if candidate.number and candidate.number.sure
        else candidate.look
        for candidate in candidates
    ]


def _size_ranks(candidates: Sequence[_Candidate]) -> dict[float, int]:
    """Return ranks of sizes, the largest 0; sizes that nearly agree share one."""
    ranks: dict[float, int] = {}
    rank, top = -1, 0.0
    for size in sorted({candidate.size for candidate in candidates}, reverse=True):
        if rank < 0 or size < top * (1 - _SAME_SIZE):
            rank += 1
            top = size
        ranks[size] = rank
    return ranks
