"""Footnotes: small print at the foot of a page, tied to the raised numbers that refer to it.

They are written as those of the other formats are, '[^1]' behind the word and in front of the note,
which stands below the paragraph, list, table or heading of its mark, as Word's do: so leaves follow
each other as their pages do, and a note is in the section of its mark. A mark without a note on its
page, and a note without a mark, stay as they are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain, count

from knowledge.ingest.note_marks import MARK, takes_power

from .lines import Box, Cells, Line, PageText
from .page_numbers import is_page_number
from .paragraphs import Block

_SMALL = 0.93
# Small print above this share of the height is a note only below a rule.
_FOOT = 0.45
_THIN = 4.0
_LABEL = re.compile(
    r"(?:\[(\d{1,3})\]|(\d{1,3})(?![.,]?\d)|([⁰¹²³⁴-⁹]{1,3})|([*†‡§]{1,3}))[.)]?\s*(?=\S)"
)
_RAISED = re.compile("[⁰¹²³⁴-⁹]{1,3}")
_TO_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")

_Key = tuple[int, str]
"""The page of a note or mark, and its number there."""


def mark_notes(run: Sequence[Line], body: float, page: PageText) -> None:
    """Mark the footnotes among the rows of one run: smaller text at its foot, from a sign on.

    Below a rule, lines before the first sign go on with the last note of the page before.
    """
    stop = len(run)
    while stop and is_page_number(run[stop - 1].text):
        stop -= 1
    start = stop
    while start and run[start - 1].content is None and run[start - 1].size <= _SMALL * body:
        start -= 1
    if not any(_label(line.text) for line in run[start:stop]):
        return
    # Below columns, notes are a run of their own.
    above = run[:start] or [line for line in page.lines if line.size > _SMALL * body]
    if not any(line.y1 <= run[start].y1 for line in above):
        return
    is_low = run[start].y0 >= page.height * _FOOT and bool(_label(run[start].text))
    if not is_low and not _is_ruled_off(run[start], page.vectors):
        return
    before = ""
    for line in run[start:stop]:
        line.note = True
        label = _label(line.text)
        # A line of a note may begin with a number, too; the next note has the next one.
        if label and (not before.isdigit() or label == str(int(before) + 1)):
            line.label = before = label


def tie_notes(blocks: Sequence[Block]) -> list[Block]:
    """Return ``blocks`` with each note behind the block of its mark, both with one number."""
    notes = _notes(blocks)
    if not notes:
        return list(blocks)
    places = _places(blocks, notes)
    numbers = _numbers(list(places), blocks)
    for key, number in numbers.items():
        note = notes[key]
        note.number, note.item = number, False
        note.first.text = note.first.text[_end_of_label(note.first.text) :]
    for block in blocks:
        _write_marks(block, numbers)
    return _moved(blocks, places, {key: notes[key] for key in numbers})


def _label(text: str) -> str:
    """Return the number or sign that a note begins with, '' where it begins with neither."""
    found = _LABEL.match(text)
    return next(filter(None, found.groups()), "").translate(_TO_DIGITS) if found else ""


def _end_of_label(text: str) -> int:
    found = _LABEL.match(text)
    return found.end() if found else 0


def _is_ruled_off(first: Line, vectors: Sequence[Box]) -> bool:
    """Return whether a thin stroke stands right above ``first``."""
    return any(
        y1 - y0 <= _THIN and x1 - x0 > _THIN and 0 <= first.y0 - y1 <= 2 * first.size
        and x0 <= first.x0 + first.size <= x1
        for x0, y0, x1, y1 in vectors
    )  # fmt: skip


def _notes(blocks: Sequence[Block]) -> dict[_Key, Block]:
    """Return the numbered notes, without those that have one number on one page."""
    found: dict[_Key, list[Block]] = defaultdict(list)
    for block in blocks:
        if block.note and block.first.label.isdigit():
            found[block.first.page, block.first.label].append(block)
    return {key: same[0] for key, same in found.items() if len(same) == 1}


def _places(blocks: Sequence[Block], notes: Mapping[_Key, Block]) -> dict[_Key, int]:
    """Return the index of the block with the first mark of each note, in the order of marks."""
    places: dict[_Key, int] = {}
    for index, block in enumerate(blocks):
        for page, text in () if block.note else _texts(block):
            for found in _RAISED.finditer(text):
                key = (page, found[0].translate(_TO_DIGITS))
                if key in notes and not takes_power(text[: found.start()]):
                    places.setdefault(key, index)
    return places


def _texts(block: Block) -> list[tuple[int, str]]:
    """Return the texts of ``block``, each with its page."""
    cells = block.first.content
    if isinstance(cells, Cells):
        page = _only_page(cells)
        return [(page, text) for text in (cells.caption, *chain.from_iterable(cells.rows))]
    return [(line.page, line.text) for line in block.lines]


def _only_page(cells: Cells) -> int:
    """Return the page a table stands on, 0 for one over several: its rows do not know theirs."""
    pages = {page for page, _ in cells.parts}
    return pages.pop() if len(pages) == 1 else 0


def _numbers(keys: Sequence[_Key], blocks: Sequence[Block]) -> dict[_Key, int]:
    """Return the number of each note: its own, or, where two have the same, one by order.

    No note gets a number that the document itself writes like a mark.
    """
    taken = {
        mark for block in blocks for _, text in _texts(block) if "[^" in text
        for mark in MARK.findall(text)
    }  # fmt: skip
    own = {key: int(key[1]) for key in keys}
    if len(set(own.values())) == len(own) and not any(f"[^{n}]" in taken for n in own.values()):
        return own
    free = (number for number in count(1) if f"[^{number}]" not in taken)
    return {key: next(free) for key in keys}


def _write_marks(block: Block, numbers: Mapping[_Key, int]) -> None:
    if block.note:
        return
    cells = block.first.content
    if isinstance(cells, Cells):
        page = _only_page(cells)
        cells.caption = _with_marks(cells.caption, page, numbers)
        cells.rows = [[_with_marks(text, page, numbers) for text in row] for row in cells.rows]
        return
    for line in block.lines:
        line.text = _with_marks(line.text, line.page, numbers)


def _with_marks(text: str, page: int, numbers: Mapping[_Key, int]) -> str:
    def mark(found: re.Match[str]) -> str:
        number = numbers.get((page, found[0].translate(_TO_DIGITS)))
        if number is None or takes_power(text[: found.start()]):
            return found[0]
        return f"[^{number}]"

    return text if text.isascii() else _RAISED.sub(mark, text)


def _moved(
    blocks: Sequence[Block], places: Mapping[_Key, int], notes: Mapping[_Key, Block]
) -> list[Block]:
    """Return ``blocks`` with ``notes`` behind the blocks, or lists, at their places."""
    behind: dict[int, list[Block]] = defaultdict(list)
    for key, note in notes.items():
        behind[places[key]].append(note)
    result: list[Block] = []
    waiting: list[Block] = []
    for index, block in enumerate(blocks):
        if block.number:
            continue
        if waiting and not (block.is_item and result[-1].is_item):
            result += waiting
            waiting = []
        result.append(block)
        waiting += behind[index]
    return result + waiting
