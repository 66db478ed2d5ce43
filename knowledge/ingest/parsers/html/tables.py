"""Tables of HTML as rows of cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from knowledge.ingest.tables import Cell

from .inline import InlineText
from .visibility import Element

_LONGEST_CELL = 2_000
# A colspan counts no more (HTML, 4.9.11).
_MOST_COLUMNS = 1_000
# A longer cell below a heading is what that heads.
_LONGEST_BELOW_HEADINGS = 80
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_GROUPS = ("thead", "tbody", "tfoot")
_PARTS = ("caption", "colgroup", "col", "tr", *_GROUPS)
# Scopes of a header cell that names no column.
_OF_ROWS = ("row", "rowgroup")
_ENDS = (".", ":", ";", ",", "!", "?", "。", "：", "；")


@dataclass(frozen=True, slots=True)
class _Group:
    """Rows that no cell reaches out of; ``element`` is None for those right below their table."""

    tag: str
    rows: list[Element]
    element: Element | None = None


def table_rows(table: Element, inline: InlineText) -> tuple[list[list[Cell]], int | None]:
    """Return the cells of ``table`` and its number of header rows, None where nothing says it.

    The rows of the first thead come first and those of tfoot last, wherever they stand. A cell
    reaches to the end of its group of rows at most, and one with a row span of 0 does. What is
    hidden but holds its place, as ``visibility`` does and ``display: none`` does not, is an empty
    cell: others would slide into its column.
    """
    groups = [
        _Group(group.tag, [row for row in group.rows if inline.holds_place(row)])
        for group in _groups(table)
        if group.element is None or inline.shows(group.element)
    ]
    head = next((group for group in groups if group.tag == "thead"), None)
    body = [group for group in groups if group is not head and group.tag != "tfoot"]
    feet = [group for group in groups if group.tag == "tfoot"]
    rows = [
        _cells(row, len(group.rows) - number, inline, names=group.tag == "thead")
        for group in [*([head] if head else []), *body, *feet]
        for number, row in enumerate(group.rows)
    ]
    hidden = _hidden_columns(table, inline)
    if hidden:
        rows = _without(rows, hidden)
    return rows, (len(head.rows) if head else 0) or None


def _hidden_columns(table: Element, inline: InlineText) -> set[int]:
    hidden: set[int] = set()
    at = 0
    for part in parts_of(table):
        if part.tag not in ("col", "colgroup"):
            continue
        columns = [one for one in part if one.tag == "col"] or [part]
        for column in columns:
            wide = min(_number(column.get("span"), 1) or 1, _MOST_COLUMNS)
            if inline.is_collapsed(column) or inline.is_collapsed(part):
                hidden.update(range(at, at + wide))
            at += wide
        if at > _MOST_COLUMNS:
            break
    return hidden


def _without(rows: list[list[Cell]], hidden: set[int]) -> list[list[Cell]]:
    """Return ``rows`` without the ``hidden`` columns, in which cells may stand or begin."""
    # By column: the row in which it is free again.
    free: dict[int, int] = {}
    kept: list[list[Cell]] = []
    for number, row in enumerate(rows):
        cells: list[Cell] = []
        at = 0
        for cell in row:
            while free.get(at, 0) > number:
                at += 1
            places = range(at, at + cell.col_span)
            free |= dict.fromkeys(places, number + cell.row_span)
            wide = sum(place not in hidden for place in places)
            cells += [replace(cell, col_span=wide)] if wide else []
            at += cell.col_span
        kept.append(cells)
    return kept


def pictures_beside_words(table: Element, inline: InlineText) -> Iterator[Element]:
    """Yield the images of ``table`` that are not what a cell says, for it has words."""
    has_words: dict[Element, bool] = {}
    for image in inline.images(table):
        cell = None
        for around in image.iterancestors("td", "th", "table"):
            if around is table:
                break
            cell = around if _is_cell(around) else cell
        if cell is not None and cell not in has_words:
            has_words[cell] = bool(_words(cell, inline))
        if cell is None or has_words[cell]:
            yield image


def is_layout(table: Element, rows: Sequence[Sequence[Cell]], inline: InlineText) -> bool:
    """Return whether ``table`` arranges a page rather than values, or has words outside cells."""
    if table.get("role", "").strip().lower() in ("presentation", "none"):
        return True
    if not _is_regular(table, inline) or _has_sections(table):
        return True
    cells = [cell for row in rows for cell in row if cell.text]
    return len(cells) == 1 or any(len(cell.text) > _LONGEST_CELL for cell in cells)


def _has_sections(table: Element) -> bool:
    """Return whether headings in cells head what is below them there, rather than name columns.

    They name columns or rows as the words of header cells, or of a first row of several, where the
    cells of the table are short.
    """
    rows = [row for group in _groups(table) for row in group.rows]
    cells = [(number, cell) for number, row in enumerate(rows) for cell in parts_of(row)]
    headed = [(number, cell) for number, cell in cells if any(True for _ in cell.iter(*_HEADINGS))]
    if not headed:
        return False
    lengths = [sum(len(text.strip()) for text in cell.itertext()) for _, cell in cells]
    return (
        len(rows) < 2
        or max(lengths) > _LONGEST_BELOW_HEADINGS
        or sum(map(_is_cell, parts_of(rows[0]))) < 2
        or any(number and cell.tag != "th" for number, cell in headed)
    )


def _is_regular(table: Element, inline: InlineText) -> bool:
    """Return whether all of a table's words are in the cells of its rows and its caption."""
    parts = [table, *(group for group in parts_of(table) if group.tag in _GROUPS)]
    rows = [row for group in _groups(table) for row in group.rows]
    return (
        not any(_has_text(part) for part in [*parts, *rows])
        and all(
            child.tag in _PARTS or _is_void(child, inline)
            for part in parts
            for child in parts_of(part)
        )
        and all(
            _is_cell(cell) or cell.tag == "tr" or _is_void(cell, inline)
            for row in rows
            for cell in parts_of(row)
        )
    )


