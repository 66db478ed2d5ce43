"""A row of a Markdown table as a reader understands it: each cell after its header."""

from __future__ import annotations

import re
from collections.abc import Sequence

# GitHub Flavored Markdown 4.10, "delimiter row": one dash is enough.
_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*\Z")
_BAR = re.compile(r"(?<!\\)\|")


def readable_row(table: str, row: str) -> str:
    """Return ``row`` of ``table``, or of its beginning, as "Tier: A; Limit: 165".

    A row that is not written with bars comes back on one line as it is. One with words in its
    first cell alone speaks of no column and comes back as they are.
    """
    if not _BAR.search(row):
        return " ".join(row.split())
    cells = cells_of(row)
    names = _header(table) if any(cells[1:]) or len(cells) == 1 else []
    parts = []
    for number, cell in enumerate(cells):
        name = names[number] if number < len(names) else ""
        if cell:
            parts.append(f"{name}: {cell}" if name else cell)
    return "; ".join(parts)


def cells_of(line: str) -> list[str]:
    """Return the cells of a line of a Markdown table, with escaped bars as plain ones."""
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [" ".join(cell.replace("\\|", "|").split()) for cell in _BAR.split(inner)]


def rule_line(lines: Sequence[str]) -> int | None:
    """Return the place of the line that parts a table's header from its rows, None without one.

    It is the second with words and has as many cells as the first (GFM 4.10): a line of dashes
    elsewhere is a row without values.
    """
    first = next((place for place, line in enumerate(lines) if line.strip()), len(lines))
    if len(lines) <= first + 1 or not _RULE.match(lines[first + 1]):
        return None
    is_table = len(cells_of(lines[first])) == len(cells_of(lines[first + 1]))
    return first + 1 if is_table else None


def _header(table: str) -> list[str]:
    """Return the cells of the line above the rule, none when the table has no such line."""
    lines = table.lstrip().split("\n", 2)[:2]
    return [] if rule_line(lines) is None else cells_of(lines[0])
