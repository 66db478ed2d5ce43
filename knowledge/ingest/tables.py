"""Tables of any format: cells to a grid, a grid to Markdown, a row to one searchable line.

A merged cell is repeated wherever it holds, since each row is found, read and quoted by itself; the
rows of a header become one, which Markdown asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .note_marks import without_marks
from .tree import Row, Span

# A grid is this wide at most; HTML accepts a colspan of 1,000 and files claim more.
_MOST_COLUMNS = 400
# And has this many places at most, or a file of 50 MB of cells of colspan 400 fills the memory.
# Measured: so many take 3 s and 300 MB.
_MOST_PLACES = 2_000_000
_LONGEST_HEADER = 80
# Longer text stands once, and none of a table is repeated that would grow by more than this.
_LONGEST_REPEATED = 200
_MOST_REPEATED = 500_000
_MOST_HEADER_ROWS = 4
_YEAR = re.compile(r"(?:19|20)\d\d[⁰¹²³⁴-⁹]?\Z")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as its row lists it; spans count rows and columns of the grid, 1 when not merged."""

    text: str
    row_span: int = 1
    col_span: int = 1
    is_header: bool = False


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
        """Return for each column the cells of the header over it, joined from top to bottom."""
        return [self._joined(column) for column in range(self.width)]

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

    def _joined(self, column: int) -> str:
        cells = [
            self.cells[row][column]
            for row in range(self.header_rows)
            if self._is_written(row, column)
        ]
        return ", ".join(dict.fromkeys(filter(None, cells)))

    def line(self, row: int, names: Sequence[str]) -> str:
        """Return a row as one searchable line, `names` being those of the columns; see `row_text`.

        A cell over several columns has all their names.
        """
        header: list[list[str]] = []
        cells: list[str] = []
        seen: tuple[int, int] | None = None
        for column, origin in enumerate(self.origins[row]):
            if origin != seen:
                header.append([])
                cells.append(self.cells[row][column])
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
    reads like one. White space of a cell is folded. Raises ValueError for a table that claims more
    than two million places.
    """
    places = _placed(rows)
    flags = [bool(row) and all(cell.is_header or not cell.text.strip() for cell in row)
             for row in rows]  # fmt: skip
    kept = [r for r, row in enumerate(places) if any(text for text, origin in row.values())]
    used = {c for r in kept for c, (text, origin) in places[r].items() if text and origin[1] == c}
    columns = sorted(used)
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
    return Grid(grid.cells, grid.origins, header_rows, _repeated(grid) <= _MOST_REPEATED)


def markdown_table(grid: Grid) -> RenderedTable:
    """Return ``grid`` as a Markdown table, one line a row, without a \\n at its end.

    A grid without header rows gets an empty header, which Markdown asks for.
    """
    lines: list[str] = []
    rows: list[Row] = []
    position = 0
    names = grid.names()
    for line in (_line(grid.header()), "|" + " --- |" * grid.width):
        lines.append(line)
        position += len(line) + 1
    for number in range(grid.header_rows, len(grid.cells)):
        shown = grid.shown(number)
        if not any(shown):
            continue  # nothing but the rest of a cell that was written above
        line = _line(shown)
        searchable = grid.line(number, names)
        if searchable:
            rows.append(Row(Span(position, position + len(line)), searchable))
        lines.append(line)
        position += len(line) + 1
    return RenderedTable("\n".join(lines), tuple(rows))


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _placed(rows: Sequence[Sequence[Cell]]) -> list[dict[int, tuple[str, tuple[int, int]]]]:
    """Return column to (text, origin) per row, cells put where those above leave room."""
    places: list[dict[int, tuple[str, tuple[int, int]]]] = [{} for _ in rows]
    total = 0
    for r, row in enumerate(rows):
        column = 0
        for cell in row:
            while column in places[r]:
                column += 1
            wide = max(1, min(cell.col_span, _MOST_COLUMNS - column))
            high = max(1, min(cell.row_span, len(rows) - r))
            total += wide * high
            if total > _MOST_PLACES:
                raise ValueError("The table claims too many cells")
            held = (" ".join(cell.text.split()), (r, column))
            for below in range(r, r + high):
                for beside in range(column, column + wide):
                    places[below].setdefault(beside, held)
            column += wide
    return places


def _leading(flags: Sequence[bool]) -> int:
    """Return how many rows in front are marked, 0 when all are: such a table has no body."""
    count = next((number for number, flag in enumerate(flags) if not flag), len(flags))
    return count if count < len(flags) else int(len(flags) > 1)


def _over_merged(grid: Grid, header_rows: int) -> int:
    """Return the header rows with those that a merged cell of the first row reaches into."""
    if header_rows != 1 or len(set(grid.origins[0])) == grid.width:
        return header_rows
    last = 1
    while last < min(len(grid.cells) - 1, _MOST_HEADER_ROWS) and any(
        origin[0] == 0 for origin in grid.origins[last]
    ):
        last += 1
    return last


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
    figures = any(_is_figure(cell) and not _YEAR.match(cell) for cell in words)
    if not fits or figures or named < grid.width - 1 or len(words) < 2:
        return False
    if grid.width > 2:
        return True
    values = [row[-1] for row in grid.cells[1:] if row[-1]]
    return bool(values) and all(_is_figure(value) for value in values)


def _is_figure(cell: str) -> bool:
    return bool(re.match(r"[^\w]*\d", cell)) and sum(map(str.isalpha, cell)) <= len(cell) // 2


def plain_rows(rows: Sequence[Sequence[Cell]]) -> Iterator[str]:
    """Yield each row of a table as its words in a line: how a table stands inside a cell."""
    for row in rows:
        words = [" ".join(cell.text.split()) for cell in row]
        line = ", ".join(word for word in words if word)
        if line:
            yield line
