"""Tables of PDFs without rules, told by where their pieces stand."""

from __future__ import annotations

from collections.abc import Sequence

import pymupdf
import pytest

from knowledge.ingest.parsers import parse
from knowledge.ingest.preflight import Limits
from tests.ingest.pdf.drawing import BOLD, PLAIN, Sheet
from tests.ingest.pdf.gridded import Rows, pieces, tables


def unruled(*tables_of_pieces: tuple[Rows, Sequence[float]]) -> bytes:
    sheet = Sheet()
    sheet.line("The account of the year is shown here in full.")
    for rows, places in tables_of_pieces:
        sheet.y += 14
        pieces(sheet, rows, places)
    return sheet.bytes()


def test_a_figure_without_a_label_is_a_row_of_its_own() -> None:
    rows = (
        ("", "2023", "2024"),
        ("Rent", "100", "110"),
        ("Power", "20", "25"),
        ("", "120", "135"),
        ("Wages", "500", "510"),
        ("", "", "999"),
        ("Tax", "7", "8"),
    )
    assert tables(unruled((rows, (72, 250, 350)))) == [
        [
            "Rent | 2023: 100 | 2024: 110",
            "Power | 2023: 20 | 2024: 25",
            "2023: 120 | 2024: 135",
            "Wages | 2023: 500 | 2024: 510",
            "2024: 999",
            "Tax | 2023: 7 | 2024: 8",
        ]
    ]


def test_words_alone_below_words_go_on_with_their_cell() -> None:
    rows = (
        ("Item", "Cost", "Remark"),
        ("Rent", "100", "paid in May, and"),
        ("", "", "once more in June"),
        ("Power", "20", "paid in July"),
        ("Water", "30", "paid in August"),
    )
    assert tables(unruled((rows, (72, 250, 350))))[0][0] == (
        "Rent | Cost: 100 | Remark: paid in May, and once more in June"
    )


def test_lines_right_above_a_row_belong_to_it_and_not_to_the_row_before() -> None:
    """As in a table whose cells are set on the base line of their last line."""
    sheet = Sheet()
    sheet.line("What was agreed on that day:")
    sheet.y += 14
    for down, row in (
        (0, ("No.", "Task", "Owner", "Due")),
        (20, ("", "Ask three makers of", "", "")),
        (32, ("", "presses for an offer,", "", "")),
        (44, ("1", "and compare them", "Kim Lee", "1 June")),
        (64, ("2", "Report on scrap", "Tom Poe", "3 June")),
        (84, ("3", "Close the ticket", "Ann Ott", "9 June")),
    ):
        for x, text in zip((72, 110, 300, 400), row, strict=True):
            if text:
                sheet.page.insert_text((x, sheet.y + down), text, fontsize=10)
    assert tables(sheet.bytes())[0] == [
        "1 | Task: Ask three makers of presses for an offer, and compare them"
        " | Owner: Kim Lee | Due: 1 June",
        "2 | Task: Report on scrap | Owner: Tom Poe | Due: 3 June",
        "3 | Task: Close the ticket | Owner: Ann Ott | Due: 9 June",
    ]


def test_a_heading_right_below_a_table_ends_it() -> None:
    rows = (
        ("Task", "Owner", "Due"),
        ("Order the press", "Kim", "1 June"),
        ("Report on scrap", "Tom", "3 June"),
        ("Close the ticket", "Ann", "9 June"),
    )
    sheet = Sheet()
    sheet.prose()
    pieces(sheet, rows, (72, 250, 350))
    sheet.y -= 16
    sheet.line("4. Other business", size=13, font=BOLD)
    for number, text in enumerate(("The canteen closes early.", "Parking is free.")):
        sheet.line("•", x=80, y=sheet.y + 14 * number)
        sheet.line(text, x=95, y=sheet.y + 14 * number)
    document = parse(sheet.bytes(), "a.pdf", limits=Limits(ocr="off"))
    assert [section.title for section in document.root.sections()] == ["4. Other business"]
    assert len(tables(sheet.bytes())[0]) == 3


@pytest.mark.parametrize("amount", ["00.00", ".250", " 000"])
def test_round_amounts_are_no_numbers_of_pages(amount: str) -> None:
    rows = [(f"Pump of kind {kind}", f"1{amount}", f"3{amount}") for kind in "ABCDEFGH"]
    assert (
        tables(unruled((rows, (72, 250, 350))))[0][0] == f"Pump of kind A | 1{amount} | 3{amount}"
    )


