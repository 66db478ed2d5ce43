"""Pages drawn line by line, so that each fixture holds what its name says and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pymupdf

PROSE = (
    "The committee met on a cold morning and went through the budget line by line.",
    "Nobody doubted that the figures were right, though some asked what they meant.",
    "In the end a smaller group was asked to write a report before the summer break.",
    "It was to say which of the plans could wait and which of them could not.",
)
LONG_PROSE = " ".join(PROSE) + (
    " Every member had a question of a different kind: how quickly the new bridge would be built,"
    " why the old school kept losing pupils, whether the market could stay open on Sundays, and"
    " which of the villages along the river should be given a ferry again. The mayor listened,"
    " made careful notes and promised to publish answers before winter. Somebody laughed quietly."
    " Afterwards they walked home under a bright sky, talking about weather, harvest and football,"
    " while children played between parked bicycles near the empty fountain on the square."
)
BOLD = "hebo"
PLAIN = "helv"


class Sheet:
    """A document in the making; ``y`` is the base line of the next line of text."""

    def __init__(self, *, width: float = 595, height: float = 842) -> None:
        self.document = pymupdf.open()
        self._size = (width, height)
        self.y = 0.0
        self.page = self.new_page()

    def new_page(self) -> pymupdf.Page:
        """Start a page."""
        self.page = self.document.new_page(width=self._size[0], height=self._size[1])
        self.y = 90.0
        return self.page

    def line(
        self, text: str, *, x: float = 72, size: float = 11, font: str = PLAIN, y: float = 0
    ) -> None:
        """Write a line at ``y``, or below the last one."""
        self.page.insert_text((x, y or self.y), text, fontsize=size, fontname=font)
        if not y:
            self.y += size * 1.25

    def heading(self, text: str, *, size: float = 16) -> None:
        """Write a bold line with room around it."""
        self.y += size
        self.line(text, size=size, font=BOLD)
        self.y += 6

    def prose(self, lines: Sequence[str] = PROSE, *, size: float = 11) -> None:
        """Write the lines of a paragraph, and room below it."""
        for text in lines:
            self.line(text, size=size)
        self.y += 10

    def bytes(self) -> bytes:
        """Return the file."""
        return bytes(self.document.tobytes(garbage=0, no_new_id=True))


def embedded(text: str = LONG_PROSE) -> bytes:
    """Return a page of ``text`` in an embedded font with glyph numbers for codes."""
    document = pymupdf.open()
    page = document.new_page()
    writer = pymupdf.TextWriter(page.rect)
    frame = pymupdf.Rect(60, 60, 535, 780)
    writer.fill_textbox(frame, text, font=pymupdf.Font("helv"), fontsize=10)
    writer.write_text(page)
    return bytes(document.tobytes(no_new_id=True))


def grey_image(width: int = 60, height: int = 80) -> bytes:
    """Return a PNG of one colour."""
    pixmap = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, width, height))
    pixmap.clear_with(200)
    return bytes(pixmap.tobytes("png"))


def grid(
    sheet: Sheet, rows: Sequence[Sequence[str]], *, width: float = 110, height: float = 20
) -> None:
    """Draw a ruled table at the current place."""
    top = sheet.y
    wide = width * len(rows[0])
    for number in range(len(rows) + 1):
        y = top + number * height
        sheet.page.draw_line((72, y), (72 + wide, y))
    for number in range(len(rows[0]) + 1):
        x = 72 + number * width
        sheet.page.draw_line((x, top), (x, top + height * len(rows)))
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            sheet.page.insert_text((76 + c * width, top + r * height + 14), text, fontsize=10)
    sheet.y = top + height * len(rows) + 24


def pages(count: int, draw: Callable[[Sheet, int], None]) -> bytes:
    """Return a document of ``count`` pages, each drawn by ``draw`` with its number from 1."""
    sheet = Sheet()
    for number in range(1, count + 1):
        if number > 1:
            sheet.new_page()
        draw(sheet, number)
    return sheet.bytes()
