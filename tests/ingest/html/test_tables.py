"""Tables of pages whose markup has more in it than rows and cells."""

from __future__ import annotations

import pytest

from tests.ingest.trees import outline, read

_TABLE = ["table: | a | b | | --- | --- | | c | d |"]


@pytest.mark.parametrize(
    "page",
    [
        "<form><table><tr><th>a<th>b<tr><td>c<td>d</table></form>",
        "<table><form><tr><th>a<th>b<tr><td>c<td>d</form></table>",
        "<table><form action=x><tr><th>a<th>b</tr></form><form><tr><td>c<td>d</tr></form></table>",
        "<table><tr><form><th>a<th>b</form><tr><form><td>c<td>d</form></table>",
        "<table><tr><form><th>a</th><th>b</th></form></tr><tr><form><td>c</td><td>d</td></form></tr>"
        "</table>",
        "<table><tbody><form><tr><th>a<th>b<tr><td>c<td>d</tbody></form></table>",
        "<table><thead><form><tr><th>a<th>b</thead><tr><td>c<td>d</form></table>",
        "<table><tr><th>a</th><form><th>b</th></tr></form><tr><td>c<td>d</table>",
        "<table><form><input type=hidden value=x><tr><th>a<th>b<tr><td>c<td>d</form></table>",
        "<table><center><tr><th>a<th>b<tr><td>c<td>d</center></table>",
        "<table><div><form><tr><th>a<th>b<tr><td>c<td>d</form></div></table>",
        "<table><tr><b><th>a<th>b</b><tr><td>c<td>d</table>",
    ],
)
def test_what_stands_around_rows_and_cells_leaves_a_table_one(page: str) -> None:
    assert outline(read(page, "a.html")) == _TABLE
    assert outline(read(f"<table><tr><td>\n{page}</table>", "a.html")) == _TABLE


def test_a_caption_in_a_form_is_read() -> None:
    page = "<table><form><caption>Sales</caption><tr><th>a<th>b<tr><td>c<td>d</form></table>"
    assert outline(read(page, "a.html")) == ["paragraph: Sales", *_TABLE]


@pytest.mark.parametrize(
    "page",
    [
        "<table><form>word<tr><th>a<th>b<tr><td>c<td>d</form></table>",
        "<table><tr><form>word<th>a<th>b</form><tr><td>c<td>d</table>",
        "<table><form><tr><th>a<th>b</tr>word<tr><td>c<td>d</form></table>",
        "<table><form><p>word</p><tr><th>a<th>b<tr><td>c<td>d</form></table>",
        "<table><colgroup>word<col></colgroup><tr><th>a<th>b<tr><td>c<td>d</table>",
        "<table><tr><th>a<th>b<tr><td>c<td>d<tr><form><input value=word></form></table>",
        "<table><tr><th>a<th>b<tr><td>c<td>d<tr><form><svg><text>word</text></svg></form></table>",
    ],
)
def test_words_around_rows_and_cells_are_read(page: str) -> None:
    text = read(page, "a.html").text
    assert [word for word in ("word", "a", "b", "c", "d") if word not in text.split()] == []


def test_many_forms_in_a_table_are_gone_through_once() -> None:
    rows = "<form><tr><td>a<td>b</tr></form>" * 20_000
    (table,) = read(f"<table><tr><th>x<th>y</tr>{rows}</table>", "a.html").root.leaves()
    assert len(table.rows) == 20_000


@pytest.mark.parametrize(
    "rows",
    [
        "<tr><th scope=row>Status<td>Open<tr><th scope=row>Price<td>100",
        "<tr><th>Status<td>Open<tr><th>Price<td>100",
        "<tr><th SCOPE=Row>Status<td>Open<tr><td colspan=2>From May<tr><th>Price<td>100",
    ],
)
def test_a_row_with_a_name_of_its_own_names_no_columns(rows: str) -> None:
    (table,) = read(f"<table>{rows}</table>", "a.html").root.leaves()
    texts = [row.text for row in table.rows]
    assert texts[0] == "Status | Open"
    assert texts[-1] == "Price | 100"


def test_rows_with_one_name_for_several_name_no_columns() -> None:
    page = (
        "<table><tr><th scope=rowgroup rowspan=2>North<th scope=row>Rent<td>Open<td>Paid"
        "<tr><th scope=row>Fee<td>100<td>90<tr><th scope=row>South<td>Rent<td>1<td>2</table>"
    )
    (table,) = read(page, "a.html").root.leaves()
    assert [row.text for row in table.rows][:2] == [
        "North | Rent | Open | Paid",
        "North | Fee | 100 | 90",
    ]


