"""What PyMuPDF knows of a page, in the words of pdfplumber, whose search for tables is used alone.

pdfplumber's own reading of a page, in Python, takes fifty times as long as MuPDF's.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import pymupdf
from pdfplumber.table import CellGroup
from pdfplumber.utils.text import extract_text

from .lines import UPRIGHT, Box, union
from .pages import FLAGS, turn_of, turned, turned_direction

# MuPDF counts in 32 bits; a side that leans by less is straight.
_LEANING = 0.05
# pdfplumber takes shorter edges for none.
_SHORTEST = 1.0
# Where the letters of a font end below the base line, as a share of its size. One for all fonts,
# so that those of one line stand on one height.
_DESCENT = 0.2

# pdfplumber takes ligatures apart where they stand; MuPDF would give the parts one place each.
_FLAGS = FLAGS & ~pymupdf.TEXT_COLLECT_VECTORS | pymupdf.TEXT_PRESERVE_LIGATURES

# Beside a cell, in points: raised digits are told by the letters they follow.
_NEAR = (-5, -5, 5, 5)

Edge = dict[str, Any]
Character = dict[str, Any]


class DrawnPage:
    """The edges and shapes of a page, and its characters.

    All are in points from the top left of the page as it is displayed. `bbox` and `edges` are what
    pdfplumber's `TableFinder` asks of a page.
    """

    def __init__(self, page: Any) -> None:
        self._page = page
        self._turn = turn_of(page)
        self.bbox: Box = tuple(page.rect)
        self.shapes: list[Box] = []
        self.edges: list[Edge] = []
        self._windows: list[Box | None] = []
        # With the clips: a pattern is drawn as whole tiles, most of which nobody sees.
        for drawing in page.get_cdrawings(extended=True):
            del self._windows[drawing["level"] :]
            if drawing["type"] in ("clip", "group"):
                self._windows.append(drawing.get("scissor") or self._window())
            else:
                self._take(drawing)

    def characters(self, boxes: Sequence[Box]) -> list[Character]:
        """Return the characters of ``boxes``, and what is near them, in the order of the file."""
        if not boxes:
            return []
        clip = pymupdf.Rect(union(boxes)) + _NEAR
        if self._turn:
            clip *= ~self._turn
        raw = self._page.get_text("rawdict", flags=_FLAGS, clip=clip)
        return [
            character
            for block in raw["blocks"]
            for line in block.get("lines", ())
            for character in self._characters(line)
        ]

    def _take(self, drawing: dict[str, Any]) -> None:
        """Keep the straight sides of one path."""
        x0, y0, x1, y1 = drawing["rect"]
        if max(x1 - x0, y1 - y0) < _SHORTEST:
            return
        items = drawing["items"]
        for item in items:
            kind = item[0]
            if kind == "l":
                self._side(item[1], item[2])
            elif kind == "re":
                self._rectangle(item[1])
            elif kind == "qu":
                upper_left, upper_right, lower_left, lower_right = item[1]
                corners = [upper_left, upper_right, lower_right, lower_left, upper_left]
                for begin, end in itertools.pairwise(corners):
                    self._side(begin, end)
        box = self._visible(drawing["rect"]) if len(items) > 1 else None
        if box and all(item[0] != "re" for item in items):
            self.shapes.append(box)

    def _rectangle(self, whole: Sequence[float]) -> None:
        box = self._visible(whole)
        if box:
            x0, y0, x1, y1 = box
            self.shapes.append(box)
            sides = ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1))
            self.edges += map(_edge, sides)

    def _side(self, begin: Sequence[float], end: Sequence[float]) -> None:
        (x0, y0), (x1, y1) = begin, end
        if abs(x1 - x0) > _LEANING and abs(y1 - y0) > _LEANING:
            return
        box = self._visible((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
        if box:
            self.edges.append(_edge(box))

    def _window(self) -> Box | None:
        return self._windows[-1] if self._windows else None

    def _visible(self, box: Sequence[float]) -> Box | None:
        """Return what is seen of ``box``, on the displayed page; None when nothing is."""
        x0, y0, x1, y1 = box
        window = self._window()
        if window:
            x0, y0 = max(x0, window[0]), max(y0, window[1])
            x1, y1 = min(x1, window[2]), min(y1, window[3])
            if x1 < x0 - _LEANING or y1 < y0 - _LEANING:
                return None
        return self._turned((x0, y0, max(x0, x1), max(y0, y1)))

    def _turned(self, box: Sequence[float]) -> Box:
        return turned(box, self._turn) if self._turn else (box[0], box[1], box[2], box[3])

    def _characters(self, line: dict[str, Any]) -> Iterator[Character]:
        direction = line["dir"]
        upright = (turned_direction(direction, self._turn) if self._turn else direction) == UPRIGHT
        for span in line["spans"]:
            size = span["size"]
            for character in span["chars"]:
                x0, y0, x1, y1 = self._turned(character["bbox"])
                if upright:
                    y1 = self._turned((*character["origin"], *character["origin"]))[3]
                    y1 += _DESCENT * size
                    y0 = y1 - size
                yield {
                    "text": character["c"],
                    "x0": x0,
                    "x1": x1,
                    "top": y0,
                    "bottom": y1,
                    "doctop": y0,
                    "upright": upright,
                    "size": size,
                }


def cell_texts(rows: Sequence[CellGroup], characters: Sequence[Character]) -> list[list[str]]:
    """Return the texts of the cells of ``rows``, '' for those that are none.

    It is what pdfplumber's `Table.extract` returns, which asks a function about every character
    for every row: half the time of a page.
    """
    middles = [
        ((char["x0"] + char["x1"]) / 2, (char["top"] + char["bottom"]) / 2, char)
        for char in characters
    ]
    texts = []
    for row in rows:
        _, top, _, bottom = row.bbox
        beside = [held for held in middles if top <= held[1] < bottom]
        cells = [[] if cell is None else _inside(beside, cell) for cell in row.cells]
        texts.append([extract_text(cell) for cell in cells])
    return texts


def _inside(placed: Sequence[tuple[float, float, Character]], cell: Box) -> list[Character]:
    x0, top, x1, bottom = cell
    return [char for x, y, char in placed if x0 <= x < x1 and top <= y < bottom]


def _edge(box: Box) -> Edge:
    x0, y0, x1, y1 = box
    if x1 - x0 >= y1 - y0:
        y0 = y1 = (y0 + y1) / 2
    else:
        x0 = x1 = (x0 + x1) / 2
    return {
        "object_type": "rect_edge",
        "x0": x0,
        "x1": x1,
        "top": y0,
        "bottom": y1,
        "doctop": y0,
        "width": x1 - x0,
        "height": y1 - y0,
        "orientation": "h" if y0 == y1 else "v",
    }
