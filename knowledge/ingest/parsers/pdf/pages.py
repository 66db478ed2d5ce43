"""One page at a time from PyMuPDF: text lines, ruling lines, boxes of images; nothing is rendered.

``get_text("dict")`` with vectors collected in the same run costs no more than without (measured on
700 pages); images are looked for only on pages that name one, since their bytes are never needed.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import pymupdf

from .lines import UPRIGHT, Box, Line, PageText
from .rtl import mend_runs
from .unseen import leave_out
from .vertical import join_stacked

FLAGS = (
    pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP | pymupdf.TEXT_COLLECT_VECTORS
    # No TEXT_CID_FOR_UNKNOWN_UNICODE: a glyph without a meaning must show as one.
)
# A map may be made of a hundred thousand strokes; a table is not.
_MOST_VECTORS = 5_000
_SAMPLE_PER_FONT = 12_000

UNKNOWN = "\ufffd"
"""What stands for a letter that its font does not name."""

# Raised digits are smaller than what they stand behind.
RAISED_SIZE = 0.9
# One mark, or those of several notes.
_NUMBERS = re.compile(r"\s*\d+(?:\s*[,;]\s*\d+)*\s*\Z")
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
# Zero-width characters and marks of direction say nothing; control characters are no text. NUL is
# what some fonts say of letters whose meaning they have lost: they must not vanish.
_DROPPED: dict[int, str | None] = {
    **dict.fromkeys(
        [*range(1, 9), *range(14, 32), 0x7F, 0x200B, 0x2060, 0xFEFF, *range(0x202A, 0x202F)]
    ),
    0: UNKNOWN,
}
_BOLD_NAME = re.compile(r"bold|black|heavy|semibold|demi(?!r)|-bd\b", re.IGNORECASE)
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_BULLETS = {"\uf0b7": "•", "\uf0a7": "▪", "\uf0d8": "➢", "\uf0fc": "✓", "\uf076": "❖"}


class PageReader:
    """Reads the pages of one open document; keeps samples of text by font."""

    def __init__(self, document: pymupdf.Document, *, keep_struck: bool = False) -> None:
        self._document = document
        self._keep_struck = keep_struck
        self._styles: dict[tuple[str, int, int], tuple[bool, bool, bool]] = {}
        self._turn: pymupdf.Matrix | None = None
        self.samples: dict[str, list[str]] = defaultdict(list)
        self.sizes: dict[str, int] = defaultdict(int)

    def read(self, number: int) -> PageText:
        """Return page ``number``, counted from 1; fields of a form are text, annotations not.

        What is struck out, and what nobody sees, is left out.

        Raises RuntimeError and its kin when the page cannot be read.
        """
        page = self._document[number - 1]
        self._drop_annotations(page)
        raw = page.get_text("dict", flags=FLAGS)
        frame = page.rect
        text = PageText(number, frame.width, frame.height, [])
        self._turn = turn_of(page)
        self._leave_out(page, raw["blocks"], text)
        mend_runs(raw["blocks"], lambda: page.get_text("rawdict", flags=FLAGS))
        for block in raw["blocks"]:
            if block["type"] == 0:
                for line in block["lines"]:
                    self._line(line, text)
            elif block["type"] == 3 and len(text.vectors) < _MOST_VECTORS:
                box = tuple(block["bbox"])
                text.vectors.append(turned(box, self._turn) if self._turn else box)
        join_stacked(text)
        if not text.lines or page.get_images():
            text.images = image_boxes(page)
        return text

    def _drop_annotations(self, page: Any) -> None:
        """Take annotations away, but for those whose rules strike words out."""
        if not page.first_annot:
            return
        for annotation in list(page.annots()):
            if annotation.type[1] != "StrikeOut":
                page.delete_annot(annotation)

    def _leave_out(self, page: Any, blocks: list[dict[str, Any]], text: PageText) -> None:
        unseen = leave_out(
            page,
            blocks,
            lambda: page.get_text("rawdict", flags=FLAGS),
            keep_struck=self._keep_struck,
        )
        turn = self._turn
        for boxes, kept in ((unseen.struck, text.struck), (unseen.hidden, text.hidden)):
            kept += [turned(box, turn) if turn else box for box in boxes]

    def _line(self, raw: dict[str, Any], page: PageText) -> None:
        spans = raw["spans"]
        first = spans[0]
        text = first["text"]
        size = first["size"]
        style = self._style(first)
        if len(spans) > 1:
            text, size, style = self._joined(spans)
        else:
            self._sample(first["font"], text)
        box, direction = raw["bbox"], raw["dir"]
        if self._turn:
            box, direction = turned(box, self._turn), turned_direction(direction, self._turn)
        x0, y0, x1, y1 = box
        lead = len(text) - len(text.lstrip())
        if lead and direction == UPRIGHT:
            # Leading blanks are an indent.
            x0 += (x1 - x0) * lead / len(text)
        words = text.split()
        if not words:
            return
        ends_blank = text[-1].isspace()
        text = " ".join(words)
        if not text.isascii() or not text.isprintable():
            text = cleaned(text)
            if not text:
                return
        line = Line(text, page.number, x0, y0, x1, y1, size, style[0], style[1])
        line.ends_blank = ends_blank
        if direction != UPRIGHT:
            _turn(line, direction)
        page.lines.append(line)

    def _joined(self, spans: list[dict[str, Any]]) -> tuple[str, float, tuple[bool, bool, bool]]:
        """Return the text of ``spans``, and size and style of most of it."""
        parts: list[str] = []
        weights: dict[tuple[float, bool, bool], int] = {}
        if _begins_raised(spans):
            spans[0]["text"] = raised(spans[0]["text"])
        for span in spans:
            text = span["text"]
            style = self._style(span)
            self._sample(span["font"], text)
            if style[2] and parts and _NUMBERS.match(text) and not parts[-1][-1:].isspace():
                text = raised(text)
            parts.append(text)
            # Blanks between words are often spans of their own, in any style.
            key = (span["size"], style[0], style[1])
            weights[key] = weights.get(key, 0) + len(text.strip())
        size, bold, italic = max(weights, key=lambda key: weights[key])
        return "".join(parts), size, (bold, italic, False)

    def _style(self, span: dict[str, Any]) -> tuple[bool, bool, bool]:
        key = (span["font"], span["flags"], span["char_flags"])
        style = self._styles.get(key)
        if style is None:
            font, flags, marks = key
            bold = bool(flags & 16 or marks & 8 or marks & 48 == 48 or _BOLD_NAME.search(font))
            italic = bool(flags & 2)
            style = self._styles[key] = (bold, italic, bool(flags & 1))
        return style

    def _sample(self, font: str, text: str) -> None:
        size = self.sizes[font]
        if size < _SAMPLE_PER_FONT:
            self.samples[font].append(text)
        self.sizes[font] = size + len(text)


def _begins_raised(spans: Sequence[dict[str, Any]]) -> bool:
    """Return whether a line begins with a raised number, to which MuPDF compares what follows."""
    first = spans[0]
    rest = next((span for span in spans[1:] if span["text"].strip()), None)
    return (
        rest is not None
        and first["text"].isdigit()
        and first["size"] <= RAISED_SIZE * rest["size"]
        and first["origin"][1] < rest["origin"][1] - 0.1 * rest["size"]
    )


def raised(digits: str) -> str:
    """Return ``digits`` as those of a power or of the mark of a note."""
    return digits.translate(_SUPERSCRIPT)


def cleaned(text: str) -> str:
    """Return ``text`` in NFC, without characters nobody sees, blanks folded."""
    text = text.translate(_DROPPED)
    if _PRIVATE.search(text):
        text = _PRIVATE.sub(lambda match: _BULLETS.get(match[0], match[0]), text)
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    return " ".join(text.split())


def image_boxes(page: Any) -> list[Box]:
    """Return the boxes of the images of ``page``, those outside of it left out."""
    frame = page.rect
    boxes = []
    turn = turn_of(page)
    for image in page.get_image_info():
        x0, y0, x1, y1 = turned(image["bbox"], turn) if turn else image["bbox"]
        box = (max(x0, 0.0), max(y0, 0.0), min(x1, frame.x1), min(y1, frame.y1))
        if box[2] > box[0] and box[3] > box[1]:
            boxes.append(box)
    return boxes


def turn_of(page: Any) -> pymupdf.Matrix | None:
    """Return what turns the boxes PyMuPDF gives into those of the displayed page, None if nothing.

    Its text functions leave the rotation of a page out.
    """
    return page.rotation_matrix if page.rotation else None


def turned(box: Sequence[float], turn: pymupdf.Matrix) -> Box:
    """Return ``box`` moved by ``turn``."""
    x0, y0, x1, y1 = pymupdf.Rect(box) * turn
    return (x0, y0, x1, y1)


def turned_direction(direction: Sequence[float], turn: pymupdf.Matrix) -> tuple[float, float]:
    """Return the direction of text as it is displayed."""
    x, y = direction
    return (x * turn.a + y * turn.c, x * turn.b + y * turn.d)


def _turn(line: Line, direction: tuple[float, float]) -> None:
    """Put the box of ``line`` into the frame in which its text reads rightwards."""
    dx, dy = (round(part, 3) for part in direction)
    if (dx, dy) == UPRIGHT:
        return
    xs = [x * dx + y * dy for x in (line.x0, line.x1) for y in (line.y0, line.y1)]
    ys = [y * dx - x * dy for x in (line.x0, line.x1) for y in (line.y0, line.y1)]
    line.x0, line.x1, line.y0, line.y1 = min(xs), max(xs), min(ys), max(ys)
    line.direction = (dx, dy)
