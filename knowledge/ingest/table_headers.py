"""How many rows at the top of a table name its columns, told from marks, merged cells and words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from .note_marks import without_marks
from .table_grid import Grid
from .table_places import Cell

_LONGEST_HEADER = 80
_MOST_HEADER_ROWS = 4
_YEAR = re.compile(r"(?:19|20)\d\d[⁰¹²³⁴-⁹]?\Z")


def header_rows_of(grid: Grid, marks: Sequence[bool], *, first_is_named: bool = False) -> int:
    """Return how many rows of ``grid`` name columns: those marked, else a first that reads so.

    ``marks`` tell of each row whether all of its cells are marked as headers, ``first_is_named``
    that the first row has a name of its own as all rows have, and so is none of names.
    """
    found = _leading(marks) or int(not first_is_named and _reads_like_header(grid))
    if not found and not first_is_named and _has_title(grid):
        found = 2
    return naming_rows(grid, found)


def rows_are_named(rows: Sequence[Sequence[Cell]]) -> bool:
    """Return whether each of ``rows`` with several cells begins with one marked as its name.

    Not where the first one holds the names of columns all the same.
    """
    if names_figures(rows):
        return False
    reach = 0
    found = False
    for number, row in enumerate(rows):
        # A name may be that of the rows below it too.
        if number < reach or sum(bool(cell.text.strip()) for cell in row) < 2:
            continue
        if not row[0].names_row:
            return False
        found = True
        reach = number + row[0].row_span
    return found


def names_figures(rows: Sequence[Sequence[Cell]]) -> bool:
    """Return whether a first row of three cells or more is one of words or years above figures,
    or has no name of its own.

    Of two columns the first row may be a name and its value: "Status, Open".
    """
    filled = [row for row in rows if sum(bool(cell.text.strip()) for cell in row) > 1]
    if len(filled) < 2 or len(filled[0]) < 3:
        return False
    first, below = filled[0], filled[1:]
    if any(cell.col_span * cell.row_span > 1 or is_value(cell.text) for cell in first):
        return False
    if not first[0].text.strip():
        return True
    columns = [
        [_is_figure(row[at].text) for row in below if at < len(row) and row[at].text.strip()]
        for at in range(1, len(first))
        if first[at].text.strip()
    ]
    return any(column and 2 * sum(column) >= len(column) for column in columns)


def naming_rows(grid: Grid, header_rows: int) -> int:
    """Return how many rows name columns where ``header_rows`` in front are said to.

    Rows count too that merged cells of the first one reach into, and one that names the columns
    below a cell over several; not those below a heading of the rows that follow it, nor all rows of
    the table.
    """
    return _naming(grid, _over_groups(grid, _over_merged(grid, header_rows)))


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


def _over_groups(grid: Grid, header_rows: int) -> int:
    """Return the header rows with those that name the columns below cells over several."""
    while 0 < header_rows < min(_MOST_HEADER_ROWS, len(grid.cells) - 1):
        if not _names_parts(grid, header_rows):
            break
        header_rows += 1
    return header_rows


def _names_parts(grid: Grid, row: int) -> bool:
    """Return whether `row` has a name, above figures, for each column that one cell above is over.

    Elsewhere it has a name only where the row above has none.
    """
    above, begun = grid.origins[row - 1], grid.begun(row)
    wide = Counter(above)
    parts = [
        column
        for column, text in enumerate(grid.cells[row - 1])
        if text and wide[above[column]] > 1 and above[column][0] == row - 1
    ]
    others = [column for column in range(grid.width) if column not in parts]
    names = {(above[column], begun[column]) for column in parts}
    return (
        len(names) == len(parts) > 0
        and all(_is_name(begun[column]) for column in parts)
        and not any(begun[column] and grid.cells[row - 1][column] for column in others)
        and all(any(is_value(cells[c]) for cells in grid.cells[row + 1 :]) for c in parts)
    )


def _is_name(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_HEADER and not is_value(text)


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


def _has_title(grid: Grid) -> bool:
    """Return whether the first row is a title over a row of names, and these above figures.

    In a form a title has names and values below it.
    """
    if grid.width < 3 or not grid.is_whole(0) or len(grid.cells[0][0]) > _LONGEST_HEADER:
        return False
    below = [cells for row, cells in enumerate(grid.cells) if row > 1 and not grid.is_whole(row)]
    columns = [[cells[at] for cells in below if cells[at]] for at in range(1, grid.width)]
    figures = any(len(column) > 1 and all(map(is_value, column)) for column in columns)
    return figures and _reads_like_header(grid, 1)


def _reads_like_header(grid: Grid, row: int = 0) -> bool:
    """Return whether a first row names columns: short, distinct words or years, no figures.

    Two columns are as often names and values, so there the values must be figures.
    """
    if len(grid.cells) < row + 2 or grid.width < 2:
        return False
    words = [
        without_marks(cell)
        for column, cell in enumerate(grid.cells[row])
        if cell and grid.begins(row, column)
    ]
    fits = all(len(cell) <= _LONGEST_HEADER for cell in words) and len(set(words)) == len(words)
    named = sum(map(bool, grid.cells[row]))
    figures = any(is_value(cell) for cell in words)
    if not fits or figures or named < grid.width - 1 or len(words) < 2:
        return False
    if grid.width > 2:
        return True
    values = [cells[-1] for cells in grid.cells[row + 1 :] if cells[-1]]
    return bool(values) and all(_is_figure(value) for value in values)


def is_value(cell: str) -> bool:
    return _is_figure(cell) and not is_year(cell)


def is_year(cell: str) -> bool:
    return bool(_YEAR.match(cell))


def _is_figure(cell: str) -> bool:
    return bool(re.match(r"[^\w]*\d", cell)) and sum(map(str.isalpha, cell)) <= len(cell) // 2
