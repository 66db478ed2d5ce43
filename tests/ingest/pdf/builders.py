"""The small PDFs of `samples`, each made with one fault or feature."""

from __future__ import annotations

import io

import pikepdf
import pymupdf

from .drawing import LONG_PROSE, PROSE, Sheet, embedded, grey_image, grid, pages
from .fonts import changed_maps, permuted

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight")


def _text(*lines: str) -> bytes:
    sheet = Sheet()
    sheet.prose(lines)
    return sheet.bytes()


def _html(html: str) -> bytes:
    document = pymupdf.open()
    document.new_page().insert_htmlbox(pymupdf.Rect(60, 60, 535, 780), html)
    return bytes(document.tobytes(no_new_id=True))


def no_tounicode_map() -> bytes:
    return changed_maps(embedded(), None)


def glyphs_shifted_by_29() -> bytes:
    return changed_maps(embedded(), lambda _code, letter: max(1, letter - 29))


def tounicode_permuted() -> bytes:
    return changed_maps(embedded(), permuted())


def vowels_mapped_to_nothing() -> bytes:
    return changed_maps(
        embedded(), lambda _code, letter: 0x200B if chr(letter) in "aeiou" else letter
    )


def image_only() -> bytes:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_image(page.rect, stream=grey_image())
    return bytes(document.tobytes(no_new_id=True))


def first_page_text_second_page_scan() -> bytes:
    sheet = Sheet()
    sheet.prose()
    page = sheet.new_page()
    page.insert_image(page.rect, stream=grey_image())
    return sheet.bytes()


def blank_page() -> bytes:
    return Sheet().bytes()


def _locked(user: str, owner: str) -> bytes:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(_text(*PROSE))) as document:
        document.save(out, encryption=pikepdf.Encryption(user=user, owner=owner))
    return out.getvalue()


def owner_password() -> bytes:
    return _locked("", "x")


def user_password() -> bytes:
    return _locked("test", "x")


def truncated() -> bytes:
    data = _text(*PROSE)
    return data[: data.rfind(b"\nxref") + 40]


def cut_to_pieces() -> bytes:
    return b"%PDF-1.7\n" + bytes(range(256)) * 8


def png_named_pdf() -> bytes:
    return grey_image()


def zero_bytes() -> bytes:
    return b""


def huge_page_box() -> bytes:
    sheet = Sheet(width=14_400_000, height=14_400_000)
    sheet.prose()
    return sheet.bytes()


def four_hundred_image_pages() -> bytes:
    document = pymupdf.open()
    xref = 0
    for _ in range(400):
        page = document.new_page()
        stream = None if xref else grey_image(1700, 2200)
        xref = page.insert_image(page.rect, stream=stream, xref=xref)
    return bytes(document.tobytes(no_new_id=True))


def headings_by_size() -> bytes:
    sheet = Sheet()
    sheet.heading("Growing tea", size=20)
    sheet.prose()
    sheet.heading("The soil", size=15)
    sheet.prose()
    sheet.heading("The climate", size=15)
    sheet.prose()
    return sheet.bytes()


def headings_by_number() -> bytes:
    sheet = Sheet()
    for title in ("1 Scope", "1.1 Places", "1.2 People", "2 Fees"):
        sheet.heading(title, size=13)
        sheet.prose()
    return sheet.bytes()


def bold_headings_at_body_size() -> bytes:
    sheet = Sheet()
    for title in ("Grading", "Late work"):
        sheet.heading(title, size=11)
        sheet.prose()
        sheet.prose()
    return sheet.bytes()


def bookmarks_decide() -> bytes:
    sheet = Sheet()
    sheet.heading("A large line that is no heading", size=20)
    sheet.line("Start")
    sheet.prose()
    sheet.new_page()
    sheet.line("Middle")
    sheet.prose()
    sheet.document.set_toc([[1, "Start", 1], [2, "Middle", 2]])
    return sheet.bytes()


