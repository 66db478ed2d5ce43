"""Small PDFs for `samples` whose point are their headings, or text that leads downwards."""

from __future__ import annotations

import io

import pikepdf
import pymupdf

from .drawing import BOLD, PLAIN, PROSE, Sheet

CHINESE = "本合同自双方签字之日起生效，有效期为一年，期满前一个月双方可以协商续签。"
_IN_A_COLUMN = 12


def appendix_beside_numbered_sections() -> bytes:
    sheet = Sheet()
    for title in ("1.1 Places", "1.2 People", "Appendix A Forms", "Appendix B Fees"):
        sheet.heading(title)
        sheet.prose()
    return sheet.bytes()


def title_pages_before_a_book() -> bytes:
    """Return a cover, a title page, and two parts of ten pages, a half title before the second."""
    sheet = Sheet()
    sheet.line("THE RIVER", size=28)
    sheet.new_page()
    sheet.line("THE RIVER", size=24)
    sheet.line("A HISTORY OF FERRIES", size=18)
    for part in ("Part I", "Part II"):
        for number in range(10):
            sheet.new_page()
            if number == 0:
                sheet.heading(part, size=18)
            sheet.prose()
            sheet.prose()
        if part == "Part I":
            sheet.new_page()
            sheet.line("THE RIVER", size=24)
    return sheet.bytes()


def chapters_set_differently() -> bytes:
    sheet = Sheet()
    for number, size in enumerate((18.0, 15.0, 18.0, 18.0), 1):
        sheet.heading(f"Chapter {number}: Ferries", size=size)
        sheet.prose()
    return sheet.bytes()


def letters_of_a_drawing() -> bytes:
    sheet = Sheet()
    sheet.heading("The triangle")
    sheet.prose()
    sheet.heading("P Q R")
    sheet.prose()
    return sheet.bytes()


def entries_of_an_index() -> bytes:
    sheet = Sheet()
    sheet.heading("Index")
    sheet.prose()
    sheet.line("SNCF, 8")
    sheet.prose()
    return sheet.bytes()


def vertical_chinese() -> bytes:
    """Return three columns in a font's vertical mode."""
    document = pymupdf.open()
    page = document.new_page()
    for number, start in enumerate(range(0, len(CHINESE), _IN_A_COLUMN)):
        text = CHINESE[start : start + _IN_A_COLUMN]
        page.insert_text((500 - 30 * number, 100), text, fontname="china-s", fontsize=12)
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(document.tobytes(no_new_id=True))) as changed:
        for item in changed.objects:
            if isinstance(item, pikepdf.Dictionary) and item.get("/Subtype") == "/Type0":
                item["/Encoding"] = pikepdf.Name("/UniGB-UTF16-V")
        changed.save(out, deterministic_id=True)
    return out.getvalue()


def vertical_chinese_letter_by_letter() -> bytes:
    """Return three columns of upright letters, each placed by itself."""
    document = pymupdf.open()
    page = document.new_page()
    for number, letter in enumerate(CHINESE):
        column, row = divmod(number, _IN_A_COLUMN)
        place = (500 - 30 * column, 100 + 12 * row)
        page.insert_text(place, letter, fontname="china-s", fontsize=12)
    return bytes(document.tobytes(no_new_id=True))


def short_page_with_sections() -> bytes:
    """Return one page: a title, numbered sections with a sentence each, a bold row of a table."""
    sheet = Sheet()
    sheet.line("Coffee machine", size=24, font=BOLD)
    for number, title in enumerate(("Setting up", "Cleaning", "Faults"), 1):
        sheet.heading(f"{number}. {title}", size=18)
        sheet.prose(PROSE[number : number + 1], size=12)
    for cells in (("Code", "Meaning"), ("E01", "The tank is empty"), ("E05", "A unit is blocked")):
        for column, cell in enumerate(cells):
            place = (72 + 60 * column, sheet.y)
            font = BOLD if cells[0] == "Code" else PLAIN
            sheet.page.insert_text(place, cell, fontsize=12, fontname=font)
        sheet.y += 20
    return sheet.bytes()


def short_first_page_with_sections() -> bytes:
    """Return two short pages, the first with a title and two sections without numbers."""
    sheet = Sheet()
    sheet.line("Guest network", size=20, font=BOLD)
    for number, title in enumerate(("Password", "Rooms", "Devices")):
        if number == 2:
            sheet.new_page()
        sheet.heading(title, size=14)
        sheet.prose(PROSE[number : number + 1], size=10)
    return sheet.bytes()


def cover_with_a_notice() -> bytes:
    """Return a cover that has a sentence below its subtitle, and a section of prose behind it."""
    sheet = Sheet()
    sheet.line("RIVER FERRIES", size=28)
    sheet.line("A report of the council", size=18)
    sheet.prose(PROSE[:1], size=9)
    sheet.new_page()
    sheet.heading("The boats", size=18)
    sheet.prose()
    sheet.heading("The crews", size=18)
    sheet.prose()
    return sheet.bytes()
