"""Ruled tables of PDFs: merged cells, tables over several pages, names above them."""

from __future__ import annotations

from collections.abc import Sequence

import pymupdf
import pytest

from knowledge.ingest.parsers import parse
from knowledge.ingest.preflight import Limits
from tests.ingest.pdf.drawing import Sheet
from tests.ingest.pdf.gridded import Rows, Spans, merged_grid, tables

QUARTERS: Rows = (("Region", "2023", "", "2024", ""), ("", "Units", "Value", "Units", "Value"))
QUARTER_SPANS: Spans = {(0, 0): (2, 1), (0, 1): (1, 2), (0, 3): (1, 2)}


def ruled(rows: Rows, spans: Spans | None = None, *, bold: int = 0) -> bytes:
    sheet = Sheet()
    sheet.line("The figures follow in the table.")
    merged_grid(sheet, rows, spans, bold=bold)
    return sheet.bytes()


def over_pages(*parts: Rows, spans: Spans | None = None, bold: Sequence[int] = (0, 0)) -> bytes:
    """Return a file whose parts stand at the foot of a page and at the tops of the next ones."""
    sheet = Sheet()
    sheet.line("The figures follow in the table.")
    sheet.y = 600
    for number, rows in enumerate(parts):
        if number:
            sheet.new_page()
            sheet.y = 60
        merged_grid(sheet, rows, spans, bold=bold[number])
    return sheet.bytes()


CITIES: Rows = (("City", "Revenue", "Cost"), ("Rome", "10", "8"), ("Oslo", "11", "9"))
CITY_ROWS = ["Rome | Revenue: 10 | Cost: 8", "Oslo | Revenue: 11 | Cost: 9"]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            (("City", "Staff", "Offices"), ("Bonn", "300", "2")),
            ["Bonn | Staff: 300 | Offices: 2"],
        ),
        (
            (("Town", "Staff", "Offices"), ("Bonn", "300", "2"), ("Graz", "40", "3")),
            ["Bonn | Staff: 300 | Offices: 2", "Graz | Staff: 40 | Offices: 3"],
        ),
        ((("City", "2020", "2021"), ("Bonn", "300", "2")), ["Bonn | 2020: 300 | 2021: 2"]),
    ],
)
def test_a_table_with_other_names_on_the_next_page_is_one_of_its_own(
    rows: Rows, expected: list[str]
) -> None:
    assert tables(over_pages(CITIES, rows)) == [CITY_ROWS, expected]


@pytest.mark.parametrize(
    "words", [("on request", "as agreed"), ("TBD", "Per year"), ("see 4", "-")]
)
def test_words_in_place_of_figures_at_the_top_of_a_page_name_no_columns(
    words: tuple[str, str],
) -> None:
    rows = (("Fee", *words), ("Bonn", "300", "2"))
    (table,) = tables(over_pages(CITIES, rows))
    assert table == [
        *CITY_ROWS,
        f"Fee | Revenue: {words[0]} | Cost: {words[1]}",
        "Bonn | Revenue: 300 | Cost: 2",
    ]


def test_years_that_are_others_on_the_next_page_name_a_table_of_their_own() -> None:
    first = (("City", "2022", "2023"), ("Rome", "10", "8"))
    second = (("City", "2020", "2021"), ("Rome", "300", "2"))
    assert tables(over_pages(first, second)) == [
        ["Rome | 2022: 10 | 2023: 8"],
        ["Rome | 2020: 300 | 2021: 2"],
    ]


def test_bold_names_that_are_others_on_the_next_page_name_a_table_of_words() -> None:
    first = (("City", "Mayor", "River"), ("Rome", "Anna", "Tiber"))
    second = (("Dish", "Cook", "Taste"), ("Soup", "Bela", "sour"))
    assert tables(over_pages(first, second, bold=(1, 1))) == [
        ["Rome | Mayor: Anna | River: Tiber"],
        ["Soup | Cook: Bela | Taste: sour"],
    ]