def _is_void(element: Element, inline: InlineText) -> bool:
    """Return whether an element shows nothing: a script, a hidden input, an empty anchor."""
    if inline.drops(element):
        return True
    has_words = any(text.strip() for text in element.itertext())
    return not has_words and not any(True for _ in element.iter("img", "tr"))


def parts_of(parent: Element) -> Iterator[Element]:
    """Yield the children of a table, of its groups and of its rows.

    For a browser what stands around some of them, as a form does, is not in the table, and they are
    (HTML, 13.2.6.4.9, foster parenting).
    """
    for child in _steps(parent):
        if not _is_around(child):
            yield child


def _steps(parent: Element) -> Iterator[Element]:
    stack = [*reversed(parent)]
    while stack:
        child = stack.pop()
        yield child
        if _is_around(child):
            stack += reversed(child)


def _is_around(child: Element) -> bool:
    if child.tag == "table" or _is_part(child):
        return False
    return child.tag == "form" or any(one.tag == "form" or _is_part(one) for one in child)


def _is_part(element: Element) -> bool:
    return element.tag in _PARTS or _is_cell(element)


def _has_text(parent: Element) -> bool:
    texts = [parent.text]
    for child in _steps(parent):
        texts += [child.tail, child.text if _is_around(child) or child.tag == "colgroup" else None]
    return any(text and text.strip() for text in texts)


def _groups(table: Element) -> Iterator[_Group]:
    """Yield the groups of rows in their order; rows of the table itself make one together."""
    bare: list[Element] = []
    for child in parts_of(table):
        if child.tag == "tr":
            bare += _with_inner(child)
        elif child.tag in _GROUPS:
            if bare:
                yield _Group("tbody", bare)
            bare = []
            rows = [row for one in parts_of(child) if one.tag == "tr" for row in _with_inner(one)]
            yield _Group(str(child.tag), rows, child)
    if bare:
        yield _Group("tbody", bare)


def _with_inner(row: Element) -> Iterator[Element]:
    """Yield ``row`` and those in it: for libxml2 a form that is open does not let a row end."""
    stack = [row]
    while stack:
        one = stack.pop()
        yield one
        stack += reversed([inner for inner in parts_of(one) if inner.tag == "tr"])


def _is_cell(element: Element) -> bool:
    return element.tag in ("td", "th")


def _cells(row: Element, most: int, inline: InlineText, *, names: bool) -> list[Cell]:
    """Return the cells of ``row``; it and those below it in its group are `most`.

    `names` tells that the group is one of headers, whatever its cells are.
    """
    is_shown = inline.shows(row)
    has_values = not names and any(cell.tag == "td" and _has_words(cell) for cell in parts_of(row))
    return [
        Cell(
            (_words(cell, inline) or inline.pictured(cell))
            if is_shown and inline.shows(cell)
            else "",
            min(_number(cell.get("rowspan"), 1) or most, most),
            min(_number(cell.get("colspan"), 1) or 1, _MOST_COLUMNS),
            names or _is_name(cell),
            not names and _names_row(cell, has_values=has_values),
        )
        for cell in parts_of(row)
        if _is_cell(cell) and inline.holds_place(cell)
    ]


def _is_name(cell: Element) -> bool:
    if cell.tag == "th":
        return cell.get("scope", "").lower() not in _OF_ROWS
    return any(True for _ in cell.iter(*_HEADINGS))


def _names_row(cell: Element, *, has_values: bool) -> bool:
    """Return whether a header cell says that it names its row, or is in one beside values."""
    scope = cell.get("scope", "").strip().lower()
    return cell.tag == "th" and (scope in _OF_ROWS or (not scope and has_values))


def _has_words(cell: Element) -> bool:
    return any(text.strip() for text in cell.itertext())


def _words(element: Element, inline: InlineText) -> str:
    lines = [" ".join(line.split()) for line in inline.of(element).split("\n")]
    text = ""
    for line in filter(None, lines):
        gap = " " if text.endswith(_ENDS) else "; "
        text += (gap if text else "") + line
    # Between the cells of a table in a cell.
    return text if text.strip(" ,;") else ""


def _number(text: str | None, default: int) -> int:
    """Return a number as HTML reads it (2.3.4.2), the first digits of an absurdly large one."""
    match = re.match(r"[ \t\n\f\r]*\+?([0-9]+)", text or "")
    return int(match[1].lstrip("0")[:9] or "0") if match else default
