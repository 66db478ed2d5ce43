"""Figures: where they are on the page, their captions, and their pictures when asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import pymupdf

from knowledge.ingest.preflight import Limits

from .captions import FIGURE, caption_lines, nearest
from .damage import DAMAGE
from .lines import Box, Line, PageText, Picture, covers, rounded, union
from .pages import PageReader
from .source import open_document

# Smaller pictures are icons and rules, larger ones the ground of the page.
_LEAST_SIDE = 40.0
_LEAST_SHARE = 0.015
_MOST_SHARE = 0.9
# The same picture at the same place of so many pages is a logo.
_LOGO_PAGES = 3
_LEAST_STROKES = 4
_HIGHEST_CHART = 420.0
_MOST_IMAGE_PIXELS = 60_000_000


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: page from 1, box in points of the displayed page, caption or '', PNG."""

    page: int
    box: Box
    caption: str
    png: bytes


def place_figures(pages: Sequence[PageText]) -> None:
    """Put a `Picture` in place of the caption of every figure of ``pages``.

    A figure without a caption has no words and so no place in the text; `figures` gives it.
    """
    for page, boxes in zip(pages, _picture_boxes(pages), strict=True):
        for box, caption in _with_captions(page, boxes):
            if not caption:
                continue
            found = union([line.box for line in caption])
            text = " ".join(line.text for line in caption)
            gone = {id(line) for line in caption}
            place = caption[0]
            page.lines = [line for line in page.lines if id(line) not in gone]
            held = Line(text, page.number, *found, place.size)
            held.content = Picture(page.number, union([box, found]), text)
            page.lines.append(held)


def figures(
    data: bytes, *, limits: Limits, most: int = 200, most_pixels: int = 2_000_000
) -> tuple[Figure, ...]:
    """Return the first ``most`` figures of a PDF, each of ``most_pixels`` or fewer.

    A figure whose image has more than 60 million pixels is left out: decoding it is what a small
    file with a giant image is made for. Raises `preflight.Refused` as `parse` does.
    """
    return tuple(each_figure(data, limits=limits, most=most, most_pixels=most_pixels))


def each_figure(
    data: bytes,
    *,
    limits: Limits,
    most: int = 200,
    most_pixels: int = 2_000_000,
    only: Collection[int] | None = None,
) -> Iterator[Figure]:
    """Yield what `figures` returns, of the pages ``only`` where they are given."""
    document, _ = open_document(data, limits)
    count = 0
    try:
        pages = []
        reader = PageReader(document)
        for number in range(1, document.page_count + 1):
            if only is not None and number not in only:
                continue
            try:
                page = reader.read(number)
            except DAMAGE:
                continue
            # Only captions matter here, so that long documents stay small.
            page.lines = [line for line in page.lines if page.images or page.vectors]
            pages.append(page)
        for page, boxes in zip(pages, _picture_boxes(pages), strict=True):
            for box, caption in _with_captions(page, boxes):
                if count == most:
                    return
                png = _png(document, page.number, box, most_pixels)
                if png:
                    count += 1
                    text = " ".join(line.text for line in caption)
                    yield Figure(page.number, rounded(box), text, png)
    finally:
        document.close()


def _picture_boxes(pages: Sequence[PageText]) -> list[list[Box]]:
    """Return the boxes of each page's images that may be figures, logos left out."""
    places = Counter(_place(box) for page in pages for box in set(page.images))
    result = []
    for page in pages:
        area = max(1.0, page.width * page.height)
        boxes = []
        for box in page.images:
            wide, high = box[2] - box[0], box[3] - box[1]
            fits = min(wide, high) >= _LEAST_SIDE and places[_place(box)] < _LOGO_PAGES
            if fits and _LEAST_SHARE <= wide * high / area <= _MOST_SHARE:
                boxes.append(box)
        result.append(_merged(boxes[:500]))
    return result


def _place(box: Box) -> tuple[int, ...]:
    return tuple(round(side / 3) for side in box)


def _merged(boxes: Sequence[Box]) -> list[Box]:
    """Return ``boxes`` with those that overlap or touch as one: an image cut into strips."""
    result: list[Box] = []
    for box in boxes:
        grown = box
        while near := [other for other in result if _touches(other, grown)]:
            result = [other for other in result if other not in near]
            grown = union([grown, *near])
        result.append(grown)
    return sorted(result, key=lambda box: (box[1], box[0]))


def _touches(a: Box, b: Box) -> bool:
    return a[0] <= b[2] + 3 and b[0] <= a[2] + 3 and a[1] <= b[3] + 3 and b[1] <= a[3] + 3


def _with_captions(page: PageText, boxes: Sequence[Box]) -> list[tuple[Box, list[Line]]]:
    """Return figures with the lines of their captions, drawn ones found by the caption alone."""
    result: list[tuple[Box, list[Line]]] = []
    taken: set[int] = set()
    for box in boxes:
        start = nearest(page.lines, FIGURE, box, above_first=False)
        caption = caption_lines(page.lines, start) if start and id(start) not in taken else []
        taken.update(id(line) for line in caption)
        result.append((box, caption))
    for line in page.lines:
        if line.content or id(line) in taken or not FIGURE.match(line.text):
            continue
        drawn = _drawing(page, line)
        if drawn:
            caption = caption_lines(page.lines, line)
            taken.update(id(held) for held in caption)
            result.append((drawn, caption))
    return result


def _drawing(page: PageText, caption: Line) -> Box | None:
    """Return the box of the strokes just above or below ``caption``, None without any."""
    for above in (True, False):
        far = caption.y0 - _HIGHEST_CHART if above else caption.y1 + _HIGHEST_CHART
        low, high = (far, caption.y0 + 4) if above else (caption.y1 - 4, far)
        room = (caption.x0 - 150, low, caption.x1 + 150, high)
        strokes = [box for box in page.vectors if covers(room, box) and box[3] - box[1] < 500]
        if len(strokes) >= _LEAST_STROKES:
            box = union(strokes)
            if min(box[2] - box[0], box[3] - box[1]) >= _LEAST_SIDE:
                return box
    return None


def _png(document: pymupdf.Document, number: int, box: Box, most_pixels: int) -> bytes:
    page = document[number - 1]
    if any(image[2] * image[3] > _MOST_IMAGE_PIXELS for image in page.get_images()):
        return b""
    area = max(1.0, (box[2] - box[0]) * (box[3] - box[1]))
    zoom = min(2.5, (most_pixels / area) ** 0.5)
    try:
        pixmap = page.get_pixmap(
            matrix=pymupdf.Matrix(zoom, zoom), clip=pymupdf.Rect(box), annots=False, alpha=False
        )
        return bytes(pixmap.tobytes("png"))
    except DAMAGE:
        return b""
