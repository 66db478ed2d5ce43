"""Words that a style sets apart: they are no one word, and two numbers are none."""

from __future__ import annotations

import pytest

from tests.ingest.trees import outline, read

TABLE = "<table><tr><th>Item<th>Now<tr><td>Fee<td>{}</table>"
BLOCKS = {
    "its own style": ("", "style='color:red;display:block'"),
    "a class": ("<style>.b{display:block}</style>", "class=b"),
    "its element": ("<style>i,span{display:block}</style>", ""),
    "its element and a class": ("<style>span.b{display:block}</style>", "class='a b'"),
    "a row of a style": ("<style>.b{display:table-row}</style>", "class=b"),
    "a box that bends": ("<style>.b{display:flex}</style>", "class=b"),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_what_a_style_makes_a_block_stands_on_a_line_of_its_own(name: str) -> None:
    sheet, style = BLOCKS[name]
    spans = f"<span {style}>10</span><span {style}>20</span>"
    assert outline(read(sheet + TABLE.format(spans), "a.html")) == [
        "table: | Item | Now | | --- | --- | | Fee | 10; 20 |"
    ]
    page = f"{sheet}<p>Price<span {style}>10</span>a year</p>"
    assert read(page, "a.html").text == "Price\n\n10\n\na year"
    assert outline(read(f"{sheet}<p>x<h2><span {style}>Part 1</span>Rent</h2>", "a.html")) == [
        "paragraph: x",
        "# Part 1 Rent",
    ]
    assert read(f"<ul><li>Fee<li>{sheet}<span {style}>10</span>20</ul>", "a.html").text == (
        "- Fee\n- 10\n  20"
    )


def test_lines_of_code_that_are_blocks_by_a_style_are_lines() -> None:
    page = "<style>.l{display:block}</style><pre><b class=l>a = 1</b><b class=l>b</b></pre>"
    assert read(page, "a.html").text == "a = 1\nb"
    assert read(page.replace("</b><b", "</b>\n<b"), "a.html").text == "a = 1\nb"


@pytest.mark.parametrize(
    "style",
    [
        ".r{display:flex}",
        ".r{display:inline-flex}",
        ".r{display:grid;grid-template-columns:1fr 1fr}",
        ".r *{color:red} .v{display:table-cell}",
        ".v{float:right}",
        ".v{position:absolute;left:9em}",
    ],
)
def test_what_stands_in_a_place_of_its_own_is_a_word_apart_in_its_line(style: str) -> None:
    page = f"<style>{style}</style><div class=r><b>Left</b><span class=v>42</span></div>"
    assert read(page, "a.html").text == "Left 42"
    cell = TABLE.format("<div class=r><i>10</i><i class=v>20</i></div>")
    assert "| Fee | 10 20 |" in read(f"<style>{style}</style>{cell}", "a.html").text


def test_children_of_a_column_are_lines() -> None:
    page = "<div style='display:flex;flex-direction:column'><b>Left</b><b>42</b></div>"
    assert read(page, "a.html").text == "Left\n\n42"


@pytest.mark.parametrize(
    "style",
    ["b{display:inline-block}", ".x b{display:block}", "@media(width<9px){b{display:block}}"],
)
def test_numbers_are_kept_apart_where_it_is_not_sure_that_their_elements_are(style: str) -> None:
    sheet = f"<style>{style}</style>"
    assert read(f"{sheet}<p><b>10</b><b>20</b>30</p>", "a.html").text == "10 20 30"
    assert read(f"{sheet}<p><b>H</b>ello <b>10</b>%</p>", "a.html").text == "Hello 10%"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p style='display:flex'><b>5</b>%<i>(net)</i></p>", "5% (net)"),
        ("<p style='display:flex'><b>$</b><b>12</b><b>.50</b></p>", "$12.50"),
        (
            "<p><span style='float:left'>O</span>nce, <b style='display:inline'>1</b>0</p>",
            "Once, 10",
        ),
        ("<style>b{display:block} b.i{display:inline}</style><p><b class=i>1</b>0</p>", "10"),
        ("<style>sup{position:relative}</style><p>10<sup>2</sup></p>", "10²"),
    ],
)
def test_what_belongs_together_stays_so(page: str, text: str) -> None:
    assert read(page, "a.html").text == text


def test_a_page_that_a_sheet_hides_as_a_whole_is_read() -> None:
    assert read("<style>body{opacity:0} html{display:none}</style><p>x</p>", "a.html").text == "x"
