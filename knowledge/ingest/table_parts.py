"""A table whose columns are named anew further down, as one table for each set of names."""

from __future__ import annotations

from collections.abc import Sequence

from .table_headers import is_value
from .table_places import Cell

# Each may say merged words and names again beyond its size (`tables`); so many do it in proportion.
_MOST_PARTS = 200

Rows = Sequence[Sequence[Cell]]


def table_parts(rows: Rows, header_rows: int | None) -> list[tuple[Rows, int | None]]:
    """Return the tables that ``rows`` are, each with its header rows, None where nothing says it.

    One begins where rows in the body are marked as headers, hold no figures and say other names
    than those above; not inside a merged cell, nor at the end, where such rows name nothing. What
    is left behind the 200th has no header.
    """
    marked = [_is_marked(row) for row in rows]
    starts = [0]
    names = _words(rows[max(1, header_rows or marked.index(False)) - 1]) if False in marked else []
    reach = 0
    for r, row in enumerate(rows):
        if marked[r] and r > (header_rows or 0) and not marked[r - 1] and reach <= r:
            last = next((end for end in range(r, len(rows)) if not marked[end]), r) - 1
            if _name_columns(rows[r : last + 1]) and _words(rows[last]) != names:
                starts.append(r)
                names = _words(rows[last])
        reach = max([reach, *(r + cell.row_span for cell in row)])
    ends = [*starts[1 : _MOST_PARTS + 1], len(rows)]
    parts = [
        (rows[start:end], None if start else header_rows)
        for start, end in zip(starts, ends, strict=False)
    ]
    return parts if len(parts) <= _MOST_PARTS else [*parts[:-1], (parts[-1][0], 0)]


def _is_marked(row: Sequence[Cell]) -> bool:
    return bool(_words(row)) and all(cell.is_header for cell in row if cell.text.strip())


def _name_columns(rows: Rows) -> bool:
    """Return whether the last of `rows`, all marked, has a name for all columns but one."""
    if not rows or any(is_value(word) for row in rows for word in _words(row)):
        return False
    words = _words(rows[-1])
    return len(words) > 1 and len(words) >= len(rows[-1]) - 1


def _words(row: Sequence[Cell]) -> list[str]:
    return [" ".join(cell.text.split()) for cell in row if cell.text.strip()]
