"""The pages of a document as one sequence of blocks in reading order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from .columns import regions, rows
from .contents import is_contents
from .lines import UPRIGHT, Line, PageText
from .notes import mark_notes
from .paragraphs import Block, Gatherer, joined_over_pages, usual_pitches

Runs = dict[int, list[list[Line]]]
"""The runs of rows of each page, by its number."""


def body_size(pages: Iterable[PageText]) -> float:
    """Return the median size of the characters of ``pages``, in points."""
    counts: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            if line.content is None:
                counts[round(line.size, 1)] += len(line.text)
    half = counts.total() / 2
    seen = 0
    for size in sorted(counts):
        seen += counts[size]
        if seen >= half:
            return size
    return 0.0


def reading_order(page: PageText, body: float) -> list[list[Line]]:
    """Return the rows of ``page`` in runs; turned text comes after what is upright."""
    turned: dict[tuple[float, float], list[Line]] = defaultdict(list)
    for line in page.lines:
        turned[line.direction].append(line)
    runs = []
    for direction in sorted(turned, key=lambda key: (-len(turned[key]), key)):
        for region in regions(turned[direction]):
            run = rows(region)
            if direction == UPRIGHT:
                mark_notes(run, body, page)
            runs.append(run)
    return runs


def blocks_of(runs: Runs, body: float, *, over_pages: bool) -> list[Block]:
    """Return the blocks of all pages in order; ``over_pages`` joins paragraphs across pages."""
    everything = [run for page in sorted(runs) for run in runs[page]]
    gatherer = Gatherer(usual_pitches(everything), body)
    blocks = [block for run in everything for block in gatherer.blocks(run)]
    for block in blocks:
        mark = block.first.mark
        if mark:
            block.level, block.title = mark
            block.item = False
    if over_pages:
        return joined_over_pages(blocks)
    result = []
    for page in sorted(runs):
        result += joined_over_pages([block for block in blocks if block.first.page == page])
    return result


def contents_pages(runs: Runs) -> frozenset[int]:
    """Return the pages that are printed tables of contents."""
    return frozenset(
        page for page, found in runs.items() if is_contents([row for run in found for row in run])
    )


def texts(pages: Sequence[PageText]) -> list[str]:
    """Return the text of every line."""
    return [line.text for page in pages for line in page.lines if line.content is None]