def roman_front_matter() -> bytes:
    """Contents that count from the second page on, after a page numbered i."""

    def draw(sheet: Sheet, number: int) -> None:
        sheet.line("i" if number == 1 else str(number - 1), x=290, y=815)
        if number == 1:
            sheet.heading("Contents")
            for title, page in (
                ("1 One", 1),
                ("2 Two", 2),
                ("3 Three", 3),
                ("4 Four", 4),
                ("5 Five", 5),
            ):
                sheet.line(f"{title} ............................ {page}")
        else:
            words = ("One", "Two", "Three", "Four", "Five")
            sheet.heading(f"{number - 1} {words[number - 2]}")
            sheet.prose()

    return pages(6, draw)


def running_heads_and_page_numbers() -> bytes:
    def draw(sheet: Sheet, number: int) -> None:
        sheet.line("Annual report of the tea board", y=40, size=9)
        sheet.line(f"Page {number} of 4", x=270, y=815, size=9)
        sheet.prose((PROSE[number - 1],))

    return pages(4, draw)


def two_columns() -> bytes:
    sheet = Sheet()
    sheet.heading("Over both columns of the page", size=18)
    top = sheet.y
    for x, word in ((72, "left"), (320, "right")):
        sheet.y = top
        for number in NUMBERS:
            sheet.line(f"The {word} column goes on with line {number}", x=x, size=10)
    return sheet.bytes()


def sentence_over_two_pages() -> bytes:
    sheet = Sheet()
    sheet.prose((*PROSE[:3], "It was to say which of the plans could wait until the end"))
    sheet.new_page()
    sheet.prose(("of the year and which of them could not.",))
    return sheet.bytes()


def footnote_inside_a_sentence() -> bytes:
    sheet = Sheet()
    sheet.prose((*PROSE[:3], "It was to say which of the plans could wait until the end"))
    sheet.line("1 This note stands at the foot of the page.", size=8, y=760)
    sheet.new_page()
    sheet.prose(("of the year and which of them could not.",))
    return sheet.bytes()


def hyphens_at_line_ends() -> bytes:
    return _text(
        "The inter-",
        "national body has a long-term plan, and a self-",
        "made one, since both self",
        "and made are words; a long-",
        "term view helps.",
    )


def soft_hyphen() -> bytes:
    return _html(
        '<p style="width:300px">A compli&shy;cated matter was put off.</p>'
        "<p>The can&shy;isters stay.</p>"
    )


def first_line_indents() -> bytes:
    sheet = Sheet()
    for _ in range(3):
        sheet.line(PROSE[0], x=92)
        for text in PROSE[1:]:
            sheet.line(text)
    return sheet.bytes()


def list_with_bullets() -> bytes:
    sheet = Sheet()
    sheet.prose(("We need three things for the journey:",))
    for thing in ("a boat with", "a sail", "bread"):
        sheet.line(f"- {thing}", x=90)
    return sheet.bytes()


def ruled_table() -> bytes:
    sheet = Sheet()
    sheet.prose()
    sheet.line("Table 1: Sales by year")
    grid(sheet, [["Item", "2021", "2022"], ["Tea", "10", "12"], ["Coffee", "7", "9"]])
    sheet.prose()
    return sheet.bytes()


def ruled_table_cut_off() -> bytes:
    data = ruled_table()
    return data[: data.rfind(b"\nxref") + 40]


def ruled_table_on_a_page_of_no_size() -> bytes:
    with pymupdf.open(stream=ruled_table()) as document:
        document.xref_set_key(document.page_xref(0), "MediaBox", "[0 0 (x) 842]")
        return bytes(document.tobytes(no_new_id=True))


def table_over_two_pages() -> bytes:
    sheet = Sheet()
    sheet.prose()
    grid(sheet, [["Item", "2021", "2022"], ["Tea", "10", "12"], ["Coffee", "7", "9"]])
    sheet.new_page()
    grid(sheet, [["Item", "2021", "2022"], ["Cocoa", "3", "4"], ["Mate", "1", "2"]])
    sheet.prose()
    return sheet.bytes()


