"""Currency and per cent signs that a table keeps in columns of their own."""

from __future__ import annotations

from collections.abc import Sequence

_SIGNS = frozenset("$€£¥%)(")


def merged_signs(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return ``rows`` without empty columns, and with '$' and '%' beside the figures they mark."""
    width = max((len(row) for row in rows), default=0)
    table = [[*row, *[""] * (width - len(row))] for row in rows]
    for column in range(width):
        cells = [row[column] for row in table if row[column]]
        if not cells or not all(cell in _SIGNS for cell in cells):
            continue
        for row in table:
            sign, row[column] = row[column], ""
            before, after = column - 1, column + 1
            if sign in "%)" and sign and before >= 0 and row[before]:
                row[before] += sign
            elif sign and after < width:
                row[after] = sign + row[after]
            elif sign:
                row[column] = sign
    used = [column for column in range(width) if any(row[column] for row in table)]
    return [[row[column] for column in used] for row in table]