@pytest.mark.parametrize(
    "first", ["<th>Item<th>Price", "<th>Item<td>Price", "<td>Item<td>Price", "<td><th>Price"]
)
def test_a_first_row_of_names_is_one_whatever_names_the_rows_below(first: str) -> None:
    rows = "<tr><td>Rent<td>100<tr><td>Fee<td>90"
    tables = [f"<table><tr>{first}{rows}</table>"]
    if "<td>" not in first or first.startswith("<td>"):
        tables.append(tables[0].replace("<td>Rent", "<th>Rent").replace("<td>Fee", "<th>Fee"))
    for page in tables:
        (table,) = read(page, "a.html").root.leaves()
        assert table.rows[0].text == "Rent | Price: 100"


SIGNS = {
    "<img alt=yes>": "yes",
    "<a href=x><img src=y.png alt='in  stock'></a>": "in stock",
    "<img alt=yes><img alt=no><img alt=yes>": "yes, no",
    "<svg><title>yes</title><path d=M0></svg>": "yes",
    "<svg aria-label=yes><path d=M0></svg>": "yes",
    "<span role=img aria-label=yes></span>": "yes",
    "<i class='icon ok' title=yes></i>": "yes",
    "<input type=checkbox checked>": "☒",
    "<input type=radio checked>": "☒",
    "<img alt=yes hidden>": "",
    "<svg aria-hidden=true aria-label=yes></svg>": "",
}


@pytest.mark.parametrize("sign", SIGNS)
def test_a_sign_is_what_a_cell_without_words_says(sign: str) -> None:
    page = f"<table><tr><th>Plan<th>Calls<th>Fee<tr><td>Basic<td>{sign}<td>5</table>"
    cell = f" {SIGNS[sign]}" if SIGNS[sign] else ""
    assert outline(read(page, "a.html")) == [
        f"table: | Plan | Calls | Fee | | --- | --- | --- | | Basic |{cell} | 5 |"
    ]


def test_a_row_of_signs_is_a_row_and_a_picture_beside_words_a_figure() -> None:
    page = (
        "<table><tr><th>Mail<th>Calls<tr><td><img alt=no><td><img alt=yes>"
        "<tr><td><img alt='A red pump'>Pump<td>5</table>"
    )
    assert outline(read(page, "a.html")) == [
        "table: | Mail | Calls | | --- | --- | | no | yes | | Pump | 5 |",
        "figure: A red pump",
    ]


def test_signs_of_a_table_in_a_cell_are_read_once() -> None:
    inner = "<table><tr><td><img alt=no><td>{}<img alt=yes></table>"
    page = f"<table><tr><th>Mail<th>Calls<tr><td>x<td>{inner}</table>"
    assert read(page.format(""), "a.html").text.endswith("| x | no, yes |")
    assert read(page.format("y"), "a.html").text.endswith(" y |\n\nno\n\nyes")


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        (["<th>Product<td>Q1<td>Q2", "<th>Pen<td>10<td>20", "<th>Ink<td>n/a<td>40"],
         ["Pen | Q1: 10 | Q2: 20", "Ink | Q1: n/a | Q2: 40"]),
        (["<th><td>2020<td>2021", "<th>Revenue<td>1<td>2"], ["Revenue | 2020: 1 | 2021: 2"]),
        (["<th>Key<td>Value<td>Unit", "<th>Mass<td>10<td>kg"], ["Mass | Value: 10 | Unit: kg"]),
        (["<th>Status<td>Open", "<th>Price<td>100"], ["Status | Open", "Price | 100"]),
        (["<th>Mass<td>10<td>kg", "<th>Size<td>3<td>m"], ["Mass | 10 | kg", "Size | 3 | m"]),
    ],
)  # fmt: skip
def test_a_first_row_of_words_above_figures_names_columns_whatever_begins_it(
    rows: list[str], lines: list[str]
) -> None:
    page = "<table>" + "".join(f"<tr>{row}" for row in rows) + "</table>"
    (table,) = [leaf for leaf in read(page, "a.html").root.leaves() if leaf.rows]
    assert [row.text for row in table.rows] == lines
