"""Tables of any format: cells to a grid, a grid to Markdown, a row to one searchable line.

A merged cell is repeated wherever it holds, since each row is found, read and quoted by itself; the
rows of a header become one, which Markdown asks for. All of it stays in proportion to the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat

from .table_grid import LONGEST_REPEATED, Grid, row_text
from .table_headers import header_rows_of, naming_rows, rows_are_named
from .table_places import Cell, placed
from .tree import Row, Span

__all__ = [
    "Cell",
    "Grid",
    "RenderedTable",
    "grid_of",
    "markdown_table",
    "plain_rows",
    "searchable_rows",
]

# What a table becomes is bounded by its size, the words of its cells and 5 characters for each:
# - its places, and so its bars and empty cells (`table_places.placed`);
# - the words of merged cells that its Markdown says again: 8 times its size and 10,000 characters;
# - its searchable lines with names of columns and merged words: 16 times, and as many.
# Measured on 350 tables of real files: no table has lines of 3 times its size.
_CELL = 5
_SPARE = 10_000
_TIMES_REPEATED = 8
_TIMES_LINES = 16
# A name of a column in a table whose lines are too long with whole ones.
_SHORT_NAME = 40


@dataclass(frozen=True, slots=True)
class RenderedTable:
    """A Markdown table and its body rows; the spans of ``rows`` index ``text``."""

    text: str
    rows: tuple[Row, ...]


def grid_of(rows: Sequence[Sequence[Cell]], header_rows: int | None = None) -> Grid | None:
    """Return ``rows`` as a grid without its empty rows and columns, None when nothing is left.

    ``header_rows`` None is told from the cells: those marked as headers, else a first row that
    reads like one where rows have no marked names of their own. White space of a cell is folded. A
    table whose spans claim many times the places that it has cells for becomes one column of its
    rows, whose words so stand under no wrong name; one of rows of very unlike length, a table whose
    last column joins those without room.
    Raises ValueError for a table whose cells claim more than two million places.
    """
    found = placed(rows)
    if found is None:
        return _listed(rows)
    places, columns = found.rows, found.columns
    flags = [bool(row) and all(cell.is_header or not cell.text.strip() for cell in row)
             for row in rows]  # fmt: skip
    kept = [r for r, row in enumerate(places) if any(text for text, origin in row.values())]
    if not columns:
        return None
    row_at = {old: new for new, old in enumerate(kept)}
    column_at = {old: new for new, old in enumerate(columns)}
    cells, origins = [], []
    for new, r in enumerate(kept):
        line = [places[r].get(c, ("", (r, c))) for c in columns]
        cells.append(tuple(text for text, _ in line))
        origins.append(
            tuple(
                (row_at.get(origin[0], new), column_at[origin[1]] if text else number)
                for number, (text, origin) in enumerate(line)
            )
        )
    grid = Grid(tuple(cells), tuple(origins), 0)
    if header_rows is None:
        header_rows = header_rows_of(
            grid, [flags[r] for r in kept], first_is_named=rows_are_named(rows)
        )
    else:
        header_rows = naming_rows(grid, sum(r < header_rows for r in kept))
    repeats = _repeated(grid) <= _SPARE + _TIMES_REPEATED * _size(grid)
    return Grid(grid.cells, grid.origins, header_rows, repeats)


def markdown_table(grid: Grid) -> RenderedTable:
    """Return ``grid`` as a Markdown table, one line a row, without a \\n at its end.

    A grid without header rows gets an empty header, which Markdown asks for.
    """
    lines: list[str] = []
    rows: list[Row] = []
    position = 0
    for line in (_line(grid.header()), "|" + " --- |" * grid.width):
        lines.append(line)
        position += len(line) + 1
    # Not those of nothing but the rest of cells that were written above.
    body = [row for row in range(grid.header_rows, len(grid.cells)) if any(grid.begun(row))]
    for row, searchable in zip(body, _searchable(grid, body), strict=True):
        line = _line(grid.shown(row))
        if searchable:
            rows.append(Row(Span(position, position + len(line)), searchable))
        lines.append(line)
        position += len(line) + 1
    return RenderedTable("\n".join(lines), tuple(rows))


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def searchable_rows(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the searchable line of each of `rows`, a table without merged cells; see `row_text`.

    Long names of columns are cut, or left out, where the lines would be out of proportion.
    """
    short = [name[:_SHORT_NAME].rstrip() for name in header]
    size = sum(len(cell) + _CELL for cells in (header, *rows) for cell in cells if cell)
    forms = [map(row_text, repeat(names), rows) for names in (header, short, [])]
    return _fullest(forms, size)


def _searchable(grid: Grid, rows: Sequence[int]) -> list[str]:
    """Return the lines of `rows`, the fullest that are in proportion to the table."""
    names = grid.names()
    short = [name[:_SHORT_NAME].rstrip() for name in names]
    none = [""] * grid.width
    forms = (
        (grid.line(row, names, grid.cells[row]) for row in rows),
        (grid.line(row, short, grid.shown(row)) for row in rows),
        (grid.line(row, none, grid.begun(row)) for row in rows),
    )
    return _fullest(forms, _size(grid))


def _fullest(forms: Sequence[Iterable[str]], size: int) -> list[str]:
    """Return the lines of the first form that is in proportion to `size`, else of the last."""
    for form in forms[:-1]:
        lines: list[str] = []
        left = _SPARE + _TIMES_LINES * size
        for line in form:
            left -= len(line)
            if left < 0:
                break
            lines.append(line)
        else:
            return lines
    return list(forms[-1])


def _listed(rows: Sequence[Sequence[Cell]]) -> Grid | None:
    cells = tuple((line,) for line in plain_rows(rows))
    return Grid(cells, tuple(((row, 0),) for row in range(len(cells))), 0) if cells else None


def _size(grid: Grid) -> int:
    return sum(
        len(text) + _CELL for row in range(len(grid.cells)) for text in grid.begun(row) if text
    )


def _repeated(grid: Grid) -> int:
    """Return how many characters are written again for the places in which merged cells go on."""
    return sum(
        len(text)
        for row, cells in enumerate(grid.cells)
        for column, text in enumerate(cells)
        if len(text) <= LONGEST_REPEATED and not grid.begins(row, column)
    )


def plain_rows(rows: Sequence[Sequence[Cell]]) -> Iterator[str]:
    """Yield each row of a table as its words in a line: how a table stands inside a cell."""
    for row in rows:
        words = [" ".join(cell.text.split()) for cell in row]
        line = ", ".join(word for word in words if word)
        if line:
            yield line
