"""Tables of Word: merged cells, nested tables, and tables that are only a layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from knowledge.ingest.table_headers import names_figures
from knowledge.ingest.tables import Cell, plain_rows

from .items import Item, Note, Paragraph, Picture, Table
from .names import Element, W, toggle, value, whole
from .revisions import Policy, is_change, is_gone, is_shown
from .styles import Styles

# A longer cell is a column of a page, not a value.
_LONGEST_CELL = 2_000
# A longer cell below a heading is what that heads.
_LONGEST_BELOW_HEADINGS = 80
_FIRST_ROW = 0x0020
_FIRST_COLUMN = 0x0080
_WRAPPERS = (W + "sdt", W + "sdtContent", W + "customXml", W + "smartTag")
_ENDS = (".", ":", ";", ",", "!", "?", "。", "：", "；")


class _Blocks(Protocol):
    def __call__(self, parent: Element, *, boxed: bool = False) -> Iterator[Item]: ...


@dataclass(slots=True)
class _Place:
    """A cell while its table is read; ``column`` is where it begins in the grid."""

    column: int
    wide: int
    items: list[Item] = field(default_factory=list)
    high: int = 1

    def cell(self) -> Cell:
        return Cell(_words(self.items), self.high, self.wide, _is_bold(self.items))


class TableReader:
    """Reads tables; the content of cells comes from ``blocks``."""

    def __init__(self, styles: Styles, policy: Policy, blocks: _Blocks) -> None:
        self._styles = styles
        self._policy: Policy = policy
        self._blocks = blocks

    def read(self, element: Element) -> Iterator[Item]:
        """Yield a table and what hangs on it, or the content of one that only arranges a page."""
        rows, flagged = self._rows(element)
        places = [place for row in rows for place in row]
        if _is_layout(rows):
            for place in places:
                yield from place.items
            return
        cells = [[place.cell() for place in row] for row in rows]
        header = max(flagged or self._styled_header(element), _bold_header(cells))
        named = not header and (self._has_named_rows(element) or _bold_names(cells))
        plain = [
            [
                Cell(c.text, c.row_span, c.col_span, number > header and renames, named and not at)
                for at, c in zip((place.column for place in places_of), row, strict=True)
            ]
            for number, (places_of, row) in enumerate(zip(rows, cells, strict=True))
            for renames in [_names_anew(row, cells[:header])]
        ]
        yield Table(plain, header or None)
        for place in places:
            for item in place.items:
                if isinstance(item, Note) or (isinstance(item, Picture) and item.words):
                    yield item

    def _rows(self, element: Element) -> tuple[list[list[_Place]], int]:
        """Return the rows that are shown, and how many in front are flagged as headers."""
        rows: list[list[_Place]] = []
        flagged = 0
        above: dict[int, _Place] = {}
        for row in _unwrapped(element, W + "tr", self._policy):
            properties = row.find(W + "trPr")
            # Nobody sees a hidden row, whatever stands in it.
            if is_gone(properties, self._policy) or toggle(properties, "hidden"):
                continue
            line, above = self._row(row, properties, above)
            if flagged == len(rows) and toggle(properties, "tblHeader"):
                flagged += 1
            rows.append(line)
        return rows, flagged if flagged < len(rows) else 0

    def _row(
        self, row: Element, properties: Element | None, above: dict[int, _Place]
    ) -> tuple[list[_Place], dict[int, _Place]]:
        line: list[_Place] = []
        open_: dict[int, _Place] = {}
        column = whole(value(properties, "gridBefore"))
        if 0 < column <= 60:
            line.append(_Place(0, column))
        for cell in _unwrapped(row, W + "tc", self._policy):
            about = cell.find(W + "tcPr")
            if is_gone(about, self._policy):
                continue
            wide = max(1, whole(value(about, "gridSpan"), 1))
            merge = value(about, "vMerge")
            items = list(self._blocks(cell))
            held = above.get(column)
            if merge in ("", "continue") and held is not None and held.wide == wide:
                held.high += 1
                # Word shows nothing of it; a writer that left words here meant the merged cell.
                held.items += items
                open_[column] = held
            else:
                place = _Place(column, wide, items)
                line.append(place)
                if merge is not None:
                    open_[column] = place
            column += wide
        return line, open_

    def _styled_header(self, element: Element) -> int:
        properties = element.find(W + "tblPr")
        if not self._styles.has_header_row(value(properties, "tblStyle")):
            return 0
        return int(_looks_set_off(properties, "firstRow", _FIRST_ROW) or False)

    def _has_named_rows(self, element: Element) -> bool:
        """Return whether a table is said to set off its first column and not its first row.

        Word says of any new table that it sets off both.
        """
        properties = element.find(W + "tblPr")
        row = _looks_set_off(properties, "firstRow", _FIRST_ROW)
        column = _looks_set_off(properties, "firstColumn", _FIRST_COLUMN)
        return row is False and column is True


def _looks_set_off(properties: Element | None, name: str, bit: int) -> bool | None:
    """Return whether a w:tblPr sets off a row or column, None where it does not say."""
    look = properties.find(W + "tblLook") if properties is not None else None
    stated = look.get(W + name) if look is not None else None
    if look is None or stated is not None:
        return None if stated is None else stated in ("1", "true", "on")
    try:
        return bool(int(look.get(W + "val", ""), 16) & bit)
    except ValueError:
        return None


def _unwrapped(parent: Element, tag: str, policy: Policy) -> Iterator[Element]:
    """Yield the ``tag`` children of ``parent``, those inside content controls too."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in _WRAPPERS or (is_change(child) and is_shown(child, policy)):
            yield from _unwrapped(child, tag, policy)


