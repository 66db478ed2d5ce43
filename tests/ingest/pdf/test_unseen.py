"""Words with a line through them, and words that nobody sees on the page, are left out."""

from __future__ import annotations

from typing import Any, Literal

import pymupdf
import pytest

from knowledge.ingest.parsers import parse
from knowledge.ingest.parsers.composing import STRUCK_OUT
from knowledge.ingest.preflight import Limits
from knowledge.ingest.tree import ParsedDocument
from tests.ingest.pdf.drawing import PLAIN, Sheet, grey_image, grid

BEFORE, PRICE, AFTER = "The ticket costs ", "500 EUR", " 400 EUR a year."
WHITE = (1, 1, 1)


def read(sheet: Sheet, changes: Literal["accepted", "marked"] = "accepted") -> ParsedDocument:
    sheet.prose()
    return parse(sheet.bytes(), "a.pdf", limits=Limits(ocr="off", tracked_changes=changes))


def words(sheet: Sheet, text: str = BEFORE + PRICE + AFTER) -> pymupdf.Rect:
    """Write a line; return the box of the price in it."""
    y = sheet.y
    sheet.line(text)
    start = 72 + pymupdf.get_text_length(BEFORE, PLAIN, 11)
    return pymupdf.Rect(start, y - 10, start + pymupdf.get_text_length(PRICE, PLAIN, 11), y + 3)


def draw_line(page: pymupdf.Page, box: pymupdf.Rect) -> None:
    page.draw_line((box.x0, box.y1 - 6), (box.x1, box.y1 - 6), width=0.8)


def draw_bar(page: pymupdf.Page, box: pymupdf.Rect) -> None:
    page.draw_rect((box.x0, box.y1 - 6.5, box.x1, box.y1 - 5.8), fill=(0, 0, 0), color=None)


def annotate(page: pymupdf.Page, box: pymupdf.Rect) -> None:
    page.add_strikeout_annot(box)


def draw_grey(page: pymupdf.Page, box: pymupdf.Rect) -> None:
    page.draw_line((box.x0, box.y1 - 6), (box.x1, box.y1 - 6), width=0.8, color=(0.7, 0.7, 0.7))


def test_words_below_the_last_of_many_shapes_are_hidden_too() -> None:
    sheet = Sheet()
    box = words(sheet)
    for number in range(40):
        x = box.x0 - 60 + number
        sheet.page.draw_rect((x, box.y0, x + 3, box.y0 + 2), fill=WHITE, color=None)
    sheet.page.draw_rect(box, fill=WHITE, color=None)
    assert PRICE not in read(sheet).text


@pytest.mark.parametrize("colour", [(1, 0.85, 0.2), (0.4, 0.6, 1)])
def test_a_band_of_a_marker_below_a_heading_strikes_nothing_out(
    colour: tuple[float, float, float],
) -> None:
    sheet = Sheet()
    sheet.page.draw_rect((72, sheet.y - 4, 150, sheet.y), fill=colour, color=None)
    sheet.page.insert_text((72, sheet.y), "Headline", fontsize=18)
    document = read(sheet)
    assert "Headline" in document.text
    assert document.remarks == ()


@pytest.mark.parametrize("strike", [draw_line, draw_bar, draw_grey, annotate])
@pytest.mark.parametrize("rotation", [0, 90])
def test_struck_words_are_left_out_and_told(strike: object, rotation: int) -> None:
    assert callable(strike)
    sheet = Sheet()
    strike(sheet.page, words(sheet))
    document = read(sheet)
    assert "The ticket costs 400 EUR a year." in document.text
    assert document.remarks == (STRUCK_OUT,)
    sheet = Sheet()
    strike(sheet.page, words(sheet))
    sheet.page.set_rotation(rotation)
    kept = read(sheet, "marked")
    assert BEFORE + PRICE + AFTER in kept.text
    assert kept.remarks == ()


def test_lines_below_above_and_far_beyond_words_strike_nothing() -> None:
    sheet = Sheet()
    box = words(sheet)
    sheet.page.draw_line((box.x0, box.y1 - 1.5), (box.x1, box.y1 - 1.5))
    sheet.page.draw_line((box.x0, box.y0 - 1), (box.x1, box.y0 - 1))
    sheet.page.draw_line((20, box.y1 - 6), (560, box.y1 - 6), width=0.5)
    document = read(sheet)
    assert BEFORE + PRICE + AFTER in document.text
    assert document.remarks == ()


def test_struck_words_of_a_ruled_table_are_left_out() -> None:
    sheet = Sheet()
    top = sheet.y
    grid(sheet, [["Ticket", "Price"], ["Yearly", "500 400"], ["Monthly", "50"]])
    struck = pymupdf.get_text_length("500", PLAIN, 10)
    sheet.page.draw_line((186, top + 31), (186 + struck, top + 31), width=0.8)
    text = read(sheet).text
    assert "| Yearly | 400 |" in text
    assert "500" not in text


@pytest.mark.parametrize("color", [(0, 0, 0), WHITE, (0.3, 0.3, 0.3)])
def test_words_below_a_shape_are_left_out(color: tuple[float, float, float]) -> None:
    sheet = Sheet()
    sheet.page.draw_rect(words(sheet), fill=color, color=None)
    document = read(sheet)
    assert "500" not in document.text
    assert "400 EUR a year." in document.text
    assert document.remarks == ("Words that nobody sees were left out. Pages: 1.",)


def test_words_on_a_ground_and_below_a_marker_are_seen() -> None:
    sheet = Sheet()
    sheet.page.draw_rect((60, sheet.y - 12, 400, sheet.y + 4), fill=(1, 1, 0.6), color=None)
    box = words(sheet)
    sheet.page.draw_rect(box, fill=(1, 1, 0), color=None, fill_opacity=0.4)
    sheet.page.draw_rect((60, sheet.y - 12, 400, sheet.y + 4), fill=(0, 0, 0.4), color=None)
    sheet.page.insert_text((72, sheet.y), "White words on blue.", fontsize=11, color=WHITE)
    sheet.y += 30
    document = read(sheet)
    assert BEFORE + PRICE + AFTER in document.text
    assert "White words on blue." in document.text
    assert document.remarks == ()


@pytest.mark.parametrize("look", [{"color": WHITE}, {"render_mode": 3}])
def test_white_and_invisible_words_on_white_are_left_out(look: dict[str, Any]) -> None:
    sheet = Sheet()
    sheet.page.insert_text((72, sheet.y), "Nobody reads this line.", fontsize=11, **look)
    sheet.y += 20
    assert "Nobody reads" not in read(sheet).text


def test_invisible_words_on_a_picture_are_what_was_read_of_it() -> None:
    sheet = Sheet()
    sheet.page.insert_image(sheet.page.rect, stream=grey_image())
    sheet.page.insert_text((72, 300), "The scan says 17 crowns.", fontsize=11, render_mode=3)
    document = read(sheet)
    assert "The scan says 17 crowns." in document.text
    assert document.remarks == ()
