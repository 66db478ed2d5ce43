"""Tables drawn cell by cell: merged cells, columns of any width, pieces without rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knowledge.ingest.parsers import parse
from knowledge.ingest.preflight import Limits
from knowledge.ingest.tree import NodeKind

from .drawing import BOLD, PLAIN, Sheet

Rows = Sequence[Sequence[str]]
Spans = Mapping[tuple[int, int], tuple[int, int]]
"""(row, column) to the (rows, columns) that the cell which begins there takes."""


def tables(data: bytes) -> list[list[str]]:
    """Return the searchable rows of each table of a file."""
    document = parse(data, "a.pdf", limits=Limits(ocr="off"))
    leaves = document.root.leaves()
    return [[row.text for row in leaf.rows] for leaf in leaves if leaf.kind is NodeKind.TABLE]


def merged_grid(
    sheet: Sheet,
    rows: Sequence[Sequence[str]],
    spans: Spans | None = None,
    *,
    widths: Sequence[float] = (),
    height: float = 20,
    bold: int = 0,
) -> None:
    """Draw a ruled table at the current place, each cell a box, the first ``bold`` rows bold."""
    spans = spans or {}
    widths = widths or [90.0] * len(rows[0])
    top = sheet.y
    covered = {
        (r + down, c + right)
        for (r, c), (high, wide) in spans.items()
        for down in range(high)
        for right in range(wide)
        if down or right
    }
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            if (r, c) in covered:
                continue
            high, wide = spans.get((r, c), (1, 1))
            x, y = 72 + sum(widths[:c]), top + r * height
            box = (x, y, x + sum(widths[c : c + wide]), y + high * height)
            sheet.page.draw_rect(box, width=0.7)
            place = (x + 3, y + high * height / 2 + 3)
            font = BOLD if r < bold else PLAIN
            sheet.page.insert_text(place, text, fontsize=10, fontname=font)
    sheet.y = top + height * len(rows) + 24


def pieces(
    sheet: Sheet, rows: Sequence[Sequence[str]], places: Sequence[float], *, pitch: float = 14
) -> None:
    """Write a table without rules at the current place, its cells at the x of ``places``."""
    for row in rows:
        for x, text in zip(places, row, strict=True):
            if text:
                sheet.page.insert_text((x, sheet.y), text, fontsize=10, fontname=PLAIN)
        sheet.y += pitch
    sheet.y += 24
