"""A table row as one searchable line."""

from __future__ import annotations

from collections.abc import Sequence


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
