"""Words of a page that are struck out, and words that nobody sees on it.

The cheap signs come first: a thin rule through the middle of letters, a shape drawn over them
later, white or invisible letters. Struck out are whole words, by a rule no longer. For
the rest the page is drawn, and what is of one colour there is not seen; so white words on a dark
ground stay, and those below a marker. What stands on a picture is left alone: it is the text that
OCR gave a scan.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any

import pymupdf

from .lines import Box, overlap

_Raw = dict[str, Any]

# Filled, stroked, or a window for what is behind (FZ_STEXT_FILLED and its kin).
_DRAWN = 16 | 32 | 64
_LIGHT = 0xF0F0F0
# In points.
_THINNEST = 2.6
_SHORTEST = 3.0
# The middle of letters, as shares of their size above the base line.
_MIDDLE = (0.1, 0.5)
# Of 255; yellow has 226, pure red 76.
_MARKER = 165
_WHITE = 240
# As a share of the size of letters: lines through words have .05 to .1.
_BAND = 0.12
_MOST_VECTORS = 5_000
# Shapes over one line from which on each of its words is looked at instead.
_MOST_OVER = 16
_MOST_PIXELS = 4_000_000
_MOST_IMAGE_PIXELS = 60_000_000
_ZOOM = 1.5
# Shades of grey, of 255, that the eye does not tell apart.
_ALIKE = 12


@dataclass(slots=True)
class Unseen:
    """The boxes of what was left out, as PyMuPDF measures them; ``struck`` is a line through it."""

    struck: list[Box] = field(default_factory=list)
    hidden: list[Box] = field(default_factory=list)


def leave_out(
    page: pymupdf.Page, blocks: list[_Raw], again: Callable[[], _Raw], *, keep_struck: bool
) -> Unseen:
    """Take what nobody reads on ``page`` out of the spans of ``blocks``; return what that was.

    ``again`` gives the same page with its characters; it is asked only where a rule or a shape lies
    over words.
    """
    found = Unseen()
    look = _Look(page, blocks)
    for block in blocks:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                flags, color = span["char_flags"], span["color"]
                if not flags & _DRAWN or (color >= _LIGHT and color & _LIGHT == _LIGHT):
                    _hide(span, look, found)
    vectors = [block for block in blocks if block["type"] == 3][:_MOST_VECTORS]
    marks = _marks(blocks, vectors, keep_struck=keep_struck) if vectors else {}
    if marks:
        characters = again()["blocks"]
        for (number, index), boxes in marks.items():
            spans = characters[number]["lines"][index]["spans"]
            for span, full in zip(blocks[number]["lines"][index]["spans"], spans, strict=True):
                if len(boxes) > _MOST_OVER:
                    _erase_unseen(span, full["chars"], look, found)
                else:
                    _erase(span, full["chars"], boxes, look, found)
    return found


def _hide(span: _Raw, look: _Look, found: Unseen) -> None:
    box = span["bbox"]
    if not span["text"].strip() or look.has_ground(box) or look.shows(box):
        return
    found.hidden.append(box)
    span["text"] = ""


def _marks(
    blocks: Sequence[_Raw], vectors: Sequence[_Raw], *, keep_struck: bool
) -> dict[tuple[int, int], list[tuple[Box, bool]]]:
    """Return rules through (True) and shapes over (False) each line, by its block and index."""
    lines = sorted(
        ((line["bbox"][1] + line["bbox"][3]) / 2, number, index)
        for number, block in enumerate(blocks)
        for index, line in enumerate(block.get("lines", ()))
        # The rule above the notes of a page often lies over a line of blanks.
        if any(span["text"].strip() for span in line["spans"])
    )
    middles = [middle for middle, _, _ in lines]
    order = {id(block): number for number, block in enumerate(blocks)}
    marks: dict[tuple[int, int], list[tuple[Box, bool]]] = {}
    for vector in vectors:
        x0, y0, x1, y1 = box = vector["bbox"]
        if x1 - x0 < _SHORTEST or vector["alpha"] < 128:
            continue
        thin = y1 - y0 <= 2 * _THINNEST
        around = 12.0 if thin else 0.0
        for _, number, index in lines[
            bisect_left(middles, y0 - around) : bisect_right(middles, y1 + around)
        ]:
            line = blocks[number]["lines"][index]
            below = order[id(vector)] < number
            if (
                thin
                and not keep_struck
                and not _is_marker(vector, line, below=below)
                and (_goes_through(box, line))
            ):
                marks.setdefault((number, index), []).append((box, True))
            elif (
                not thin
                and number < order[id(vector)]
                and vector["isrect"]
                and not vector["stroked"]
                and vector["alpha"] == 255
                and overlap(box, line["bbox"])
            ):
                over = marks.setdefault((number, index), [])
                if len(over) <= _MOST_OVER:
                    over.append((box, False))
    return marks


def _is_marker(vector: _Raw, line: _Raw, *, below: bool) -> bool:
    """Return whether a rule is white, or a band that is light or was there before its words."""
    red, green, blue = (vector["color"] >> shift & 255 for shift in (16, 8, 0))
    light = 0.299 * red + 0.587 * green + 0.114 * blue
    _, y0, _, y1 = vector["bbox"]
    is_band = not vector["stroked"] and y1 - y0 > _BAND * float(line["spans"][0]["size"])
    return light > _WHITE or (is_band and (below or light > _MARKER))


def _goes_through(rule: Box, line: _Raw) -> bool:
    """Return whether ``rule`` runs through the middle of words of ``line`` and no further."""
    if line["dir"] != (1.0, 0.0):
        return False
    x0, y0, x1, y1 = rule
    left, _, right, _ = line["bbox"]
    span = line["spans"][0]
    size = span["size"]
    above = (span["origin"][1] - (y0 + y1) / 2) / max(size, 1)
    thin = y1 - y0 <= max(_THINNEST, 0.25 * size)
    within = x0 >= left - size and x1 <= right + size
    return bool(thin and within and _MIDDLE[0] <= above <= _MIDDLE[1])


def _erase(
    span: _Raw,
    characters: Sequence[_Raw],
    boxes: Sequence[tuple[Box, bool]],
    look: _Look,
    found: Unseen,
) -> None:
    """Take the characters of one span out that lie under ``boxes``."""
    doomed: set[int] = set()
    for box, is_rule in boxes:
        is_gone = _is_struck if is_rule else _is_under
        under = [index for index, sign in enumerate(characters) if is_gone(box, sign, span["size"])]
        marked = [characters[index]["bbox"] for index in under if characters[index]["c"].strip()]
        if (
            not marked
            or doomed.issuperset(under)
            or (is_rule and not _are_words(under, characters))
        ):
            continue
        whole = (marked[0][0], marked[0][1], marked[-1][2], marked[0][3])
        if is_rule:
            found.struck.append(whole)
        elif look.shows(whole):
            continue
        else:
            found.hidden.append(whole)
        doomed.update(under)
    if doomed:
        span["text"] = "".join(
            sign["c"] for index, sign in enumerate(characters) if index not in doomed
        )


def _erase_unseen(span: _Raw, characters: Sequence[_Raw], look: _Look, found: Unseen) -> None:
    """Take the words of one span out that are not seen, whatever lies over them."""
    kept = ""
    for is_blank, group in groupby(characters, key=lambda sign: not sign["c"].strip()):
        signs = list(group)
        first, last = signs[0]["bbox"], signs[-1]["bbox"]
        whole = (first[0], first[1], last[2], first[3])
        if is_blank or look.shows(whole):
            kept += "".join(sign["c"] for sign in signs)
        else:
            found.hidden.append(whole)
    span["text"] = kept


def _is_under(box: Box, sign: _Raw, _size: float) -> bool:
    x0, y0, x1, y1 = sign["bbox"]
    return bool(box[0] <= (x0 + x1) / 2 <= box[2] and box[1] <= (y0 + y1) / 2 <= box[3])


def _is_struck(rule: Box, sign: _Raw, size: float) -> bool:
    """Return whether ``rule`` goes through the middle of ``sign``, not of its neighbours alone."""
    x0, _, x1, _ = sign["bbox"]
    above = (sign["origin"][1] - (rule[1] + rule[3]) / 2) / max(size, 1)
    return bool(rule[0] <= (x0 + x1) / 2 <= rule[2] and _MIDDLE[0] <= above <= _MIDDLE[1])


def _are_words(under: Sequence[int], characters: Sequence[_Raw]) -> bool:
    """Return whether no word goes on beside those ``under`` a rule; a formula has short rules."""
    if len(under) < 2:
        return False
    letters = [False, *(sign["c"].isalnum() for sign in characters), False]
    first, last = under[0] + 1, under[-1] + 1
    begins = not (letters[first - 1] and letters[first])
    return begins and not (letters[last] and letters[last + 1])


def _holds(outer: Box, inner: Box) -> bool:
    middle = (inner[1] + inner[3]) / 2
    return outer[0] <= inner[0] + 2 and inner[2] - 2 <= outer[2] and outer[1] <= middle <= outer[3]


class _Look:
    """What is seen at a place of one page, which is drawn once it is asked for."""

    def __init__(self, page: pymupdf.Page, blocks: Sequence[_Raw]) -> None:
        self._page = page
        self._blocks = blocks

    def has_ground(self, box: Box) -> bool:
        """Return whether a shape that is not white lies around ``box``."""
        return any(_holds(ground, box) for ground in self._grounds)

    def shows(self, box: Box) -> bool:
        """Return whether there is a picture, or more than one shade."""
        if any(overlap(box, image) for image in self._images):
            return True
        pixmap = self._pixmap
        if pixmap is None:
            return True
        area = pymupdf.Rect(box)
        # Without what touches it: frames, rules, the edge of the shape over it.
        area += (0.7, 0.2 * area.height, -0.7, -0.15 * area.height)
        x0, y0, x1, y1 = (area * self._page.rotation_matrix * self._scale).round() & pixmap.irect
        samples = self._samples
        rows = [samples[y * pixmap.stride + x0 : y * pixmap.stride + x1] for y in range(y0, y1)]
        rows = [row for row in rows if row]
        return bool(rows) and max(map(max, rows)) - min(map(min, rows)) > _ALIKE

    @cached_property
    def _grounds(self) -> list[Box]:
        return [
            block["bbox"]
            for block in self._blocks[:_MOST_VECTORS]
            if block["type"] == 3 and not block["stroked"] and block["color"] & _LIGHT != _LIGHT
        ]

    @cached_property
    def _images(self) -> list[Box]:
        return [image["bbox"] for image in self._page.get_image_info()]

    @cached_property
    def _scale(self) -> Any:
        frame = self._page.rect
        zoom = min(_ZOOM, (_MOST_PIXELS / max(1.0, frame.width * frame.height)) ** 0.5)
        return pymupdf.Matrix(zoom, zoom)

    @cached_property
    def _samples(self) -> bytes:
        """The shades of all pixels; PyMuPDF copies them each time they are asked for."""
        return bytes(self._pixmap.samples)

    @cached_property
    def _pixmap(self) -> Any:
        if any(image[2] * image[3] > _MOST_IMAGE_PIXELS for image in self._page.get_images()):
            return None
        return self._page.get_pixmap(matrix=self._scale, colorspace=pymupdf.csGRAY, alpha=False)
