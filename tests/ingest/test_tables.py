"""Tables as grids, as Markdown, and as one searchable line a row."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.ingest.tables import Cell, Grid, grid_of, markdown_table


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


def test_a_table_that_claims_too_many_places_is_refused() -> None:
    rows = [[Cell("x", 65_000, 1_000)] for _ in range(20_000)]
    with pytest.raises(ValueError, match="claims"):
        grid_of(rows)


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
