"""Tables on pages that show signs of one: ruled ones through pdfplumber, others by alignment.

pdfplumber finds the cells; what is drawn and written comes from PyMuPDF. On reports with ruled
tables that takes 5 to 15 ms a page, a tenth of what pdfplumber's own reading of the page did, and
keeps figures whole; PyMuPDF's `find_tables` takes 0.2 to 0.3 s and tears "56,455" apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import pymupdf
from pdfplumber.page import Page
from pdfplumber.table import CellGroup, Table, TableFinder

from knowledge.ingest.table_headers import is_value

from .aligned import aligned_tables
from .boxed import bold_header_rows, double_rules, raise_digits, snap_tolerance
from .captions import TABLE, caption_lines, nearest
from .cell_lines import part_by_lines, read_by_lines
from .contents import is_contents
from .continued import begins_anew
from .drawn import DrawnPage, Edge, cell_texts
from .headers import header_above
from .lines import Box, Cells, Line, PageText, covers, overlap, union
from .merged_cells import moved, spans_of
from .pages import cleaned
from .signs import merged_signs

_LEAST_EDGE = 18.0
_THIN = 4.0
_MOST_CHARACTERS = 20_000
_MOST_VECTORS = 4_000
_LEAST_CELLS = 4
# Longer cells on average are columns of text in a frame.
_LONGEST_CELL = 400

Found = tuple[Box, Cells]
"""The box of a table, and its cells."""

Filled = Sequence[tuple[CellGroup, Sequence[str]]]
"""The rows of a table that are not empty, each with the texts of its places."""


def place_tables(pages: Sequence[PageText], document: pymupdf.Document) -> tuple[int, ...]:
    """Put a `Cells` in place of the lines of every table of ``pages``.

    Returns the numbers of the pages whose rules could not be read; their words stay lines.
    """
    unread = []
    for page in pages:
        if has_grid(page.vectors) and page.characters < _MOST_CHARACTERS:
            try:
                found = list(_ruled(page, DrawnPage(document[page.number - 1])))
            except Exception:  # whatever a damaged page makes of the search
                unread.append(page.number)
                continue
            for box, cells in found:
                _replace(page, box, cells)
        upright = [x for x in page.lines if x.direction == (1.0, 0.0) and not x.content]
        if not page.read_by_ocr and not is_contents(upright):
            for box, cells in aligned_tables(upright):
                _replace(page, box, cells)
    return tuple(unread)


def has_grid(vectors: Sequence[Box]) -> bool:
    """Return whether the strokes and boxes of a page could rule a table of 2 by 2 cells."""
    if not 4 <= len(vectors) <= _MOST_VECTORS:
        return False
    across: set[int] = set()
    down: set[int] = set()
    for x0, y0, x1, y1 in vectors:
        wide, high = x1 - x0, y1 - y0
        if wide >= _LEAST_EDGE:
            across.update((round(y0 / 3),) if high <= _THIN else (round(y0 / 3), round(y1 / 3)))
        if high >= 7 and (wide <= _THIN or wide >= _LEAST_EDGE):
            down.update((round(x0 / 3),) if wide <= _THIN else (round(x0 / 3), round(x1 / 3)))
        if len(across) > 2 and len(down) > 2:
            return True
    return False


def _ruled(page: PageText, drawn: DrawnPage) -> Iterator[Found]:
    """Yield the tables pdfplumber finds on a page."""
    near = snap_tolerance(drawn.shapes)
    settings = {"snap_tolerance": near, "intersection_tolerance": near}
    finder = TableFinder(cast(Page, drawn), settings)
    candidates = [table for table in finder.tables if _may_be_table(table, page.lines)]
    characters = drawn.characters([table.bbox for table in candidates])
    if gone := [*page.struck, *page.hidden]:
        places = (
            (sign, (sign["x0"], sign["top"], sign["x1"], sign["bottom"])) for sign in characters
        )
        characters = [sign for sign, box in places if not any(covers(left, box) for left in gone)]
    raise_digits(characters)
    for table in candidates:
        grid = table.rows
        read = read_by_lines(grid, cell_texts(grid, characters), page.lines)
        texts = [[cleaned(text) for text in row] for row in read]
        filled = [held for held in zip(grid, texts, strict=True) if any(held[1])]
        yield from _tables(page, table, filled, drawn.edges, near)


def _may_be_table(table: Table, lines: Sequence[Line]) -> bool:
    """Return whether `_is_table` may say so: frames and charts need no reading of characters."""
    lefts, tops = {cell[0] for cell in table.cells}, {cell[1] for cell in table.cells}
    if len(table.cells) < _LEAST_CELLS or len(lefts) < 2 or len(tops) < 2:
        return False
    return sum(overlap(table.bbox, line.box) for line in lines) > 1


def _tables(
    page: PageText, table: Table, rows: Filled, rules: Sequence[Edge], near: float
) -> Iterator[Found]:
    """Yield the tables that one found by pdfplumber is: some so close that their rules are one."""
    x0, y0, x1, y1 = table.bbox
    places = {row.bbox[1]: number for number, (row, _) in enumerate(rows)}
    above = 0
    for top in double_rules(rules, table.bbox, [*places][2:], near):
        place = places[top]
        if any(map(is_value, rows[place][1])):
            continue
        upper = _table(page, table, rows[above:place], (x0, y0, x1, top))
        lower = _table(page, table, rows[place:], (x0, top, x1, y1))
        reaches = max(row.bbox[3] for row, _ in rows[above:place]) > top + near
        # Names from above it would be the last row of the upper one.
        is_whole = lower is not None and len(lower[1].rows) == len(rows) - place
        may_end = is_whole and not reaches
        if upper and lower and may_end and begins_anew(upper[1], lower[1]):
            yield upper
            above, y0 = place, top
    if found := _table(page, table, rows[above:], (x0, y0, x1, y1)):
        yield found


def _table(page: PageText, table: Table, held: Filled, box: Box) -> Found | None:
    """Return what stands in ``box`` as a table, its rows and their texts being ``held``."""
    filled = [row for row, _ in held]
    rows, used = merged_signs([words for _, words in held])
    if not _is_table(rows):
        return None
    lefts = tuple(sorted({cell[0] for cell in table.cells}))
    tops = [row.bbox[1] for row in filled]
    spans = spans_of([row.cells for row in filled], tops, lefts)
    spans = part_by_lines(rows, spans, filled, page.lines)
    bold = bold_header_rows(page.lines, box, rows, [*tops[1:], box[3]])
    across = [column.bbox for column in table.columns]
    ranges = {number: (across[number][0], across[number][2]) for number in used}
    box, header = header_above(page.lines, box, rows[0], ranges)
    if header:
        rows = [header, *rows]
        spans = moved(spans, 1)
    header_rows = bold + bool(header) if bold else None
    return box, Cells(rows, (box[0], box[2]), lefts, spans, header_rows=header_rows)


def _is_table(rows: Sequence[Sequence[str]]) -> bool:
    filled = [cell for row in rows for cell in row if cell]
    columns = {number for row in rows for number, cell in enumerate(row) if cell}
    if len(rows) < 2 or len(columns) < 2 or len(filled) < _LEAST_CELLS:
        return False
    return sum(map(len, filled)) <= _LONGEST_CELL * len(filled)


def _replace(page: PageText, box: Box, cells: Cells) -> None:
    """Put a table in place of the lines inside ``box``, and its caption into it."""
    kept = [line for line in page.lines if line.content or not covers(box, line.box)]
    if len(kept) == len(page.lines):
        return
    inside = [line for line in page.lines if not line.content and covers(box, line.box)]
    caption: list[Line] = []
    start = nearest(kept, TABLE, box, above_first=True)
    if start:
        caption = [line for line in caption_lines(kept, start) if line.content is None]
    gone = {id(line) for line in caption}
    cells.caption = " ".join(line.text for line in caption)
    cells.parts.append((page.number, union([box, *(line.box for line in caption)])))
    size = inside[0].size
    held = Line("", page.number, *box, size, content=cells)
    page.lines = [*(line for line in kept if id(line) not in gone), held]
