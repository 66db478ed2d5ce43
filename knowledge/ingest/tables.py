"""Tables of any format: cells to a grid, a grid to Markdown, a row to one searchable line.

A merged cell is repeated wherever it holds, since each row is found, read and quoted by itself; the
rows of a header become one, which Markdown asks for. All of it stays in proportion to the source.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat

from .note_marks import without_marks
from .table_places import Cell, placed
from .tree import Row, Span

__all__ = [
    "Cell",
    "Grid",
    "RenderedTable",
    "grid_of",
    "is_value",
    "markdown_table",
    "plain_rows",
    "row_text",
    "searchable_rows",
]

_LONGEST_HEADER = 80
# Longer text stands once.
_LONGEST_REPEATED = 200
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
_MOST_HEADER_ROWS = 4
_YEAR = re.compile(r"(?:19|20)\d\d[⁰¹²³⁴-⁹]?\Z")


@dataclass(frozen=True, slots=True)
class Grid:
    """A rectangle of cells; ``origins[r][c]`` is (row, column) where the cell at (r, c) begins.

    The first ``header_rows`` rows name the columns; 0 where nothing does. ``repeats`` tells whether
    merged cells are written in each of their places.
    """

    cells: tuple[tuple[str, ...], ...]
    origins: tuple[tuple[tuple[int, int], ...], ...]
    header_rows: int
    repeats: bool = True

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.cells[0]) if self.cells else 0

    def shown(self, row: int) -> list[str]:
        """Return the cells of a row as they are written.

        A merged cell is in each of its places, but one of the whole width or of much text only
        where it begins.
        """
        return [
            text if self._is_written(row, column) else ""
            for column, text in enumerate(self.cells[row])
        ]

    def header(self) -> list[str]:
        """Return for each column the cells of the header over it, joined from top to bottom.

        A cell that goes on in the first row below is a label of rows, said there and no name.
        """
        below = self.header_rows
        labels: list[tuple[int, int] | None] = [None] * self.width
        if below < len(self.cells) and any(self.begun(below)):
            labels = [
                origin if self._is_written(below, column) else None
                for column, origin in enumerate(self.origins[below])
            ]
        return [self._joined(column, label) for column, label in enumerate(labels)]

    def is_whole(self, row: int) -> bool:
        """Return whether a row is one cell that is merged over all columns."""
        return self.origins[row][0] == self.origins[row][-1]

    def begins(self, row: int, column: int) -> bool:
        """Return whether a cell begins at a place, rather than goes on."""
        return self.origins[row][column] == (row, column)

    def _is_written(self, row: int, column: int) -> bool:
        return self.begins(row, column) or (
            self.repeats
            and len(self.cells[row][column]) <= _LONGEST_REPEATED
            and not self.is_whole(row)
        )

    def _joined(self, column: int, label: tuple[int, int] | None) -> str:
        cells = [
            self.cells[row][column]
            for row in range(self.header_rows)
            if self._is_written(row, column) and self.origins[row][column] != label
        ]
        return ", ".join(dict.fromkeys(filter(None, cells)))

    def begun(self, row: int) -> list[str]:
        """Return the cells of a row where they begin, '' where one goes on."""
        return [
            text if self.begins(row, column) else "" for column, text in enumerate(self.cells[row])
        ]

    def line(self, row: int, names: Sequence[str], texts: Sequence[str]) -> str:
        """Return `texts`, the cells of a row, as one searchable line; see `row_text`.

        `names` are those of the columns; a cell over several has all their names.
        """
        header: list[list[str]] = []
        cells: list[str] = []
        seen: tuple[int, int] | None = None
        for column, origin in enumerate(self.origins[row]):
            if origin != seen:
                header.append([])
                cells.append(texts[column])
                seen = origin
            header[-1].append(names[column])
        # A cell over the whole width speaks of no column.
        if len(cells) == 1 < self.width:
            return row_text([], cells)
        return row_text([", ".join(dict.fromkeys(filter(None, own))) for own in header], cells)

    def names(self) -> list[str]:
        """Return the name of each column without marks of notes, '' where it has none."""
        return [without_marks(name) for name in self.header()]


@dataclass(frozen=True, slots=True)
class RenderedTable:
    """A Markdown table and its body rows; the spans of ``rows`` index ``text``."""

    text: str
    rows: tuple[Row, ...]


def row_text(header: Sequence[str], cells: Sequence[str]) -> str:
    """Return ``cells`` as one line, each after the first with its header: 'Revenue | FY2021: 5'.

    The first cell names the row and stands alone. Empty cells are left out; '' when all are.
    """
    parts = []
    for number, cell in enumerate(cells):
        name = header[number] if number < len(header) else ""
        if cell:
            parts.append(f"{name}: {cell}" if name and number else cell)
    return " | ".join(parts)


def grid_of(rows: Sequence[Sequence[Cell]], header_rows: int | None = None) -> Grid | None:
    """Return ``rows`` as a grid without its empty rows and columns, None when nothing is left.

    ``header_rows`` None is told from the cells: those marked as headers, else a first row that
    reads like one. White space of a cell is folded. A table whose spans claim many times the places
    that it has cells for becomes one column of its rows, whose words so stand under no wrong name;
    one of rows of very unlike length, a table whose last column joins those without room.
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
        marked = _leading([flags[r] for r in kept])
        header_rows = marked or int(_reads_like_header(grid))
    else:
        header_rows = sum(r < header_rows for r in kept)
    header_rows = _naming(grid, _over_merged(grid, header_rows))
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


