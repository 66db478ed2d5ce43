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