def _is_layout(rows: list[list[_Place]]) -> bool:
    """Return whether a table is a frame around text rather than values in rows."""
    texts = [
        (number, [item for item in place.items if isinstance(item, Paragraph)])
        for number, row in enumerate(rows)
        for place in row
        if place.items
    ]
    longest = max((sum(len(item.text) for item in items) for _, items in texts), default=0)
    headed = [n for n, items in texts if any(item.level is not None for item in items)]
    # Headings name columns in a first row of several, where the cells are short.
    names = not any(headed) and texts and longest <= _LONGEST_BELOW_HEADINGS
    names = names and 1 < sum(not n for n, _ in texts) < len(texts)
    return len(texts) == 1 or longest > _LONGEST_CELL or bool(headed and not names)


def _bold_header(cells: list[list[Cell]]) -> int:
    """Return how many rows in front are bold and others are not.

    A second one belongs to them only below a cell over several columns, which it divides.
    """
    inked = [[cell.is_header for cell in row if cell.text.strip()] for row in cells]
    bold = [bool(row) and all(row) for row in inked]
    count = 0
    while count < len(cells) and bold[count] and (not count or _is_divided(cells[count - 1])):
        count += 1
    if not count or count == len(cells) or bold[count]:
        return 0
    return count if len(inked[count - 1]) > 1 else 0


def _bold_names(cells: list[list[Cell]]) -> bool:
    """Return whether each row begins with a bold name beside values, the first one too.

    Not where words stand above figures in one of several columns: such words name these.
    """
    inked = [[cell for cell in row if cell.text.strip()] for row in cells]
    rows = [row for row in inked if len(row) > 1]
    if not rows or any(not row[0].is_header or row[1].is_header for row in rows):
        return False
    return not names_figures(cells)


def _names_anew(row: list[Cell], header: list[list[Cell]]) -> bool:
    """Return whether a bold row of the body begins as the header does: most others are totals."""
    is_bold = all(cell.is_header for cell in row if cell.text.strip())
    return is_bold and any(
        len(row) == len(above) and row[0].text == above[0].text for above in header
    )


def _is_divided(row: list[Cell]) -> bool:
    return any(cell.col_span > 1 and cell.text.strip() for cell in row)


def _is_bold(items: list[Item]) -> bool:
    texts = [item for item in items if isinstance(item, Paragraph)]
    return bool(texts) and all(item.bold or item.level is not None for item in texts)


def _words(items: list[Item]) -> str:
    """Return the words of a cell on one line, those of a table inside it too."""
    joined = ""
    for part in _parts(items):
        words = " ".join(part.split())
        if not words:
            continue
        gap = " " if joined.endswith(_ENDS) else "; "
        joined += (gap if joined else "") + words
    return joined


def _parts(items: list[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Paragraph):
            yield item.text if item.is_bulleted else item.labelled
        elif isinstance(item, Table):
            yield from plain_rows(item.rows)