def _leading(flags: Sequence[bool]) -> int:
    """Return how many rows in front are marked, 0 when all are: such a table has no body."""
    count = next((number for number, flag in enumerate(flags) if not flag), len(flags))
    return count if count < len(flags) else int(len(flags) > 1)


def _over_merged(grid: Grid, header_rows: int) -> int:
    """Return the header rows with those that merged cells of the first row reach into.

    Not where such a cell is a label of rows: then figures stand beside it, or in a table of words
    more than the parts of a merged name, or another such label below it.
    """
    if header_rows != 1 or len(set(grid.origins[0])) == grid.width:
        return header_rows
    deep = sum(any(origin[0] == 0 for origin in row) for row in grid.origins)
    inside = range(1, deep)
    if deep > _MOST_HEADER_ROWS or deep >= len(grid.cells) or _reaches_out(grid, deep):
        return header_rows
    if any(is_value(text) for row in inside for text in grid.begun(row)):
        return header_rows
    if _is_above_figures(grid, deep) or (
        all(_divides(grid, row) for row in inside) and not _is_above_label(grid, deep)
    ):
        return deep
    return header_rows


def _reaches_out(grid: Grid, header_rows: int) -> bool:
    return any(origin[0] < header_rows for origin in grid.origins[header_rows])


def _is_above_figures(grid: Grid, row: int) -> bool:
    """Return whether from `row` on there are figures below each cell of the row before."""
    columns = [column for column, text in enumerate(grid.begun(row - 1)) if text]
    return all(any(_is_figure(cells[column]) for cells in grid.cells[row:]) for column in columns)


def _divides(grid: Grid, row: int) -> bool:
    """Return whether each cell of `row` stands below one over several columns."""
    above = Counter(grid.origins[row - 1])
    begun = [column for column, text in enumerate(grid.begun(row)) if text]
    return all(above[grid.origins[row - 1][column]] > 1 for column in begun)


def _is_above_label(grid: Grid, row: int) -> bool:
    """Return whether below a cell that reaches down to `row` one begins that reaches further."""
    return row + 1 < len(grid.cells) and any(
        grid.origins[row - 1][column][0] == 0
        and grid.cells[row][column]
        and grid.origins[row + 1][column] == (row, column)
        for column in range(grid.width)
    )


def _naming(grid: Grid, header_rows: int) -> int:
    """Return how many of the rows in front name columns and leave others to be named.

    A row of one cell below the first is the heading of those that follow it.
    """
    if header_rows >= len(grid.cells):
        header_rows = int(len(grid.cells) > 1)
    for row in range(1, header_rows):
        is_heading = grid.width > 1 and grid.is_whole(row) and grid.begins(row, 0)
        if is_heading or row == _MOST_HEADER_ROWS:
            return row
    return header_rows


def _repeated(grid: Grid) -> int:
    """Return how many characters are written again for the places in which merged cells go on."""
    return sum(
        len(text)
        for row, cells in enumerate(grid.cells)
        for column, text in enumerate(cells)
        if len(text) <= _LONGEST_REPEATED and not grid.begins(row, column)
    )


def _reads_like_header(grid: Grid) -> bool:
    """Return whether the first row names columns: short, distinct words or years, no figures.

    Two columns are as often names and values, so there the values must be figures.
    """
    if len(grid.cells) < 2 or grid.width < 2:
        return False
    words = [
        without_marks(cell)
        for column, cell in enumerate(grid.cells[0])
        if cell and grid.begins(0, column)
    ]
    fits = all(len(cell) <= _LONGEST_HEADER for cell in words) and len(set(words)) == len(words)
    named = sum(map(bool, grid.cells[0]))
    figures = any(is_value(cell) for cell in words)
    if not fits or figures or named < grid.width - 1 or len(words) < 2:
        return False
    if grid.width > 2:
        return True
    values = [row[-1] for row in grid.cells[1:] if row[-1]]
    return bool(values) and all(_is_figure(value) for value in values)


def is_value(cell: str) -> bool:
    return _is_figure(cell) and not _YEAR.match(cell)


def _is_figure(cell: str) -> bool:
    return bool(re.match(r"[^\w]*\d", cell)) and sum(map(str.isalpha, cell)) <= len(cell) // 2


def plain_rows(rows: Sequence[Sequence[Cell]]) -> Iterator[str]:
    """Yield each row of a table as its words in a line: how a table stands inside a cell."""
    for row in rows:
        words = [" ".join(cell.text.split()) for cell in row]
        line = ", ".join(word for word in words if word)
        if line:
            yield line
