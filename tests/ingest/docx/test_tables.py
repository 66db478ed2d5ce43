"""Rows of Word's tables: which are seen, and which of them name columns."""

from __future__ import annotations

import pytest

from knowledge.ingest.parsers import parse
from tests.ingest.docx.making import docx, p, r, tbl, tc, tr


def test_a_hidden_row_is_no_part_of_a_table() -> None:
    table = tbl(tr("a", "b"), tr("secret", "9", about="<w:hidden/>"), tr("c", "d"))
    text = parse(docx(p("Before") + table), "a.docx").text
    assert text == "Before\n\n|  |  |\n| --- | --- |\n| a | b |\n| c | d |"


def strong(text: str) -> str:
    """Return a cell with bold words."""
    return tc(p(runs=r(text, "<w:b/>")))


def lines(table: str) -> list[str]:
    """Return the searchable lines of a table."""
    leaf = next(parse(docx(table), "a.docx").root.leaves())
    return [row.text for row in leaf.rows]


def test_bold_names_of_rows_beside_values_make_no_header_of_the_first_row() -> None:
    table = tbl(tr(strong("Status"), "Open"), tr(strong("Price"), "100"))
    assert lines(table) == ["Status | Open", "Price | 100"]
    table = tbl(tr(strong("Rome"), "Italy", "Open"), tr(strong("Oslo"), "Norway", "Closed"))
    assert lines(table) == ["Rome | Italy | Open", "Oslo | Norway | Closed"]


def test_words_above_figures_name_their_columns_beside_bold_names_of_rows() -> None:
    table = tbl(tr(strong("City"), "Revenue", "Cost"), tr(strong("Rome"), "5", "6"))
    assert lines(table) == ["Rome | Revenue: 5 | Cost: 6"]
    table = tbl(tr("", "2022", "2023"), tr(strong("Rent"), "5", "6"))
    assert lines(table) == ["Rent | 2022: 5 | 2023: 6"]


@pytest.mark.parametrize(
    ("look", "named"),
    [
        ('w:firstRow="0" w:firstColumn="1"', True),
        ('w:val="0080"', True),
        ('w:firstRow="1" w:firstColumn="1"', False),
        ('w:val="04A0"', False),
        ('w:val="0600"', False),
    ],
)
def test_a_table_that_sets_off_its_first_column_alone_has_no_header(look: str, named: bool) -> None:
    table = tbl(tr("Status", "Open"), tr("Price", "100"))
    table = table.replace("<w:tblPr/>", f"<w:tblPr><w:tblLook {look}/></w:tblPr>")
    assert lines(table) == (["Status | Open", "Price | 100"] if named else ["Price | Open: 100"])
