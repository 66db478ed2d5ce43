"""Tables of HTML as rows of cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from knowledge.ingest.tables import Cell

from .inline import InlineText
from .visibility import Element

_LONGEST_CELL = 2_000
_GROUPS = ("thead", "tbody", "tfoot")
_ENDS = (".", ":", ";", ",", "!", "?", "。", "：", "；")


def table_rows(table: Element, inline: InlineText) -> tuple[list[list[Cell]], int | None]:
    """Return the cells of ``table`` and its number of header rows, None where nothing says it.

    The rows of tfoot come last, wherever they stand. A row span of 0 reaches to the end.
    """
    groups: dict[str, list[Element]] = {"thead": [], "tbody": [], "tfoot": []}
    for group, row in _rows(table):
        if inline.shows(row):
            groups[group].append(row)
    ordered = [row for group in _GROUPS for row in groups[group]]
    rows = [[_cell(cell, inline) for cell in row if inline.shows(cell) and _is_cell(cell)]
            for row in ordered]  # fmt: skip
    return rows, len(groups["thead"]) or None


def is_layout(table: Element, rows: Sequence[Sequence[Cell]]) -> bool:
    """Return whether ``table`` arranges a page rather than values, or has words outside cells."""
    if table.get("role", "").strip().lower() in ("presentation", "none"):
        return True
    if not _is_regular(table) or any(True for _ in table.iter("h1", "h2", "h3", "h4", "h5", "h6")):
        return True
    cells = [cell for row in rows for cell in row if cell.text]
    return len(cells) == 1 or any(len(cell.text) > _LONGEST_CELL for cell in cells)


def _is_regular(table: Element) -> bool:
    """Return whether all of a table's words are in the cells of its rows and its caption."""
    parts = [table, *(group for group in table if group.tag in _GROUPS)]
    rows = [row for _, row in _rows(table)]
    known = ("caption", "colgroup", "col", "tr", *_GROUPS)
    return (
        not any(_has_text(part) for part in [*parts, *rows])
        and all(child.tag in known for part in parts for child in part)
        and all(_is_cell(cell) for row in rows for cell in row)
    )


def _has_text(parent: Element) -> bool:
    texts = [parent.text, *(child.tail for child in parent)]
    return any(text and text.strip() for text in texts)


def _rows(table: Element) -> Iterator[tuple[str, Element]]:
    for child in table:
        if child.tag == "tr":
            yield "tbody", child
        elif child.tag in _GROUPS:
            for row in child:
                if row.tag == "tr":
                    yield str(child.tag), row


def _is_cell(element: Element) -> bool:
    return element.tag in ("td", "th")


def _cell(element: Element, inline: InlineText) -> Cell:
    lines = [" ".join(line.split()) for line in inline.of(element).split("\n")]
    text = ""
    for line in filter(None, lines):
        gap = " " if text.endswith(_ENDS) else "; "
        text += (gap if text else "") + line
    rows = _span(element.get("rowspan"))
    return Cell(
        text,
        rows if rows else 65_534,
        max(1, _span(element.get("colspan"))),
        element.tag == "th" and element.get("scope", "").lower() not in ("row", "rowgroup"),
    )


def _span(text: str | None) -> int:
    match = re.match(r"\s*(\d{1,5})", text or "1")
    return min(int(match[1]), 65_534) if match else 1
