"""A row of a Markdown table as a reader understands it: each cell after its header."""

from __future__ import annotations

import re
from itertools import pairwise

_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*\Z")
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


def is_rule(line: str) -> bool:
    """Return whether ``line`` is the one that parts a table's header from its rows."""
    return bool(_RULE.match(line))


def _header(table: str) -> list[str]:
    """Return the cells of the line above the rule, none when the table has no such line."""
    lines = [line for line in table.splitlines() if line.strip()]
    for line, rule in pairwise(lines):
        if is_rule(rule):
            return cells_of(line)
    return []
