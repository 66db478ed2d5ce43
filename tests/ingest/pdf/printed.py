"""Pages as browsers and word processors print them: footnotes, page breaks, boxes around cells."""

from __future__ import annotations

from collections.abc import Sequence

import pymupdf

from .drawing import BOLD, PLAIN, PROSE, Sheet, grid
from .fonts import changed_maps

FOOT = 740.0
WIDE = (
    "The trustees propose a new ferry for the villages on the eastern bank of the long river, and",
    "ask the council to lend them the money at a low rate until the tolls of three summers have",
)
NOTE = "Without the ferry of the monastery, which is closed in winter."
OTHER_NOTE = "Before the repairs, which cost 4,000 crowns."


def raised(sheet: Sheet, text: str, mark: str, after: str = "", *, x: float = 72) -> None:
    """Write ``text`` with a small raised ``mark`` behind it, and ``after`` on the base line."""
    y = sheet.y
    sheet.line(text, x=x)
    place = x + pymupdf.get_text_length(text, PLAIN, 11)
    sheet.page.insert_text((place, y - 4), mark, fontsize=7, fontname=PLAIN)
    place += pymupdf.get_text_length(mark, PLAIN, 7)
    if after:
        sheet.page.insert_text((place, y), after, fontsize=11, fontname=PLAIN)


def footnote(
    sheet: Sheet, mark: str, text: str, *, y: float = FOOT, lift: float = 3, rule: bool = True
) -> None:
    """Write a note in small print, its mark raised by ``lift``, below a short rule."""
    if rule:
        sheet.page.draw_line((72, y - 14), (200, y - 14), width=0.7)
    sheet.page.insert_text((72, y - lift), mark, fontsize=7, fontname=PLAIN)
    sheet.page.insert_text((79, y), text, fontsize=8, fontname=PLAIN)


def boxes(
    sheet: Sheet,
    rows: Sequence[Sequence[str]],
    *,
    gap: float,
    bold: int = 1,
    border: float = 0.7,
) -> None:
    """Draw a table whose cells are boxes of their own, ``gap`` points from each other.

    The first ``bold`` rows are bold.
    """
    top, width, height = sheet.y, 150.0, 18.0
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            x, y = 72 + c * (width + gap), top + r * (height + gap)
            sheet.page.draw_rect((x, y, x + width, y + height), width=border)
            font = BOLD if r < bold else PLAIN
            sheet.page.insert_text((x + 4, y + 13), text, fontsize=10, fontname=font)
    sheet.y = top + len(rows) * (height + gap) + 24


FARES = (("Class", "Who may board"), ("Upper deck", "everybody"), ("Bridge", "the crew alone"))


def _boxed(
    gap: float,
    *,
    rows: Sequence[Sequence[str]] = FARES,
    bold: int = 1,
    border: float = 0.7,
) -> bytes:
    sheet = Sheet()
    sheet.prose()
    boxes(sheet, rows, gap=gap, bold=bold, border=border)
    sheet.prose()
    return sheet.bytes()


def boxed_cells_close_together() -> bytes:
    return _boxed(1.5)


def boxed_cells_far_apart() -> bytes:
    return _boxed(6)


def boxed_names_and_values() -> bytes:
    return _boxed(1.5, bold=0)


def boxed_cells_with_thick_borders() -> bytes:
    return _boxed(5, border=3)


def boxed_cells_with_a_header_of_two_rows() -> bytes:
    rows = (("Class", "Fare"), ("", "in summer"), ("Deck", "as agreed"), ("Bridge", "none"))
    return _boxed(4, rows=rows, bold=2)


def panels() -> bytes:
    """Boxes of text far from each other are no cells."""
    return _boxed(12)


def marks_and_notes() -> bytes:
    """Two pages of which each begins to count anew, with powers beside the marks."""
    sheet = Sheet()
    raised(sheet, "The ferry earned 12 crowns a day.", "1", " It covers 60 m")
    raised(sheet, "and 10", "2", " boats pass it.")
    sheet.y += 10
    raised(sheet, "The bridge earned nothing at all.", "2")
    sheet.y += 10
    sheet.prose()
    footnote(sheet, "1", NOTE)
    footnote(sheet, "2", OTHER_NOTE, y=FOOT + 12, rule=False)
    sheet.new_page()
    raised(sheet, "The mill is let to a baker.", "1")
    sheet.y += 10
    sheet.prose()
    footnote(sheet, "1", "Until May.")
    return sheet.bytes()


def mark_without_note_and_note_without_mark() -> bytes:
    """The mark is drawn before what it stands behind, so it is a line of its own for MuPDF."""
    sheet = Sheet()
    text = "The ferry earned 12 crowns a day."
    x = 72 + pymupdf.get_text_length(text, PLAIN, 11)
    sheet.page.insert_text((x, sheet.y - 4), "3", fontsize=7, fontname=PLAIN)
    sheet.line(text)
    sheet.y += 10
    sheet.prose()
    footnote(sheet, "1", NOTE)
    return sheet.bytes()


def note_of_a_list() -> bytes:
    sheet = Sheet()
    sheet.prose()
    raised(sheet, "- a boat with a sail", "1", x=90)
    sheet.line("- bread", x=90)
    sheet.y += 10
    sheet.heading("The crew", size=16)
    sheet.prose()
    footnote(sheet, "1", NOTE)
    return sheet.bytes()


