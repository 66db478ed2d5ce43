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
    "its element": "p{color:red} #i,p.b{display:none}",
    "a place left of the screen": ".a{position:absolute;left:-9999px}",
    "a place above the screen": ".a{position:fixed; top:-99em!important}",
    "a margin": ".a{margin-left:-5000px}",
    "a move": ".a{transform:translateX(-9999px)}",
    "a cut": ".a{position:absolute;clip:rect(0 0 0 0)}",
    "a cut of a point": ".a{position:absolute;clip:rect(1px, 1px, 1px, 1px)}",
    "a newer cut": ".a{clip-path:inset(50%)}",
    "no height": ".a{height:0;overflow:hidden}",
    "a height of one": ".a{height:1px;width:1px;overflow:hidden;padding:0}",
    "an indent": ".a{text-indent:-9999px}",
    "no colour": ".a{color:transparent}",
    "a colour of no weight": ".a{color:rgba(0, 0, 0, 0)}",
    "a newer colour of no weight": ".a{color:rgb(0 0 0 / 0%)}",
    "a short form of no size": ".a{font:0/0 a}",
    "no scale": ".a{transform:rotate(5deg) scale(0)}",
    "a size of one": ".a{font-size:1px}",
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
    "a hanging indent": ".a{text-indent:-2em;margin-left:-1em}",
    "a place next to its own": ".a{position:relative;left:-12px;top:-.5em}",
    "a place that is not used": ".a{left:-9999px;clip:rect(0 0 0 0)}",
    "a height that grows": ".a{height:0;overflow:hidden;padding-bottom:56%}",
    "a height that lets out": ".a{height:0}",
    "a background as colour": ".a{color:transparent;-webkit-background-clip:text}",
    "a background with a colour": ".a{color:transparent;background:linear-gradient(red,blue) text}",
    "a place until it is asked for": ".a{position:absolute;left:-999em} .a:focus{left:0}",
    "a short form": ".a{font:700 12px/1.5 Arial}",
    "black": ".a{color:rgb(0, 0, 0)}",
    "orange": ".a{color:rgb(255,165,0)}",
    "black by its light": ".a{color:hsl(0,0%,0%)}",
    "black with its weight": ".a{color:rgba(0,0,0,1.0)}",
    "half a weight": ".a{color:rgb(0 0 0 / 50%)}",
    "small print": ".a{font-size:6pt}",
    "what is half seen": ".a{opacity:0.5;font-size:0.8em}",
}
PAGE = "<style>{0}</style><p class='a b md:b' id=i>Fee 5 EUR</p><p>Last.</p>"


@pytest.mark.parametrize(
    "style",
    ["width:1px;white-space:nowrap;overflow:hidden", "height:1px;overflow:hidden",
     "height:0;width:0;overflow:hidden"],
)  # fmt: skip
def test_parts_of_tables_and_of_lines_grow_with_their_words(style: str) -> None:
    table = f"<table><tr><th>Item<th>Price<tr><td style='{style}'>Desk<td>100</table>"
    assert outline(read(table, "a.html")) == [
        "table: | Item | Price | | --- | --- | | Desk | 100 |"
    ]
    assert "words seen" in read(f"<p>Some <b style='{style}'>words seen</b>", "a.html").text


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


@pytest.mark.parametrize("element", ["em", "p em", "td"])
def test_what_a_rule_for_its_element_hides_is_not_read(element: str) -> None:
    page = f"<style>{element}{{display:none}}</style><p>Fee <em>secret </em>5 EUR</p>"
    assert ("secret" in read(page, "a.html").text) == (element != "em")


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        ("visibility:hidden", "visibility:visible"),
        ("font-size:0", "font-size:12px"),
        ("color:transparent", "color:#000"),
        ("text-indent:-9999px", "text-indent:0"),
    ],
)
def test_what_is_seen_again_in_what_is_not_is_read(hidden: str, shown: str) -> None:
    page = (
        f"<style>ul{{{hidden}}} li{{{shown}}}</style><p>x</p><ul>secret<li>Fee <b>5</b> EUR"
        f"<i style='{hidden}'>secret</i><li>Rent</ul><ul>secret<b>secret</b></ul>"
    )
    assert outline(read(page, "a.html")) == ["paragraph: x", "list: - Fee 5 EUR - Rent"]
    size = "<p style='font-size:0'><b style='font-size:2em'>secret</b></p><p>x</p>"
    assert read(size, "a.html").text == "x"


PLACES = {
    "td:nth-child(2)": "13456",
    "td:NTH-child( 2n + 1 )": "246",
    "td:nth-child(even)": "135",
    "td:nth-child(odd)": "246",
    "td:nth-child(-n+2)": "3456",
    "td:nth-child(n+3)": "12",
    "td:nth-child(3n)": "1245",
    ".c:first-child": "23456",
    "td:last-child": "12345",
    "td.c:nth-last-child(2)": "12346",
    "td:not(:first-child)": "123456",
    "th:nth-child(2)": "123456",
    "td:nth-child(2 of .c)": "123456",
    "tr:nth-child(2) td": "123456",
}


@pytest.mark.parametrize("selector", PLACES)
def test_a_rule_for_some_children_hides_these(selector: str) -> None:
    cells = "".join(f"<td class=c>{number}" for number in range(1, 7))
    page = f"<style>{selector}{{display:none}}</style><table><tr>{cells}<tr>{cells}</table>"
    seen = " | ".join(PLACES[selector])
    assert read(page, "a.html").text.split("\n")[2:] == [f"| {seen} |"] * 2


@pytest.mark.parametrize(
    "columns",
    [
        "<col><col style='visibility:collapse'>",
        "<colgroup><col><col class=off></colgroup>",
        "<colgroup></colgroup><colgroup class=off><col></colgroup>",
        "<col span=1><col span=1 class=off>",
    ],
)
def test_a_column_that_its_element_hides_is_not_read(columns: str) -> None:
    page = (
        f"<style>.off{{visibility:collapse}}</style><table>{columns}<tr><th rowspan=2>Item"
        "<th colspan=2>Price<tr><th>Old<th>New<tr><td>Fee<td>5<td>7<tr><td>Rent<td>8<td>9</table>"
    )
    assert outline(read(page, "a.html")) == [
        "table: | Item | Price, New | | --- | --- | | Fee | 7 | | Rent | 9 |"
    ]