def table_without_rules() -> bytes:
    sheet = Sheet()
    sheet.prose()
    for row in (("Item", "2021", "2022"), ("Tea", "10", "12"), ("Coffee", "7", "9")):
        for x, text in zip((72, 220, 300), row, strict=True):
            sheet.page.insert_text((x, sheet.y), text, fontsize=11)
        sheet.y += 15
    sheet.y += 30
    sheet.prose()
    return sheet.bytes()


def figure_with_caption() -> bytes:
    sheet = Sheet()
    sheet.prose()
    sheet.page.insert_image(pymupdf.Rect(150, 170, 400, 350), stream=grey_image())
    sheet.line("Figure 3: The harvest of five years.", x=150, y=368)
    sheet.y = 410
    sheet.prose()
    return sheet.bytes()


def rotated_page() -> bytes:
    sheet = Sheet()
    sheet.prose()
    sheet.page.set_rotation(90)
    return sheet.bytes()


def turned_text() -> bytes:
    """Text set from bottom to top, as wide tables are printed."""
    document = pymupdf.open()
    page = document.new_page()
    for number, text in enumerate(PROSE):
        page.insert_text((100 + 14 * number, 700), text, rotate=90)
    return bytes(document.tobytes(no_new_id=True))


def form_fields() -> bytes:
    sheet = Sheet()
    sheet.line("Name of the applicant:")
    field = pymupdf.Widget()
    field.field_type = pymupdf.mupdf.PDF_WIDGET_TYPE_TEXT
    field.field_name = "name"
    field.field_value = "Ada Lovelace"
    field.rect = pymupdf.Rect(200, 78, 400, 96)
    sheet.page.add_widget(field)
    return sheet.bytes()


def remarks_of_reviewers() -> bytes:
    sheet = Sheet()
    sheet.prose()
    sheet.page.add_freetext_annot(pymupdf.Rect(72, 300, 300, 330), "A remark of a reviewer")
    sheet.page.add_text_annot((300, 400), "Another remark")
    return sheet.bytes()


def chinese_without_spaces() -> bytes:
    sheet = Sheet()
    for text in ("本合同自双方签字之日起生效，有效期为一年，期", "满前一个月双方可以协商续签。"):
        sheet.line(text, font="china-s")
    return sheet.bytes()


HEBREW = "הספר הזה נכתב לפני שנים רבות בידי אדם שגר בכפר קטן ליד הים"


def _glyphs(text: str) -> bytes:
    """Return a page with one glyph per letter of ``text``, placed from left to right."""
    letters = sorted(set(text))
    shown = "".join(chr(97 + letters.index(letter)) for letter in text)
    meant = {97 + number: ord(letter) for number, letter in enumerate(letters)}
    return changed_maps(embedded(shown), lambda _code, letter: meant.get(letter, letter))


def hebrew_reversed() -> bytes:
    return _glyphs(HEBREW[::-1])


def hebrew_in_order() -> bytes:
    """The same glyphs placed from right to left, as a careful program does."""
    letters = sorted(set(HEBREW))
    document = pymupdf.open()
    page = document.new_page()
    writer = pymupdf.TextWriter(page.rect)
    font = pymupdf.Font("helv")
    x = 520.0
    for letter in HEBREW:
        shown = chr(97 + letters.index(letter))
        x -= font.text_length(shown, 11)
        writer.append((x, 100), shown, font=font, fontsize=11)
    writer.write_text(page)
    meant = {97 + number: ord(letter) for number, letter in enumerate(letters)}
    data = bytes(document.tobytes(no_new_id=True))
    return changed_maps(data, lambda _code, letter: meant.get(letter, letter))


def many_pages_without_headings() -> bytes:
    return pages(21, lambda sheet, number: sheet.prose())


def prose_only() -> bytes:
    return embedded(LONG_PROSE)
