"""Small files with pictures in them, drawn for the tests."""

from __future__ import annotations

import pymupdf

RED, BLUE, BAND = (200, 40, 30), (30, 60, 200), (0, 0, 90)
CAPTION = "Figure 1: Pump pressure in bar over five hours."
QUOTE = "The pump must be serviced every ninety days."


def png(wide: int = 240, high: int = 160, colour: tuple[int, int, int] = RED) -> bytes:
    """Return a picture of one colour with a dark band at its top, so that turning it shows."""
    band = high // 8
    samples = bytes(BAND) * (wide * band) + bytes(colour) * (wide * (high - band))
    pixmap = pymupdf.Pixmap(pymupdf.csRGB, wide, high, samples, False)
    return bytes(pixmap.tobytes("png"))


def pdf(*, rotation: int = 0, pages: int = 1, quote: str = QUOTE, figure: bool = True) -> bytes:
    """Return a manual of ``pages`` pages: a heading, two sentences, a figure with its caption.

    The first page is shown turned by ``rotation``, with its contents set so that they read upright.
    """
    document = pymupdf.open()
    for number in range(1, pages + 1):
        page = document.new_page(width=595, height=842)
        turn = rotation if number == 1 else 0
        page.set_rotation(turn)
        _write(page, (60, 80), f"{number}. Maintenance", 22, turn, bold=True)
        _write(page, (60, 130), f"{quote} Page {number} ends here.", 11, turn)
        if figure:
            box = pymupdf.Rect(60, 160, 300, 320) * page.derotation_matrix
            page.insert_image(box.normalize(), stream=png(), rotate=turn)
            _write(page, (60, 340), CAPTION, 10, turn)
    data: bytes = document.tobytes()
    document.close()
    return data


def _write(page, place, text, size, turn, *, bold=False) -> None:
    point = pymupdf.Point(place) * page.derotation_matrix
    font = "hebo" if bold else "helv"
    page.insert_text(point, text, fontsize=size, fontname=font, rotate=turn)
