"""A table as a rectangle of cells, where each begins, and the names of its columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .note_marks import without_marks

# Longer text stands once.
LONGEST_REPEATED = 200


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
            and len(self.cells[row][column]) <= LONGEST_REPEATED
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
