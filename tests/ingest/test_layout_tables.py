"""Tables of values with headings or what nobody sees in them, and tables that arrange a page."""

from __future__ import annotations

import pytest

from knowledge.ingest.parsers import parse
from tests.ingest.docx.making import docx, p, tbl, tc, tr
from tests.ingest.trees import outline

BODY = "<tr><td>Desk<td>100<td>119<tr><td>Chair<td>50<td>59"
NAMES = "<tr><th>Item<th>Net<th>Gross"
TABLE = (
    "| Item | Net | Gross |\n| --- | --- | --- |\n| Desk | 100 | 119 |\n| Chair | 50 | 59 |"
)  # fmt: skip
LONG = "This says at some length what the heading above it is about, and so belongs to it alone."


@pytest.mark.parametrize(
    "table",
    [
        "<tr><th><h4>Item</h4><th><h4>Net</h4><th><h4>Gross</h4>" + BODY,
        "<tr><td><h4>Item</h4><td><h4>Net</h4><td><h4>Gross</h4>" + BODY,
        f"<thead>{NAMES}</thead>" + BODY.replace("<td>Desk", "<th scope=row><h5>Desk</h5>"),
        NAMES.replace("<tr>", "<tr><input type=hidden name=a value=1>") + BODY,
        f"<script>var a = 1</script>{NAMES}<script>var b = 2</script>" + BODY,
        NAMES.replace("<tr>", "<tr><a name=top></a>") + f"</tr><noscript>on</noscript>{BODY}",
    ],
)
def test_headings_as_names_and_what_nobody_sees_leave_a_table_one(table: str) -> None:
    assert parse(f"<table>{table}</table>".encode(), "a.html").text == TABLE


def test_a_heading_in_the_caption_heads_the_table() -> None:
    page = f"<table><caption><h3>Prices</h3></caption>{NAMES}{BODY}</table><h3>More</h3><p>x"
    assert outline(parse(page.encode(), "a.html"))[0] == "# Prices"
    assert TABLE in parse(page.encode(), "a.html").text


@pytest.mark.parametrize(
    "table",
    [
        f"<tr><td><h2>One</h2><td><h2>Two</h2><tr><td>{LONG}<td>{LONG}",
        "<tr><td><h2>One</h2>a<td><h2>Two</h2>b",
        "<tr><td><h2>One</h2><tr><td>a<td>b",
        "<tr><td>x<td>y<tr><td><h2>One</h2>a<td>b",
    ],
)
def test_headings_over_what_they_head_stay_headings(table: str) -> None:
    page = f"<table>{table}</table><h2>Two</h2><p>x"
    assert "# One" in outline(parse(page.encode(), "a.html"))


@pytest.mark.parametrize("cell", ["td", "th"])
def test_headings_name_the_two_columns_of_a_table_of_words(cell: str) -> None:
    names = f"<tr><{cell}><h4>Role</h4><{cell}><h4>Duty</h4>"
    page = f"<table>{names}<tr><td>Cook<td>Soup<tr><td>Desk<td>Calls</table>"
    assert parse(page.encode(), "a.html").text.startswith("| Role | Duty |\n| --- |")
    word = tbl(tr(heading("Role"), heading("Duty")), tr("Cook", "Soup"), tr("Desk", "Calls"))
    assert parse(docx(word), "a.docx").text.startswith("| Role | Duty |\n| --- |")


def heading(text: str) -> str:
    """Return a cell of one paragraph in the style of a heading."""
    return tc(p(text, "Heading2"))


def test_names_of_columns_in_the_style_of_headings_leave_a_table_of_word_one() -> None:
    names = tr(heading("Item"), heading("Net"), heading("Gross"))
    table = tbl(names, tr("Desk", "100", "119"), tr("Chair", "50", "59"))
    assert parse(docx(table), "a.docx").text == TABLE


def test_headings_over_text_in_cells_of_word_stay_headings() -> None:
    row = tr(heading("One"), heading("Two"))
    for table in (tbl(row, tr(LONG, "b")), tbl(row), tbl(tr("a", "b"), row)):
        assert any("# One" in line for line in outline(parse(docx(table), "a.docx")))