def test_the_title_over_nothing_but_a_table_is_a_heading() -> None:
    sheet = Sheet()
    sheet.line("Account statement", size=18, font=BOLD)
    rows = [(f"Rent of room {number} in May", f"{number}00.00", "1,250.00") for number in range(9)]
    pieces(sheet, rows, (72, 250, 350))
    document = parse(sheet.bytes(), "a.pdf", limits=Limits(ocr="off"))
    assert document.title == "Account statement"


def test_the_last_cell_goes_on_in_the_lines_right_below_it() -> None:
    rows = (
        ("Item", "Remark", "Cost"),
        ("Rent", "paid in May", "100"),
        ("Power", "paid in July", "20"),
        ("Water", "paid in August, and", "30"),
        ("", "once more in June", ""),
    )
    data = unruled((rows, (72, 200, 400)))
    assert tables(data)[0][-1] == "Water | Remark: paid in August, and once more in June | Cost: 30"


def test_a_name_beside_the_figures_it_is_over_names_their_column() -> None:
    sheet = Sheet()
    rows = (("Item", "Qty", "Price"), ("Pump", "2", "90"), ("Valve", "8", "15"), ("Seal", "3", "7"))
    for y, row in enumerate(rows):
        # The names are set from the left, the figures from the right.
        for x, right, text in zip((72, 250, 350), (0, 300, 400), row, strict=True):
            wide = pymupdf.get_text_length(text, PLAIN, 10)
            start = right - wide if right and y else x
            sheet.page.insert_text((start, 120 + 14 * y), text, fontsize=10)
    assert tables(sheet.bytes()) == [
        ["Pump | Qty: 2 | Price: 90", "Valve | Qty: 8 | Price: 15", "Seal | Qty: 3 | Price: 7"]
    ]


def test_a_heading_over_two_columns_leaves_them_two() -> None:
    rows = (
        ("", "Year ended December", "", "Year before that one", ""),
        ("", "Q1", "Q2", "Q1", "Q2"),
        ("Rent", "100", "110", "1", "2"),
        ("Power", "20", "25", "3", "4"),
        ("Water", "120", "135", "5", "6"),
    )
    first, *_ = tables(unruled((rows, (72, 250, 320, 420, 490))))
    year, before = "Year ended December", "Year before that one"
    assert first == [
        f"Rent | {year}, Q1: 100 | {year}, Q2: 110 | {before}, Q1: 1 | {before}, Q2: 2",
        f"Power | {year}, Q1: 20 | {year}, Q2: 25 | {before}, Q1: 3 | {before}, Q2: 4",
        f"Water | {year}, Q1: 120 | {year}, Q2: 135 | {before}, Q1: 5 | {before}, Q2: 6",
    ]


def test_an_account_with_signs_of_currency_keeps_figures_of_any_length_in_their_column() -> None:
    sheet = Sheet()
    for y, row in enumerate(
        (("Rent", "$", "100", "$", "7"), ("Power", "", "20", "", "1,250,000"),
         ("Gas", "", "90,400,000", "", "3"), ("Sum", "$", "9", "$", "8"))
    ):  # fmt: skip
        for (x, at_right), text in zip(
            ((72, False), (240, False), (300, True), (340, False), (400, True)), row, strict=True
        ):
            wide = pymupdf.get_text_length(text, PLAIN, 10) if at_right else 0
            if text:
                sheet.page.insert_text((x - wide, 120 + 14 * y), text, fontsize=10)
    assert tables(sheet.bytes()) == [
        ["Rent | $100 | $7", "Power | 20 | 1,250,000", "Gas | 90,400,000 | 3", "Sum | $9 | $8"]
    ]


def test_short_cells_that_begin_small_are_read_row_by_row() -> None:
    sheet = Sheet()
    sheet.line("What a guest pays who leaves early:")
    sheet.y += 14
    rows = (
        ("more than 30 days before", "full price without fees"),
        ("less than 30 days before", "half of the price"),
        ("on the day itself", "nothing"),
    )
    pieces(sheet, rows, (72, 300))
    text = " ".join(parse(sheet.bytes(), "a.pdf", limits=Limits(ocr="off")).text.split())
    assert "more than 30 days before full price without fees" in text
    assert "on the day itself nothing" in text
