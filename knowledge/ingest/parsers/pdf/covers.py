"""Covers and title pages: their large lines look like headings and are none, one title aside."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

from .bookmarks import folded
from .lines import Cells
from .paragraphs import Block, ends_sentence
from .sections import number_of

# A first page with more characters than this besides its large lines is no cover.
_MOST_ON_COVER = 700
# Further pages in front, and half titles, hold hardly anything else; slides do not either, so only
# a small share of the pages can be such.
_MOST_ON_TITLE_PAGE = 400
_MOST_TITLE_PAGES = 0.1
# A shorter sentence may be a motto.
_FEWEST_WORDS = 5


def cover_lines(titles: Sequence[Block], blocks: Sequence[Block]) -> set[int]:
    """Return the ids of those of ``titles``, blocks that look like headings, which are none.

    Of a cover and the title pages behind it the largest line stays, and behind the cover what is
    numbered as a part.
    Of a first page with text, or with sections however short, goes what stands above its largest
    line: a letterhead.
    """
    rest = _text_by_page(titles, blocks)
    first = [block for block in titles if block.first.page == 1]
    if rest[1] > _MOST_ON_COVER or _has_sections(first, blocks):
        return _above_largest(first, blocks) if len(first) > 1 else set()
    last = _last_title_page(rest)
    front = [block for block in titles if block.first.page <= last]
    if not front:
        return set()
    kept = max(first or front, key=_size)
    said = {folded(block.text) for block in front}
    halves = [
        block
        for block in titles
        if block.first.page > last
        and rest[block.first.page] <= _MOST_ON_TITLE_PAGE
        and folded(block.text) in said
    ]
    return {id(block) for block in [*front, *halves] if block is not kept and not _is_part(block)}


def _text_by_page(titles: Sequence[Block], blocks: Sequence[Block]) -> Counter[int]:
    """Return how many characters each page has besides ``titles`` and tables."""
    large = {id(block) for block in titles}
    rest: Counter[int] = Counter()
    for block in blocks:
        if not block.first.content:
            rest[block.first.page] += 0 if id(block) in large else len(block.text)
    return rest


def _has_sections(first: Sequence[Block], blocks: Sequence[Block]) -> bool:
    """Return whether titles below the largest of the first page have text of their own.

    One has when it is numbered or the document ends here; else two of one look must have it: a
    cover may have a line of its publisher below a subtitle.
    """
    if len(first) < 2:
        return False
    largest = max(first, key=_size)
    titles = {id(block) for block in first}
    only = blocks[-1].first.page == 1
    looks: Counter[tuple[int, bool]] = Counter()
    for block, below in itertools.pairwise(blocks):
        if id(block) not in titles or id(below) in titles or block is largest:
            continue
        says = _is_text(below)
        if says and (only or number_of(block.text)):
            return True
        looks[round(block.first.size), block.first.bold] += says or only
    return max(looks.values(), default=0) > 1


def _is_text(block: Block) -> bool:
    """Return whether ``block`` says something rather than names it: sentences, a table."""
    if block.first.page > 1:
        return False
    if block.first.content:
        return isinstance(block.first.content, Cells)
    words = len(block.text.split()) >= _FEWEST_WORDS or not block.text.isascii()
    return words and ends_sentence(block.text)


def _last_title_page(rest: Counter[int]) -> int:
    """Return the last of the pages in front with hardly any text, 1 when they are too many."""
    written = [page for page, length in rest.items() if length > _MOST_ON_TITLE_PAGE and page > 1]
    last = min(written, default=1) - 1
    return last if 1 < last <= _MOST_TITLE_PAGES * max(rest) else 1


def _above_largest(first: Sequence[Block], blocks: Sequence[Block]) -> set[int]:
    largest = max(first, key=_size)
    order = {id(block): number for number, block in enumerate(blocks)}
    return {id(block) for block in first if order[id(block)] < order[id(largest)]}


def _size(block: Block) -> float:
    return block.first.size


def _is_part(block: Block) -> bool:
    number = number_of(block.text)
    return number is not None and number.sure and block.first.page > 1
