"""Pictures made fit to be stored and shown: PNG or JPEG, bounded in pixels, bytes and number."""

from __future__ import annotations

from collections import Counter

import pymupdf

from knowledge.ingest.pictures import FigureImage, FigureImages

MOST_FIGURES = 200
MOST_PIXELS = 2_000_000
MOST_BYTES = 2 * 1024 * 1024
MOST_BYTES_TOGETHER = 40 * 1024 * 1024
MOST_SOURCE_PIXELS = 60_000_000
"""Of a picture that is decoded at all: 180 MB."""

_LARGE_PNG = 512 * 1024
_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"


class Unfit(ValueError):
    """A picture that cannot be shown; the message says what it is."""


class Collection:
    """Figures collected up to the bounds; what does not fit is told once a reason."""

    def __init__(self) -> None:
        self._images: list[FigureImage] = []
        self._unfit: Counter[str] = Counter()
        self._bytes = 0

    def add(self, place: int, data: bytes) -> None:
        """Take in one picture, or count why not."""
        if len(self._images) >= MOST_FIGURES or self._bytes >= MOST_BYTES_TOGETHER:
            self._unfit["beyond the first that are kept"] += 1
            return
        try:
            image = fitted(place, data)
        except Unfit as why:
            self._unfit[str(why)] += 1
            return
        self._bytes += len(image.data)
        self._images.append(image)

    def images(self) -> FigureImages:
        """Return what was collected, with a sentence a reason."""
        warnings = tuple(
            f"{count} picture{'' if count == 1 else 's'} cannot be shown: {why}."
            for why, count in self._unfit.items()
        )
        return FigureImages(tuple(self._images), warnings)


def fitted(place: int, data: bytes) -> FigureImage:
    """Return a picture as PNG or JPEG of at most `MOST_PIXELS`. Raises `Unfit`.

    One that is both already is kept as it is.
    """
    if is_vector(data):
        raise Unfit("drawn in EMF, WMF or SVG")
    try:
        buffer = pymupdf.mupdf.fz_new_buffer_from_copied_data(data)
        source = pymupdf.mupdf.fz_new_image_from_buffer(buffer)
        if source.w() * source.h() > MOST_SOURCE_PIXELS:
            raise Unfit("more than 60 million pixels")
        pixmap = pymupdf.Pixmap(data)
    except (RuntimeError, TypeError, IndexError, pymupdf.mupdf.FzErrorBase) as error:
        raise Unfit("damaged, or in an unknown format") from error
    small = pixmap.width * pixmap.height <= MOST_PIXELS and len(data) <= MOST_BYTES
    if small and data.startswith((_PNG, _JPEG)):
        kind = "image/png" if data.startswith(_PNG) else "image/jpeg"
        return FigureImage(place, data, kind, pixmap.width, pixmap.height)
    return _encoded(place, pixmap)


def is_vector(data: bytes) -> bool:
    """Return whether these are drawing instructions (EMF, WMF, SVG), which nothing here runs."""
    return (
        data[40:44] == b" EMF"
        or data.startswith((b"\xd7\xcd\xc6\x9a", b"\x01\x00\x09\x00"))
        or b"<svg" in data[:2_000].lower()
    )


def _encoded(place: int, pixmap: pymupdf.Pixmap) -> FigureImage:
    if pixmap.colorspace is None or pixmap.colorspace.n > 3:
        pixmap = pymupdf.Pixmap(pymupdf.csRGB, pixmap)
    halvings = 0
    while pixmap.width * pixmap.height > MOST_PIXELS * 4**halvings:
        halvings += 1
    if halvings:
        pixmap.shrink(halvings)
    data, kind = pixmap.tobytes("png"), "image/png"
    if len(data) > _LARGE_PNG and not pixmap.alpha:  # a photograph
        jpeg = pixmap.tobytes("jpeg", jpg_quality=85)
        if len(jpeg) < len(data):
            data, kind = jpeg, "image/jpeg"
    if len(data) > MOST_BYTES:
        raise Unfit("too large")
    return FigureImage(place, data, kind, pixmap.width, pixmap.height)