@pytest.mark.parametrize("bold", [(0, 0), (1, 0)])
def test_a_table_of_words_goes_on_without_its_names(bold: Sequence[int]) -> None:
    first = (("City", "Mayor", "River"), ("Rome", "Anna", "Tiber"))
    second = (("Bonn", "Bela", "Rhine"), ("Oslo", "Cleo", "Alna"))
    assert tables(over_pages(first, second, bold=bold)) == [
        [
            "Rome | Mayor: Anna | River: Tiber",
            "Bonn | Mayor: Bela | River: Rhine",
            "Oslo | Mayor: Cleo | River: Alna",
        ]
    ]


def test_rows_that_lack_figures_at_the_top_of_a_page_give_no_names_to_others() -> None:
    second = (("Bonn", "n/a", "pending"), ("Graz", "40", "3"))
    rows = [row for table in tables(over_pages(CITIES, second)) for row in table]
    assert rows[:2] == CITY_ROWS
    assert not any("pending:" in row or "n/a:" in row for row in rows)


def test_a_repeated_header_of_two_rows_is_said_once() -> None:
    first = (*QUARTERS, ("North", "10", "100", "20", "200"))
    second = (*QUARTERS, ("South", "12", "120", "22", "220"))
    assert tables(over_pages(first, second, spans=QUARTER_SPANS)) == [
        [
            "North | 2023, Units: 10 | 2023, Value: 100 | 2024, Units: 20 | 2024, Value: 200",
            "South | 2023, Units: 12 | 2023, Value: 120 | 2024, Units: 22 | 2024, Value: 220",
        ]
    ]


@pytest.mark.parametrize("name", ["City (cont.)", "City (continued)", "City – continued", "CITY"])
def test_a_header_that_says_it_is_continued_is_no_row(name: str) -> None:
    second = ((name, "Revenue", "Cost"), ("Bonn", "12", "7"))
    assert tables(over_pages(CITIES, second)) == [[*CITY_ROWS, "Bonn | Revenue: 12 | Cost: 7"]]


def test_a_column_that_is_empty_on_one_page_keeps_its_table_together() -> None:
    first = (("City", "Note", "Cost"), ("Rome", "old", "8"), ("Oslo", "new", "9"))
    second = (("Bonn", "", "7"), ("Graz", "", "6"))
    assert tables(over_pages(first, second)) == [
        [
            "Rome | Note: old | Cost: 8",
            "Oslo | Note: new | Cost: 9",
            "Bonn | Cost: 7",
            "Graz | Cost: 6",
        ]
    ]


def test_a_table_whose_columns_stand_elsewhere_is_another_one() -> None:
    sheet = Sheet()
    sheet.y = 600
    merged_grid(sheet, CITIES, widths=(90, 70, 140))
    sheet.new_page()
    merged_grid(sheet, (("Bonn", "12", "7"), ("Graz", "13", "6")), widths=(40, 130, 130))
    assert tables(sheet.bytes()) == [CITY_ROWS, ["Bonn | 12 | 7", "Graz | 13 | 6"]]


def test_pages_that_stand_in_for_sections_have_each_row_once() -> None:
    sheet = Sheet()
    for number in range(21):
        if number:
            sheet.new_page()
        merged_grid(sheet, (*CITIES[:1], (f"Town {number}", "1", "2")))
    rows = [row for table in tables(sheet.bytes()) for row in table]
    assert rows == [f"Town {number} | Revenue: 1 | Cost: 2" for number in range(21)]


def test_a_merged_cell_is_said_with_each_of_its_rows() -> None:
    rows = (("Region", "Year", "Sales"), ("North", "2022", "100"), ("", "2023", "110"))
    assert tables(ruled(rows, {(1, 0): (2, 1)})) == [
        ["North | Year: 2022 | Sales: 100", "North | Year: 2023 | Sales: 110"]
    ]


def test_a_name_over_two_columns_is_that_of_both() -> None:
    rows = (("Region", "Sales", ""), ("North", "100", "110"), ("South", "90", "80"))
    assert tables(ruled(rows, {(0, 1): (1, 2)})) == [
        ["North | Sales: 100 | Sales: 110", "South | Sales: 90 | Sales: 80"]
    ]


