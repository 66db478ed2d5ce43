"""Tables whose columns are named anew further down."""

from __future__ import annotations

import pytest

from knowledge.ingest.parsers import parse
from knowledge.ingest.tree import NodeKind
from tests.ingest.docx.making import docx, p, r, tbl, tc, tr

FIRST = "<tr><th>Name<th>Jan<th>Feb<tr><td>Ann<td>1<td>2"


def rows_of(data: bytes, filename: str) -> list[list[str]]:
    """Return the searchable rows of each table of a document."""
    leaves = parse(data, filename).root.leaves()
    return [[row.text for row in leaf.rows] for leaf in leaves if leaf.kind is NodeKind.TABLE]


def page(further: str) -> list[list[str]]:
    """Return the rows of a page's table that begins with `FIRST`."""
    return rows_of(f"<table>{FIRST}{further}</table>".encode(), "a.html")


@pytest.mark.parametrize("names", ["<tr><th>Name<th>Mar<th>Apr", "<tr><th><th>Mar<th>Apr"])
def test_names_of_columns_in_the_body_hold_from_there_on(names: str) -> None:
    assert page(f"{names}<tr><td>Ann<td>3<td>4<tr><td>Bob<td>5<td>6") == [
        ["Ann | Jan: 1 | Feb: 2"],
        ["Ann | Mar: 3 | Apr: 4", "Bob | Mar: 5 | Apr: 6"],
    ]


def test_a_title_above_new_names_belongs_to_them_and_years_are_names() -> None:
    further = "<tr><th colspan=3>By year<tr><th>Name<th>2020<th>2021<tr><td>Ann<td>3<td>4"
    assert page(further)[1] == ["Ann | 2020: 3 | 2021: 4"]


@pytest.mark.parametrize("cell", ["th", "td"])
def test_a_first_thead_names_the_rows_before_the_second(cell: str) -> None:
    head = "<thead><tr><th>Name<th>Jan</thead><tbody><tr><td>Ann<td>1</tbody>"
    further = f"<thead><tr><{cell}>Name<{cell}>Mar</thead><tbody><tr><td>Ann<td>3</tbody>"
    assert rows_of(f"<table>{head}{further}</table>".encode(), "a.html") == [
        ["Ann | Jan: 1"],
        ["Ann | Mar: 3"],
    ]


@pytest.mark.parametrize(
    "row",
    [
        "<tr><th>Total<th>1<th>2",
        "<tr><th colspan=3>Second shift",
        "<tr><th>Name<th>Jan<th>Feb",
        "<tr><th scope=row>Ann<td>9<td>9",
    ],
)
def test_totals_headings_of_rows_and_the_same_names_again_divide_no_table(row: str) -> None:
    (rows,) = page(f"{row}<tr><td>Bob<td>3<td>4")
    assert rows[-1] == "Bob | Jan: 3 | Feb: 4"


def test_marked_rows_at_the_end_or_inside_a_merged_cell_divide_no_table() -> None:
    assert len(page("<tr><th>Sum<th>none<th>few")) == 1
    (rows,) = page("<tr><td rowspan=3>Bob<td>3<td>4<tr><th>Mar<th>Apr<tr><td>5<td>6")
    assert rows[-1] == "Bob | Jan: 5 | Feb: 6"


def test_tables_of_very_many_sets_of_names_stay_without_names_at_last() -> None:
    sets = "".join(f"<tr><th>Name<th>M{n}<th>N{n}<tr><td>Ann<td>1<td>2" for n in range(300))
    tables = page(sets)
    assert len(tables) == 201
    assert tables[199] == ["Ann | M198: 1 | N198: 2"]
    assert tables[200][-1] == "Ann | 1 | 2"


def test_bold_rows_of_word_that_begin_as_the_header_does_name_the_columns_anew() -> None:
    def names(*words: str) -> str:
        return tr(*(tc(p(runs=r(word, "<w:b/>"))) for word in words))

    months = tbl(
        names("Name", "Jan", "Feb"), tr("Ann", "1", "2"), names("Total", "none", "few"),
        names("Name", "Mar", "Apr"), tr("Ann", "3", "4"),
    )  # fmt: skip
    assert rows_of(docx(months), "a.docx") == [
        ["Ann | Jan: 1 | Feb: 2", "Total | Jan: none | Feb: few"],
        ["Ann | Mar: 3 | Apr: 4"],
    ]
