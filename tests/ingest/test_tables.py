"""Tables as grids, as Markdown, and as one searchable line a row."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.ingest.tables import Cell, Grid, grid_of, markdown_table, searchable_rows


def grid(*rows: list[Cell | str], header_rows: int | None = None) -> Grid:
    """Return the grid of rows in which a string is a plain cell."""
    cells = [[Cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    found = grid_of(cells, header_rows)
    assert found is not None
    return found


def lines(found: Grid) -> list[str]:
    """Return the searchable lines of a grid."""
    return [row.text for row in markdown_table(found).rows]


def test_a_header_of_two_rows_is_a_path_in_every_line() -> None:
    found = grid(
        [Cell("Item", row_span=2), Cell("FY2021", col_span=2)],
        ["USD m", "%"],
        ["Revenue", "1,234", "5"],
    )
    assert found.header_rows == 2
    assert lines(found) == ["Revenue | FY2021, USD m: 1,234 | FY2021, %: 5"]
    assert markdown_table(found).text.startswith("| Item | FY2021, USD m | FY2021, % |\n| --- |")


@pytest.mark.parametrize("is_header", [False, True])
@pytest.mark.parametrize("hours", ["6", "6 h", "off"])
def test_a_label_of_rows_beside_names_of_columns_takes_no_row_into_the_header(
    hours: str, is_header: bool
) -> None:
    first = [Cell("Morning", 3), Cell("Team", 1, 2), Cell("Hours")]
    found = grid(
        [Cell(c.text, c.row_span, c.col_span, is_header) for c in first],
        ["Ann", "Cook", hours],
        ["Bob", "Desk", "7"],
        [Cell("Late", 2), "Cid", "Cook", "8"],
        ["Dan", "Desk", "9"],
    )
    assert lines(found) == [
        f"Morning | Team: Ann | Team: Cook | Hours: {hours}",
        "Morning | Team: Bob | Team: Desk | Hours: 7",
        "Late | Team: Cid | Team: Cook | Hours: 8",
        "Late | Team: Dan | Team: Desk | Hours: 9",
    ]
    assert markdown_table(found).text.startswith("|  | Team | Team | Hours |\n")


def test_labels_of_as_many_rows_one_below_the_other_are_labels_in_a_table_of_words() -> None:
    found = grid(
        [Cell("Morning", 2), Cell("Team", 1, 2)],
        ["Ann", "Cook"],
        [Cell("Late", 2), "Cid", "Cook"],
        ["Dan", "Desk"],
    )
    assert lines(found)[0] == "Morning | Team: Ann | Team: Cook"


def test_a_label_of_rows_beside_plain_names_is_no_name_of_the_labels_below() -> None:
    found = grid([Cell("Morning", 2), "Team", "Hours"], ["Ann", "6"], ["Late", "Cid", "8"])
    assert markdown_table(found).text.split("\n")[0] == "|  | Team | Hours |"
    assert lines(found) == ["Morning | Team: Ann | Hours: 6", "Late | Team: Cid | Hours: 8"]


def test_units_below_names_that_reach_down_belong_to_the_header() -> None:
    found = grid(
        [Cell("Dish", 3), Cell("Price", 1, 2)], ["Staff", "Guests"], ["EUR", "EUR"],
        [Cell("Soup", 2), "4", "5"], ["6", "7"],
    )  # fmt: skip
    assert lines(found) == [
        "Soup | Price, Staff, EUR: 4 | Price, Guests, EUR: 5",
        "Soup | Price, Staff, EUR: 6 | Price, Guests, EUR: 7",
    ]


def test_words_below_a_divided_name_belong_to_the_header_of_a_table_of_words() -> None:
    found = grid(
        [Cell("Site", 2), Cell("Contact", 1, 2)], ["Name", "Role"], ["Berlin", "Ann", "Cook"]
    )
    assert lines(found) == ["Berlin | Contact, Name: Ann | Contact, Role: Cook"]


def test_a_row_of_one_cell_below_the_names_of_columns_names_none() -> None:
    found = grid(
        ["Dish", "Staff", "Guests"], [Cell("Starters", col_span=3)], ["Soup", "2", "3"],
        header_rows=2,
    )  # fmt: skip
    assert lines(found) == ["Starters", "Soup | Staff: 2 | Guests: 3"]


def test_a_title_inside_the_header_stands_there_once() -> None:
    found = grid(
        [Cell("Prices", col_span=3)], ["Dish", "Staff", "Guests"], ["Soup", "2", "3"],
        header_rows=2,
    )  # fmt: skip
    assert markdown_table(found).text.startswith("| Prices, Dish | Staff | Guests |\n| --- |")
    assert lines(found) == ["Soup | Staff: 2 | Guests: 3"]


def test_a_title_over_plain_names_of_figures_leaves_them_names() -> None:
    title = Cell("Prices of 2026", col_span=3)
    found = grid([title], ["Dish", "Staff", "Guests"], ["Soup", "2", "3"], ["Stew", "4", "6"])
    assert lines(found) == ["Soup | Staff: 2 | Guests: 3", "Stew | Staff: 4 | Guests: 6"]


def test_a_title_of_a_form_is_over_no_names() -> None:
    title = Cell("Applicant", col_span=4)
    found = grid([title], ["Name", "Ada", "City", "Graz"], ["Age", "36", "Country", "Austria"])
    assert found.header_rows == 0


def test_a_table_that_is_all_header_keeps_its_rows() -> None:
    found = grid(["Dish", "Staff"], ["Soup", "2"], ["Stew", "4"], header_rows=3)
    assert lines(found) == ["Soup | Staff: 2", "Stew | Staff: 4"]


def test_names_and_values_have_no_header() -> None:
    found = grid(["Name", "Ada"], ["Mail", "ada@example.org"])
    assert found.header_rows == 0
    assert lines(found) == ["Name | Ada", "Mail | ada@example.org"]
    assert markdown_table(found).text.startswith("|  |  |\n| --- | --- |\n| Name | Ada |")


def test_years_above_figures_are_a_header() -> None:
    assert lines(grid(["", "2020", "2021"], ["Cost", "5", "7"])) == ["Cost | 2020: 5 | 2021: 7"]


def test_the_name_of_a_column_has_no_mark_of_a_note() -> None:
    found = grid(["", "2020[^1]", "2021²"], ["Cost", "5[^2]", "7"])
    assert lines(found) == ["Cost | 2020: 5[^2] | 2021²: 7"]
    assert markdown_table(found).text.startswith("|  | 2020[^1] | 2021² |")


def test_a_row_of_figures_is_no_header() -> None:
    assert grid(["a", "5", "7"], ["b", "6", "8"]).header_rows == 0


def test_a_cell_over_several_columns_is_named_by_all_of_them() -> None:
    found = grid(["Team", "May", "June"], ["Red", Cell("closed", col_span=2)])
    assert lines(found) == ["Red | May, June: closed"]
    assert markdown_table(found).text.endswith("| Red | closed | closed |")


def test_a_cell_over_several_rows_is_written_in_each() -> None:
    found = grid(["Site", "Unit", "Cost"], [Cell("Berlin", 2), "A", "5"], ["B", "7"])
    assert markdown_table(found).text.endswith("| Berlin | A | 5 |\n| Berlin | B | 7 |")


def test_long_text_of_a_merged_cell_is_written_once() -> None:
    words = "word " * 41
    found = grid(["Team", "May", "June"], ["Red", Cell(words, col_span=2)])
    assert markdown_table(found).text.endswith(f"| Red | {words.strip()} |  |")


def test_a_table_that_repeating_would_blow_up_is_written_without() -> None:
    below: list[list[Cell | str]] = [["3", "4"] for _ in range(3_999)]
    found = grid([Cell("x" * 200, 4_000), "1", "2"], *below)
    assert len(markdown_table(found).text) < 100_000


def test_a_cell_over_the_whole_width_stands_alone() -> None:
    found = grid(["Team", "May", "June"], [Cell("Northern teams", col_span=3)], ["Red", "1", "2"])
    assert lines(found) == ["Northern teams", "Red | May: 1 | June: 2"]
    assert "| Northern teams |  |  |" in markdown_table(found).text
    found = grid(["Team", "May"], [Cell("Northern teams", 2, 2)], [], ["Red", "1"], header_rows=1)
    assert markdown_table(found).text.endswith("| --- | --- |\n| Northern teams |  |\n| Red | 1 |")


def test_empty_rows_and_columns_are_left_out() -> None:
    found = grid(["a", "", "b", "c"], ["", "", "", ""], ["1", "", "2", "3"])
    assert markdown_table(found).text == "| a | b | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |"
    assert grid_of([[Cell(" ")], []]) is None


def test_a_bar_in_a_cell_ends_no_cell() -> None:
    assert "| x \\| y |" in markdown_table(grid(["x | y", "z"])).text


def staggered(count: int) -> list[list[Cell]]:
    """Return rows with a cell each that reaches to the end: as many columns as rows."""
    return [[Cell(f"v{row}", 65_000)] for row in range(count)]


def wide_and_long(count: int) -> list[list[Cell]]:
    """Return one row of many cells over many rows of one."""
    return [[Cell(f"v{column}") for column in range(count)], *([Cell("w")] for _ in range(count))]


def under_a_long_name(count: int) -> list[list[Cell]]:
    """Return many short rows under the name of a column that has 1,900 characters."""
    return [
        [Cell("A"), Cell("word " * 380)],
        *([Cell(f"v{row}"), Cell("2")] for row in range(count)),
    ]


def beside_a_long_cell(count: int) -> list[list[Cell]]:
    """Return many short rows beside a cell of 1,900 characters that reaches over all of them."""
    return [
        [Cell("A"), Cell("B"), Cell("C")],
        [Cell("word " * 380, count), Cell("1"), Cell("2")],
        *([Cell(f"v{row}"), Cell("2")] for row in range(count)),
    ]


def merged_under_many_names(count: int) -> list[list[Cell]]:
    """Return many rows of a cell that is merged over columns with long names."""
    names = [Cell(f"{'word ' * 38}{column}") for column in range(50)]
    return [[Cell("A"), *names], *([Cell(f"v{row}"), Cell("2", 1, 50)] for row in range(count))]


@pytest.mark.parametrize("header_rows", [None, 1])
@pytest.mark.parametrize(
    "rows_of",
    [staggered, wide_and_long, under_a_long_name, beside_a_long_cell, merged_under_many_names],
)
def test_what_a_table_becomes_is_in_proportion_to_its_source_and_no_cell_is_lost(
    rows_of: Callable[[int], list[list[Cell]]], header_rows: int | None
) -> None:
    rows = rows_of(1_500)
    found = grid_of(rows, header_rows)
    assert found is not None
    rendered = markdown_table(found)
    source = sum(len("<td>") + len(cell.text) for row in rows for cell in row)
    assert len(rendered.text) < 20_000 + 12 * source
    assert sum(len(row.text) for row in rendered.rows) < 20_000 + 24 * source
    written = set(re.findall(r"\w+", rendered.text))
    assert {word for row in rows for cell in row for word in cell.text.split()} <= written


def test_a_table_out_of_proportion_is_read_row_by_row_under_no_name() -> None:
    found = grid_of([[Cell(f"v{row}", 65_000), Cell("w", 1, 1_000)] for row in range(1_500)], 1)
    assert found is not None
    assert lines(found)[:2] == ["v0, w", "v1, w"]
    assert found.width == 1


def test_names_of_columns_that_short_rows_leave_empty_cost_no_row_its_names() -> None:
    names: list[Cell | str] = [f"c{column}" for column in range(61)]
    body: list[list[Cell | str]] = [[f"r{row}", "5"] for row in range(100)]
    found = grid(names, *body, header_rows=1)
    assert lines(found)[0] == "r0 | c1: 5"
    assert re.findall(r"c\d+", markdown_table(found).text) == names


def test_cells_without_room_of_their_own_are_joined_in_the_last_column() -> None:
    """Also those over several rows, which are said where they begin."""
    top = [Cell(f"c{column}") for column in range(100)]
    held = [Cell("a"), Cell("all", 1, 58), Cell("b", 2), Cell("c", 2)]
    found = grid_of([top, held, [Cell("k")], *([Cell("x")] for _ in range(200))], 1)
    assert found is not None
    assert found.width < 60
    last = markdown_table(found).text.split("\n")[2:5]
    assert [line.split(" | ")[-1] for line in last] == ["b, c |", "b |", " |"]


def test_names_are_cut_in_lines_that_whole_ones_would_put_out_of_proportion() -> None:
    found = grid_of(under_a_long_name(1_500), 1)
    assert found is not None
    assert lines(found)[0] == "v0 | word word word word word word word word: 2"
    header, *body = [[cell.text.strip() for cell in row] for row in under_a_long_name(1_500)]
    assert searchable_rows(header, body) == lines(found)
    assert searchable_rows(header, body[:3])[0] == f"v0 | {header[1]}: 2"


def test_a_cell_as_wide_as_a_file_likes_to_say_counts_for_the_columns_there_are() -> None:
    found = grid(["a", "b", "c"], [Cell("all", 1, 10**9), "behind"], ["1", "2", "3"])
    assert markdown_table(found).text.split("\n")[2:] == ["| all | all | all | behind |",
                                                          "| 1 | 2 | 3 |  |"]  # fmt: skip


def test_a_table_of_millions_of_cells_is_refused() -> None:
    row = [Cell("x")] * 1_500
    with pytest.raises(ValueError, match="claims"):
        grid_of([row] * 1_400)


def test_merged_cells_that_claim_millions_of_places_are_refused() -> None:
    rows = [[Cell("name")] * 16, *([[Cell("x", 1, 16)]] * 140_000)]
    with pytest.raises(ValueError, match="claims"):
        grid_of(rows)


def test_rows_of_unlike_length_take_two_million_places_at_most() -> None:
    rows = [[Cell(f"c{column}") for column in range(16)], *([[Cell("x")]] * 140_000)]
    found = grid_of(rows, 1)
    assert found is not None
    assert len(found.cells) * found.width <= 2_000_000
    assert found.header()[0] == "c0"
    assert found.header()[-1] == "c13, c14, c15"


def test_a_cell_wider_than_the_room_between_two_from_above_leaves_their_places_theirs() -> None:
    found = grid(
        ["a", "b", "c", "d"],
        ["1", Cell("held", 2), "3", "4"],
        [Cell("wide", 1, 3), "8"],
        header_rows=1,
    )
    assert markdown_table(found).text.endswith("| wide | held | wide | 8 |")
    assert lines(found)[1] == "wide | b: held | c: wide | d: 8"


def test_a_row_without_cells_below_merged_ones_says_nothing_twice() -> None:
    found = grid(["a", "b"], [Cell("k", 2), Cell("5", 2)], [], ["m", "6"])
    assert lines(found) == ["k | b: 5", "m | b: 6"]
    assert "| m | 6 |" in markdown_table(found).text
    found = grid(["a", "b", "c"], [Cell("k", 3), "5", "6"], [], ["7", "8"])
    assert lines(found) == ["k | b: 5 | c: 6", "k | b: 7 | c: 8"]


@given(
    rows=st.lists(
        st.lists(st.tuples(st.integers(0, 3), st.integers(1, 3)), max_size=5),
        min_size=1,
        max_size=5,
    ),
    header_rows=st.one_of(st.none(), st.integers(0, 3)),
)
@settings(deadline=None)
def test_every_word_stands_in_the_markdown_where_it_holds_and_rows_lie_inside_it(
    rows: list[list[tuple[int, int]]], header_rows: int | None
) -> None:
    cells = [
        [Cell(f"r{r}c{c}", max(1, high), wide) for c, (high, wide) in enumerate(row)]
        for r, row in enumerate(rows)
    ]
    found = grid_of(cells, header_rows)
    if found is None:
        assert not any(cells)
        return
    rendered = markdown_table(found)
    for row in cells:
        for cell in row:
            places = cell.row_span * cell.col_span
            assert 1 <= len(re.findall(rf"\b{cell.text}\b", rendered.text)) <= places
    position = 0
    for line in rendered.rows:
        assert position <= line.span.start < line.span.end <= len(rendered.text)
        assert line.span.of(rendered.text).startswith("|")
        position = line.span.end