@pytest.mark.parametrize("bold", [0, 2])
def test_names_of_two_rows_are_joined_over_their_columns(bold: int) -> None:
    rows = (*QUARTERS, ("North", "10", "100", "20", "200"), ("South", "330", "", "22", "220"))
    spans = {**QUARTER_SPANS, (3, 1): (1, 2)}
    assert tables(ruled(rows, spans, bold=bold)) == [
        [
            "North | 2023, Units: 10 | 2023, Value: 100 | 2024, Units: 20 | 2024, Value: 200",
            "South | 2023, Units, 2023, Value: 330 | 2024, Units: 22 | 2024, Value: 220",
        ]
    ]


def test_a_row_whose_cells_before_are_empty_keeps_its_columns() -> None:
    rows = (("Item", "2022", "2023"), ("Rent", "", "110"), ("", "5", ""))
    assert tables(ruled(rows)) == [["Rent | 2023: 110", "2022: 5"]]


def test_words_turned_upright_in_a_ruled_cell_are_read_forwards() -> None:
    sheet = Sheet()
    merged_grid(sheet, (("City", "", ""), ("Rome", "10", "8"), ("Oslo", "11", "9")), height=60)
    for x, text in ((205, "Revenue"), (295, "Net cost")):
        sheet.page.insert_text((x, 146), text, fontsize=10, rotate=90)
    assert tables(sheet.bytes()) == [
        ["Rome | Revenue: 10 | Net cost: 8", "Oslo | Revenue: 11 | Net cost: 9"]
    ]


@pytest.mark.parametrize(
    ("names", "label"),
    # Without ligatures, whose meaning the fonts of MuPDF do not name.
    [(("עיר", "הכנסות"), "רומא"), (("مدينة", "سعر شهري"), "روما")],
)
def test_words_from_right_to_left_in_a_ruled_cell_are_in_order(
    names: Sequence[str], label: str
) -> None:
    sheet = Sheet()
    merged_grid(sheet, (("", "", ""), ("", "10", "8"), ("Oslo", "11", "9")))
    for x, y, text in (
        (72, 90, names[0]),
        (162, 90, names[1]),
        (252, 90, "Cost 5"),
        (72, 110, label),
    ):
        frame = pymupdf.Rect(x + 1, y, x + 89, y + 20)
        sheet.page.insert_htmlbox(frame, f'<p style="margin:0;font-size:10px">{text}</p>')
    assert tables(sheet.bytes())[0][0] == f"{label} | {names[1]}: 10 | Cost 5: 8"


FIGURES: Rows = (("Rome", "10", "8"), ("Oslo", "11", "9"), ("Bonn", "12", "7"))


@pytest.mark.parametrize(
    "above",
    [
        [("Rents of the year 2021 follow", 90)],
        [("Draft of May", 200)],
        [("They were counted by hand", 150), ("in May, as each year", 150)],
    ],
)
def test_a_line_of_text_above_a_table_of_figures_names_no_columns(
    above: Sequence[tuple[str, float]],
) -> None:
    sheet = Sheet()
    for text, x in above:
        sheet.line(text, x=x, size=10)
    sheet.y -= 4
    merged_grid(sheet, FIGURES, widths=(50, 90, 90))
    document = parse(sheet.bytes(), "a.pdf", limits=Limits(ocr="off"))
    assert tables(sheet.bytes()) == [["Rome | 10 | 8", "Oslo | 11 | 9", "Bonn | 12 | 7"]]
    assert all(text in document.text for text, _ in above)


def test_a_line_of_text_above_the_rest_of_a_table_is_no_row_of_it() -> None:
    sheet = Sheet()
    sheet.y = 600
    merged_grid(sheet, CITIES)
    sheet.new_page()
    sheet.line("Draft of May", x=220, size=10)
    sheet.y -= 4
    merged_grid(sheet, (("Bonn", "12", "7"), ("Graz", "13", "6")))
    rows = [row for table in tables(sheet.bytes()) for row in table]
    assert [row for row in rows if "Draft" in row] == []


