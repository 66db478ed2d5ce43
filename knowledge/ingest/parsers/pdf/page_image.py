"""A page as a picture with a quote marked on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pymupdf

from knowledge.ingest.pictures import PageImage
from knowledge.ingest.preflight import Limits, Refused, Verdict

from .damage import DAMAGE
from .lines import Box
from .quotes import quote_boxes
from .source import open_document

MOST_WIDTH = 1_600
MOST_PIXELS = 4_000_000
"""A page of A4 at twice its size has 2 million."""
_ZOOM = 2.0
# 200 inches, the largest page of PDF 1.7 (ISO 32000-1, annex C); drawn small it shows nothing.
_MOST_SIDE = 14_400.0
# Decoding a picture of more pixels is what a small file with a giant image is made for.
_MOST_IMAGE_PIXELS = 60_000_000
_MARK = 0xFFE08A
_EDGE = (209, 154, 20)
_EDGE_PIXELS = 3


def page_image(
    data: bytes, page: int, *, quote: str, boxes: Sequence[Sequence[float]], limits: Limits
) -> PageImage:
    """Return ``page`` (from 1) at most `MOST_WIDTH` pixels wide, as a viewer shows it.

    Words of ``quote`` are marked as with a pen. Where it is not found, ``boxes`` (page, x0, y0,
    x1, y1, in points of the displayed page) are framed instead. Raises `Refused`.
    """
    found = quote_boxes(data, page, quote, limits=limits) if quote else ()
    document, _ = open_document(data, limits)
    try:
        if not 1 <= page <= document.page_count:
            raise Refused(Verdict.EMPTY, f"The document has no page {page}.")
        return _drawn(document[page - 1], found, [tuple(b[1:5]) for b in boxes if b[0] == page])
    except DAMAGE as error:
        raise Refused(Verdict.DAMAGED, f"Page {page} is damaged and cannot be drawn.") from error
    finally:
        document.close()


def _drawn(
    page: pymupdf.Page, found: Sequence[Box], framed: Sequence[tuple[float, ...]]
) -> PageImage:
    zoom = _zoom(page)
    scale = pymupdf.Matrix(zoom, zoom)
    pixmap = page.get_pixmap(matrix=scale, colorspace=pymupdf.csRGB, alpha=False)
    if found:
        # White becomes the colour of the pen and black stays black.
        marked = pymupdf.Pixmap(pymupdf.csRGB, pixmap)
        marked.tint_with(0, _MARK)
        for box in found:
            pixmap.copy(marked, _area(box, scale, pixmap))
    else:
        for outline in framed:
            _frame(pixmap, _area(outline, scale, pixmap))
    return PageImage(pixmap.tobytes("png"), pixmap.width, pixmap.height, bool(found))


def _zoom(page: pymupdf.Page) -> float:
    """Return pixels a point. Raises `Refused` for pages and images too large to be drawn."""
    wide, high = page.rect.width, page.rect.height
    if max(wide, high) > _MOST_SIDE or min(wide, high) < 1:
        raise Refused(Verdict.TOO_LARGE, "The page is too large to be drawn.")
    if any(image[2] * image[3] > _MOST_IMAGE_PIXELS for image in page.get_images()):
        raise Refused(Verdict.TOO_LARGE, "A picture on the page is too large to be drawn.")
    return float(min(_ZOOM, MOST_WIDTH / wide, (MOST_PIXELS / (wide * high)) ** 0.5))


def _area(box: Sequence[float], scale: Any, pixmap: Any) -> Any:
    """Return ``box`` in pixels, cut at the edges of the page."""
    return (pymupdf.Rect(box) * scale).round() & pixmap.irect


def _frame(pixmap: Any, area: Any) -> None:
    x0, y0, x1, y1 = area
    edge = _EDGE_PIXELS
    for side in (
        (x0, y0, x1, y0 + edge),
        (x0, y1 - edge, x1, y1),
        (x0, y0, x0 + edge, y1),
        (x1 - edge, y0, x1, y1),
    ):
        pixmap.set_rect(pymupdf.IRect(side) & pixmap.irect, _EDGE)
