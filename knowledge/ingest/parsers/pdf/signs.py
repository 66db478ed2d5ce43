"""Currency and per cent signs that a table keeps in cells of their own."""

from __future__ import annotations

from collections.abc import Sequence

_BEFORE = frozenset("$€£¥(")
_AFTER = frozenset({"%", ")", ")%", "%)"})


def merged_signs(rows: Sequence[Sequence[str]]) -> tuple[list[list[str]], list[int]]:
    """Return ``rows`` with each sign beside its figure, and the columns that are not empty.

    "$" joins the figure after it: in its own column where figures without a sign stand there too,
    as under a merged cell, else in the figure's.
    """
    width = max((len(row) for row in rows), default=0)
    table = [[*row, *[""] * (width - len(row))] for row in rows]
    for column in range(width):
        figures_too = any(
            _is_figure(row[column]) and not any(map(str.isalpha, row[column])) for row in table[1:]
        )
        for row in table:
            cell = row[column]
            if cell in _BEFORE and column + 1 < width and _is_figure(row[column + 1]):
                target = column if figures_too else column + 1
                joined = cell + row[column + 1]
                row[column] = row[column + 1] = ""
                row[target] = joined
            elif cell in _AFTER and column and _is_figure(row[column - 1]):
                row[column - 1] += cell
                row[column] = ""
    used = [column for column in range(width) if any(row[column] for row in table)]
    return table, used


def _is_figure(cell: str) -> bool:
    return any(character.isdigit() for character in cell) or cell in {"-", "–", "—"}
