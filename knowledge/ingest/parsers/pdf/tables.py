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
from pdfplumber.table import Table, TableFinder

from .aligned import aligned_tables
from .boxed import bold_header_rows, raise_digits, snap_tolerance
from .captions import TABLE, caption_lines, nearest
from .contents import is_contents
from .drawn import DrawnPage, cell_texts
from .headers import with_header_above
from .lines import Box, Cells, Line, PageText, covers, overlap, union
from .pages import cleaned
from .paragraphs import Block
from .signs import merged_signs

_LEAST_EDGE = 18.0
_THIN = 4.0
_MOST_CHARACTERS = 20_000
_MOST_VECTORS = 4_000
_LEAST_CELLS = 4
# Longer cells on average are columns of text in a frame.
_LONGEST_CELL = 400
# A continued table stands between the same margins.
_TOLERANCE = 12.0

Found = tuple[Box, list[list[str]], int | None]
"""The box of a table, its rows, and how many in front name the columns, None if not known."""


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
            for box, rows, header_rows in found:
                _replace(page, box, rows, header_rows)
        upright = [x for x in page.lines if x.direction == (1.0, 0.0) and not x.content]
        if not page.read_by_ocr and not is_contents(upright):
            for box, rows in aligned_tables(upright):
                _replace(page, box, rows, None)
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
    raise_digits(characters)
    for table in candidates:
        grid = table.rows
        texts = [[cleaned(text) for text in row] for row in cell_texts(grid, characters)]
        bottoms = [row.bbox[3] for row, text in zip(grid, texts, strict=True) if any(text)]
        rows, used = merged_signs([row for row in texts if any(row)])
        if _is_table(rows):
            columns = [column.bbox for column in table.columns]
            ranges = [(columns[number][0], columns[number][2]) for number in used]
            bold = bold_header_rows(page.lines, table.bbox, rows, bottoms)
            box, named = with_header_above(page.lines, table.bbox, rows, ranges)
            yield box, named, bold and bold + len(named) - len(rows)


def _may_be_table(table: Table, lines: Sequence[Line]) -> bool:
    """Return whether `_is_table` may say so: frames and charts need no reading of characters."""
    lefts, tops = {cell[0] for cell in table.cells}, {cell[1] for cell in table.cells}
    if len(table.cells) < _LEAST_CELLS or len(lefts) < 2 or len(tops) < 2:
        return False
    return sum(overlap(table.bbox, line.box) for line in lines) > 1


def _is_table(rows: Sequence[Sequence[str]]) -> bool:
    filled = [cell for row in rows for cell in row if cell]
    columns = {number for row in rows for number, cell in enumerate(row) if cell}
    if len(rows) < 2 or len(columns) < 2 or len(filled) < _LEAST_CELLS:
        return False
    return sum(map(len, filled)) <= _LONGEST_CELL * len(filled)


def _replace(page: PageText, box: Box, rows: list[list[str]], header_rows: int | None) -> None:
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
    cells = Cells(rows, (box[0], box[2]), " ".join(line.text for line in caption), header_rows)
    cells.parts.append((page.number, union([box, *(line.box for line in caption)])))
    size = inside[0].size
    held = Line("", page.number, *box, size, content=cells)
    page.lines = [*(line for line in kept if id(line) not in gone), held]


def merge_tables(blocks: Sequence[Block]) -> list[Block]:
    """Return ``blocks`` with a table that goes on at the top of the next page as one."""
    result: list[Block] = []
    for block in blocks:
        before = result[-1].first.content if result else None
        cells = block.first.content
        if isinstance(before, Cells) and isinstance(cells, Cells) and _goes_on(before, cells):
            repeated = cells.rows[0] == before.rows[0]
            before.rows += cells.rows[1:] if repeated else cells.rows
            before.parts += cells.parts
        else:
            result.append(block)
    return result


def _goes_on(before: Cells, cells: Cells) -> bool:
    same = len(before.rows[0]) == len(cells.rows[0]) and not (
        cells.caption and "contin" not in cells.caption.casefold()
    )
    margins = zip(before.edges, cells.edges, strict=True)
    near = all(abs(a - b) <= _TOLERANCE for a, b in margins)
    return same and near and cells.parts[0][0] == before.parts[-1][0] + 1
