"""What the style sheets of a page strike out and hide; where they leave it open, it is read."""

from __future__ import annotations

import pytest

from tests.ingest.trees import outline, read


def test_a_number_that_a_class_strikes_out_does_not_melt_into_the_one_behind_it() -> None:
    page = (
        "<style>.c0{text-decoration:line-through}.c1{text-decoration:none}</style><table>"
        "<tr><th>Item<th>Fee<tr><td>A<td><span class=c0>100</span><span class=c1>120</span></table>"
    )
    document = read(page, "a.html")
    assert outline(document) == ["table: | Item | Fee | | --- | --- | | A | 120 |"]
    assert document.remarks == ("Struck-out text was left out.",)


HIDING = {
    "a class": ".a{display:none}",
    "an id": "#i{display:none}",
    "an element with a class": "p.a{display:none}",
    "two classes": ".a.b{display:none}",
    "one of several": "td.a, .a , #x{display:none}",
    "importance": ".a{display:none!important} .b{display:block}",
    "the last of two": ".b{display:flex} .a{display:none}",
    "a comment around it": "<!-- /* } */ .a{content:'}';display:none} -->",
    "what is shown on paper": ".a{display:none} @media print{.a{display:block}}",
    "what is put in front of it": ".a{display:none} .a::before{display:block}",
    "no size": ".a{font-size:0px}",
    "no ink": ".a{opacity:.5;opacity:0.0}",
    "no place in sight": ".a{visibility:hidden}",
}
SHOWING = {
    "a second class": ".a{display:none}.a.b{display:block}",
    "a weightier rule before": ".a.b{display:block}.a{display:none}",
    "a later rule": ".a{display:none}.a{display:block}",
    "a later declaration": ".a{display:none;display:block}",
    "another element": "span.a{display:none}",
    "another class besides": ".a.c{display:none}",
    "a rule inside of another one": ".a{color:red;.c{display:none} &.d{display:none}}",
    "a rule around it": ".x .a{display:none}",
    "a place of its own": ".a{display:none} .open > .a{display:block}",
    "a wide screen": ".a{display:none!important} @media (width>9px){.b{display:flex!important}}",
    "a name with a sign": ".a{display:none} @media (min-width:9px){.md\\:b{display:flex}}",
    "the pointer": ".a{display:none} .a:hover{display:block}",
    "paper alone": "@media print{.a{display:none}}",
    "a sheet that is not closed": ".a{color:red} .b{display:none",
    "what is half seen": ".a{opacity:0.5;font-size:0.8em}",
}
PAGE = "<style>{0}</style><p class='a b md:b' id=i>Fee 5 EUR</p><p>Last.</p>"


@pytest.mark.parametrize("name", HIDING)
def test_what_a_style_sheet_hides_is_not_read(name: str) -> None:
    assert read(PAGE.format(HIDING[name]), "a.html").text == "Last."


@pytest.mark.parametrize("name", SHOWING)
def test_what_a_style_sheet_shows_or_may_show_is_read(name: str) -> None:
    assert "Fee 5 EUR" in read(PAGE.format(SHOWING[name]), "a.html").text


@pytest.mark.parametrize(
    "sheet",
    [
        "<style media=print>{0}</style>",
        "<style media='(max-width: 600px)'>{0}</style>",
        "<noscript><style>{0}</style></noscript>",
        "<template><style>{0}</style></template>",
    ],
)
def test_a_sheet_that_may_not_hold_for_a_screen_hides_nothing(sheet: str) -> None:
    page = f"{sheet.format('.a{display:none}')}<p class=a>Fee 5 EUR</p>"
    assert read(page, "a.html").text == "Fee 5 EUR"


@pytest.mark.parametrize("media", ["all", "screen", "screen, print", "only screen"])
def test_a_sheet_for_screens_hides(media: str) -> None:
    page = f"<style media='{media}'>.a{{display:none}}</style><p class=a>Fee 5 EUR</p><p>Last."
    assert read(page, "a.html").text == "Last."


def test_a_cell_of_a_class_that_hides_other_elements_is_read() -> None:
    page = (
        "<style>span.tip{display:none}</style><table><tr><th>A<th>B<tr><td>x"
        "<td class=tip>5 EUR<span class=tip>secret</span></table>"
    )
    assert outline(read(page, "a.html")) == ["table: | A | B | | --- | --- | | x | 5 EUR |"]


def test_a_style_of_its_own_outweighs_the_sheets_of_the_page() -> None:
    page = "<style>.a{display:none}</style><p class=a style='display: block'>Fee 5 EUR</p>"
    assert read(page, "a.html").text == "Fee 5 EUR"
