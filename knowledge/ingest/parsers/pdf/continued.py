"""Tables that go on at the top of the next page, and others that only look like it.

A table is taken for the rest of the one before unless its first row reads like a header that says
something else: its rows would stand under wrong names then.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum, auto

from knowledge.ingest.table_headers import is_value, is_year
from knowledge.ingest.tables import grid_of

from .lines import Cells
from .merged_cells import cell_rows, moved
from .paragraphs import Block

# Between the same margins, which differ a little from page to page.
_TOLERANCE = 12.0
# And with columns of the same widths.
_NEAR = 4.0
# So many rows of a part tell of what kind its columns are.
_LOOKED_AT = 40
_LONGEST_HEADER = 80
_MOST_HEADER_ROWS = 4
_CONTINUED = re.compile(
    r"(?<=\w)\W+(?:cont(?:inu\w*|['’]?d)?|fortsetzung|forts|fortgesetzt|segue|продолжение|vervolg|续|續"
    r"|(?<=\()suite(?=\)))\W*\Z",
    re.IGNORECASE,
)
# "EUR 100" is a figure as "€ 100" is.
_CURRENCY = re.compile(r"[A-Z]{3}\s+(?=\W*\d)")
# Said in place of a figure.
_NO_FIGURE = re.compile(
    r"tb[acd]|n/?a|none|nil|(?:up)?on request|free|open|unknown|pending|keine?|auf anfrage|offen"
    r"|нет|по запросу|бесплатно|无|面议|免费",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2}")


class _Start(Enum):
    """What the first row of a part is: one of many, or a header; names are wrong where unsure."""

    ROW = auto()
    HEADER = auto()
    UNSURE = auto()


def merge_tables(blocks: Sequence[Block]) -> list[Block]:
    """Return ``blocks`` with a table that goes on at the top of the next page as one."""
    result: list[Block] = []
    for block in blocks:
        before = result[-1].first.content if result else None
        cells = block.first.content
        if isinstance(before, Cells) and isinstance(cells, Cells) and _may_go_on(before, cells):
            repeated = _repeated_rows(before, cells)
            start = _Start.ROW if repeated else _start(before, cells)
            if start is _Start.ROW:
                result[-1] = _with(result[-1], _joined(before, cells, repeated))
                continue
            if start is _Start.UNSURE:
                block = _with(block, replace(cells, header_rows=0))
        result.append(block)
    return result


def _with(block: Block, cells: Cells) -> Block:
    """Return a table with ``cells``; the line of the page, which may be read again, stays."""
    return replace(block, lines=[replace(block.first, content=cells), *block.lines[1:]])


def _may_go_on(before: Cells, cells: Cells) -> bool:
    """Return whether a table stands where the one before would go on, with columns like its own."""
    if cells.parts[0][0] != before.parts[-1][0] + 1 or len(before.rows[0]) != len(cells.rows[0]):
        return False
    goes_on = "contin" in cells.caption.casefold() or _CONTINUED.search(cells.caption)
    if cells.caption and not goes_on:
        return False
    margins = zip(before.edges, cells.edges, strict=True)
    if any(abs(a - b) > _TOLERANCE for a, b in margins):
        return False
    shift = cells.edges[0] - before.edges[0]
    columns = zip(before.columns, cells.columns, strict=False)
    return all(abs(a + shift - b) <= _NEAR for a, b in columns)


def _joined(before: Cells, cells: Cells, skipped: int) -> Cells:
    """Return one table of two, the second without its ``skipped`` first rows."""
    spans = {**before.spans, **moved(moved(cells.spans, -skipped), len(before.rows))}
    rows = [*before.rows, *cells.rows[skipped:]]
    return replace(before, rows=rows, spans=spans, parts=[*before.parts, *cells.parts])


def _repeated_rows(before: Cells, cells: Cells) -> int:
    """Return how many rows in front of ``cells`` say the header of ``before`` again."""
    names = _header_rows(before)
    pairs = zip(before.rows[: max(1, names)], cells.rows, strict=False)
    if not all(_folded(above) == _folded(row) for above, row in pairs):
        return 0
    # Without a header only a row that could be one is no row of its own.
    return names or int(not any(map(is_value, cells.rows[0])))


def _header_rows(cells: Cells) -> int:
    grid = grid_of(cell_rows(replace(cells, rows=cells.rows[:_LOOKED_AT])), cells.header_rows)
    return grid.header_rows if grid else 0


def _folded(row: Sequence[str]) -> list[str]:
    return [_CONTINUED.sub("", cell).casefold() for cell in row]


def begins_anew(before: Cells, cells: Cells) -> bool:
    """Return whether ``cells`` surely begin with other names than those of ``before``."""
    return not _repeated_rows(before, cells) and _start(before, cells) is _Start.HEADER


def _start(before: Cells, cells: Cells) -> _Start:
    """Return what ``cells`` begins with, which does not repeat the header of ``before``."""
    place, row = _first_full(cells)
    if any(map(_is_value, row)) or max(map(len, row)) > _LONGEST_HEADER:
        return _Start.ROW
    if cells.header_rows:
        return _Start.HEADER
    names = before.rows[: _header_rows(before)]
    own = [cell.casefold() for cell in row]
    if any(cell and cell in (name.casefold() for name in column)
           for cell, *column in zip(own, *names, strict=True)):  # fmt: skip
        return _Start.HEADER
    if before.header_rows or _is_set_as_values(row, names):  # bold, as another header would be
        return _Start.ROW
    body = [*before.rows[len(names) :][-_LOOKED_AT:], *cells.rows[place + 1 :][:_LOOKED_AT]]
    columns = [{_kind(other[number]) for other in body} - {""} for number in range(len(row))]
    kinds = [_kind(cell) for cell in row]
    odd = [bool(k and others and k not in others) for k, others in zip(kinds, columns, strict=True)]
    if not any(odd[1:]):
        return _Start.ROW
    filled = [number for number, others in enumerate(columns) if others and number]
    is_sure = "word" in kinds[1:] or all(_kind(name) != "word" for name in (names or [[]])[-1][1:])
    distinct = len(set(filter(None, own))) == sum(map(bool, own))
    return _Start.HEADER if is_sure and distinct and all(odd[n] for n in filled) else _Start.UNSURE


def _is_set_as_values(row: Sequence[str], names: Sequence[Sequence[str]]) -> bool:
    """Return whether a cell behind the first says that there is no figure, or begins small where
    all names have capitals."""
    if any(map(_NO_FIGURE.fullmatch, row[1:])):
        return True
    header = [name for name in (names[-1] if names else ()) if name]
    return bool(header) and (
        all(name[0].isupper() for name in header) and any(cell[:1].islower() for cell in row[1:])
    )


def _first_full(cells: Cells) -> tuple[int, list[str]]:
    """Return the first row of several cells and its place: one alone is a title of others."""
    for place, row in enumerate(cells.rows[:_MOST_HEADER_ROWS]):
        if sum(map(bool, row)) > 1:
            return place, row
    return 0, cells.rows[0]


def _is_value(cell: str) -> bool:
    return is_value(_CURRENCY.sub("", cell))


def _kind(cell: str) -> str:
    """Return what kind of cell one is, '' for those without a value: "—", "n/a"."""
    if _is_value(cell):
        return "value"
    if is_year(cell):
        return "year"
    return "word" if _WORD.search(cell) else ""