def notes_below_a_rule_high_on_the_page() -> bytes:
    """A page broken early by its author: the note stands where the text ends."""
    sheet = Sheet()
    raised(sheet, PROSE[0], "1")
    sheet.prose(PROSE[1:])
    footnote(sheet, "1", NOTE, y=sheet.y + 20, lift=0)
    sheet.new_page()
    sheet.prose()
    return sheet.bytes()


def paragraph_goes_on_with_a_date() -> bytes:
    """A page break inside a sentence, with heads, page numbers and a note around it."""
    sheet = Sheet()
    for number in (1, 2):
        if number == 2:
            sheet.new_page()
        sheet.line("Ferry trust, yearly report", y=40, size=9)
        sheet.line(f"Page {number} of 2", x=270, y=815, size=9)
        if number == 1:
            raised(sheet, "Nobody was hurt.", "1")
            sheet.y += 10
            sheet.prose((*WIDE, "been counted, which the board expects on"))
            footnote(sheet, "1", NOTE)
        else:
            sheet.prose(("5 June of the next year, and not before.",))
            sheet.prose()
    return sheet.bytes()


def full_width_below_two_columns() -> bytes:
    sheet = Sheet()
    sheet.prose((*WIDE, "been counted."), size=10.5)
    top = sheet.y
    for x, word in ((72, "left"), (310, "right")):
        sheet.y = top
        for number in range(1, 9):
            sheet.line(f"The {word} column goes on with line {number}", x=x, size=10.5)
    sheet.y += 10
    sheet.prose((*WIDE, "been counted, which takes long."), size=10.5)
    footnote(sheet, "1", NOTE)
    return sheet.bytes()


def note_over_two_pages() -> bytes:
    sheet = Sheet()
    raised(sheet, "Nobody was hurt in 1907", "1", ".")
    sheet.y += 10
    sheet.prose()
    footnote(sheet, "1", "Without the ferry of the monastery, which is")
    sheet.new_page()
    raised(sheet, "The mill is let to a baker.", "2")
    sheet.y += 10
    sheet.prose()
    footnote(sheet, "", "closed in winter.")
    footnote(sheet, "2", OTHER_NOTE, y=FOOT + 12, rule=False)
    return sheet.bytes()


def ruled_table_with_a_mark() -> bytes:
    """A ruled table whose header has a raised mark beside a year, its note at the foot."""
    sheet = Sheet()
    sheet.prose()
    x, y = 76.0 + 110, sheet.y + 14
    grid(sheet, [["Item", "", "2022"], ["Tea", "10", "12"], ["Coffee", "7", "9"]])
    sheet.page.insert_text((x, y), "2021", fontsize=10, fontname=PLAIN)
    x += pymupdf.get_text_length("2021", PLAIN, 10)
    sheet.page.insert_text((x, y - 4), "1", fontsize=6, fontname=PLAIN)
    sheet.prose()
    footnote(sheet, "1", NOTE)
    return sheet.bytes()


def several_marks_and_a_page_number() -> bytes:
    """One page: nothing tells that its last line is a page number but the line itself."""
    sheet = Sheet()
    raised(sheet, "The ferry earned 12 crowns a day", "1, 2", ".")
    sheet.y += 10
    sheet.prose()
    footnote(sheet, "1", NOTE)
    footnote(sheet, "2", OTHER_NOTE, y=FOOT + 12, rule=False)
    sheet.line("Page 7", x=290, y=800)
    return sheet.bytes()


def columns_of_three_lines() -> bytes:
    sheet = Sheet()
    sheet.prose((*WIDE, "been counted."), size=10.5)
    top = sheet.y
    for x, lines in (
        (72, ("The seller is the tea board and", "it delivers the leaves within", "ten days.")),
        (330, ("The buyer is the ferry trust and", "it pays within thirty", "days.")),
    ):
        sheet.y = top
        for text in lines:
            sheet.line(text, x=x)
    sheet.y += 20
    sheet.prose()
    return sheet.bytes()


def rows_of_two_cells() -> bytes:
    sheet = Sheet()
    for left, right in (
        ("Name of the boat", "What is known of it"),
        ("Old Mary of Kent", "The oldest boat of all"),
        ("Duke of the river", "Sold in winter to a baker"),
    ):
        sheet.line(right, x=300, y=sheet.y)
        sheet.line(left)
    return sheet.bytes()


def hebrew_runs_from_the_left() -> bytes:
    """A line as browsers draw it: runs from the left, letters of a Hebrew one from the right."""
    runs = [".", " שקלים", "500", " ועד ", "Tea 40", "המחיר הוא "]
    letters = sorted({letter for run in runs for letter in run if letter >= "א"})
    shown = {letter: chr(97 + number) for number, letter in enumerate(letters)}
    shown |= {letter: letter.upper() for letter in "Tea"}
    document = pymupdf.open()
    page = document.new_page()
    writer = pymupdf.TextWriter(page.rect)
    font = pymupdf.Font("cour")
    left = 100.0
    for run in runs:
        from_right = any(letter >= "א" for letter in run)
        for index, letter in enumerate(run):
            place = len(run) - 1 - index if from_right else index
            sign = shown.get(letter, letter)
            writer.append((left + place * 6.6, 100), sign, font=font, fontsize=11)
        left += len(run) * 6.6 + (2 if run == "500" else 0)
    writer.write_text(page)
    meant = {ord(code): ord(letter) for letter, code in shown.items()}
    data = bytes(document.tobytes(no_new_id=True))
    return changed_maps(data, lambda _code, letter: meant.get(letter, letter))