def test_names_above_the_rules_of_a_table_are_those_of_its_columns() -> None:
    sheet = Sheet()
    for x, y, text in ((185, 80, "Three months ended"), (165, 94, "2022"), (255, 94, "2023")):
        sheet.line(text, x=x, y=y, size=10)
    sheet.y = 100
    merged_grid(sheet, FIGURES)
    assert tables(sheet.bytes())[0][0] == (
        "Rome | Three months ended 2022: 10 | Three months ended 2023: 8"
    )


def test_names_of_several_lines_above_a_table_are_those_of_their_columns() -> None:
    sheet = Sheet()
    for x, y, text in ((165, 82, "Net sales"), (165, 94, "of May"), (255, 82, "Cost")):
        sheet.line(text, x=x, y=y, size=10)
    sheet.y = 100
    merged_grid(sheet, FIGURES)
    assert tables(sheet.bytes())[0][0] == "Rome | Net sales of May: 10 | Cost: 8"


def test_two_tables_close_below_each_other_are_two() -> None:
    sheet = Sheet()
    merged_grid(sheet, CITIES)
    sheet.y += 2 - 24
    merged_grid(sheet, (("Town", "Staff", "Area"), ("Bonn", "300", "2"), ("Graz", "40", "3")))
    assert tables(sheet.bytes()) == [
        CITY_ROWS,
        ["Bonn | Staff: 300 | Area: 2", "Graz | Staff: 40 | Area: 3"],
    ]


def test_a_total_below_a_double_rule_belongs_to_its_table() -> None:
    sheet = Sheet()
    merged_grid(sheet, CITIES)
    sheet.y += 2 - 24
    merged_grid(sheet, (("Sum", "21", "17"), ("Mean", "10.5", "8.5")))
    assert tables(sheet.bytes()) == [
        [*CITY_ROWS, "Sum | Revenue: 21 | Cost: 17", "Mean | Revenue: 10.5 | Cost: 8.5"]
    ]


def test_a_cell_that_ends_like_a_remark_of_going_on_is_compared_as_it_is() -> None:
    first = (("Room", "Deluxe", "Deluxe Suite"), ("Rome", "10", "8"))
    second = (("Room", "Deluxe", "Deluxe (continued)"), ("Oslo", "11", "9"))
    assert len(tables(over_pages(first, second))) == 2


def test_labels_that_no_rules_part_are_those_of_the_rows_they_stand_beside() -> None:
    sheet = Sheet()
    merged_grid(
        sheet,
        (CITIES[0], *(("", *row[1:]) for row in FIGURES)),
        {(1, 0): (3, 1)},
    )
    for number, (label, *_) in enumerate(FIGURES):
        sheet.page.insert_text((75, 123 + 20 * number), label, fontsize=10)
    assert tables(sheet.bytes()) == [
        [
            "Rome | Revenue: 10 | Cost: 8",
            "Oslo | Revenue: 11 | Cost: 9",
            "Bonn | Revenue: 12 | Cost: 7",
        ]
    ]


def test_a_label_of_two_lines_that_is_merged_over_rows_is_one() -> None:
    sheet = Sheet()
    rows = (("Region", "Year", "Sales"), ("", "2022", "100"), ("", "2023", "110"))
    merged_grid(sheet, rows, {(1, 0): (2, 1)})
    for y, text in ((127, "Northern"), (139, "islands")):
        sheet.page.insert_text((75, y), text, fontsize=10)
    assert tables(sheet.bytes())[0][1] == "Northern islands | Year: 2023 | Sales: 110"


def test_a_wrapped_label_whose_lines_stand_beside_rows_is_one() -> None:
    sheet = Sheet()
    rows = (("Kind", "Item", "Price"), ("", "Van", "900"), ("", "Car", "800"))
    top = sheet.y
    merged_grid(sheet, rows, {(1, 0): (2, 1)}, height=20)
    for number, text in enumerate(("Cars and", "delivery vans"), 1):
        sheet.page.insert_text((75, top + 20 * number + 13), text, fontsize=10)
    assert tables(sheet.bytes()) == [
        [
            "Cars and delivery vans | Item: Van | Price: 900",
            "Cars and delivery vans | Item: Car | Price: 800",
        ]
    ]
