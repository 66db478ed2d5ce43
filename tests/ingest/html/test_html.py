"""What web pages become."""

from __future__ import annotations

import re
import socket

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.ingest.flatten import flatten
from knowledge.ingest.parsers import parse
from knowledge.ingest.preflight import Limits, Refused, Verdict
from knowledge.ingest.readable_rows import readable_row
from tests.ingest.html.samples import SAMPLES
from tests.ingest.trees import (
    assert_chunks_are_sound,
    assert_tree_is_sound,
    chunks_of,
    outline,
    read,
)

RELAXED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
TAGS = st.sampled_from(
    ["div", "p", "h1", "h2", "ul", "ol", "li", "table", "tr", "td", "th", "b", "br", "pre", "dl",
     "dt", "dd", "main", "nav", "aside", "figure", "img", "span", "a"]
)  # fmt: skip


@pytest.mark.parametrize("name", SAMPLES)
def test_a_page_becomes_what_its_sample_says(name: str) -> None:
    build, expected = SAMPLES[name]
    data = build()
    if isinstance(expected, Verdict):
        with pytest.raises(Refused) as refusal:
            parse(data, f"{name}.html")
        assert refusal.value.verdict is expected
        assert refusal.value.sentence.endswith(".")
        return
    document = parse(data, f"{name}.html")
    assert outline(document) == expected
    assert document == parse(data, f"{name}.html")
    nodes = flatten(document)
    assert_tree_is_sound(document, nodes)
    assert_chunks_are_sound(
        document, nodes, chunks_of(document, max_tokens=60, target_tokens=40), 60
    )


def test_rows_stand_where_they_say_when_cells_hold_what_nobody_sees() -> None:
    cells = (
        "<th>Reg\u00adion<th>Coffee\u200b",
        "<td>\u200bNorth<td>5",
        "<td>So\u00aduth<td>6\ufeff",
    )
    document = parse(f"<table><tr>{'<tr>'.join(cells)}</table>".encode(), "a.html")
    (table,) = document.root.leaves()
    assert [row.span.of(document.text) for row in table.rows] == ["| North | 5 |", "| South | 6 |"]
    assert [row.text for row in table.rows] == ["North | Coffee: 5", "South | Coffee: 6"]


def test_the_rows_of_a_table_carry_the_headers_above_them() -> None:
    document = parse(SAMPLES["merged_cells_head_and_foot"][0](), "a.html")
    table = next(leaf for leaf in document.root.leaves() if leaf.rows)
    assert [row.text for row in table.rows] == [
        "North | Revenue, 2021: 5 | Revenue, 2022: 6",
        "North | Revenue, 2021: 7 | 8 | Revenue, 2022: 8",
        "Total | Revenue, 2021: 12 | Revenue, 2022: 14",
    ]


def shown_rows(page: str) -> list[str]:
    """Return the rows of the only table of a page as a reader of an answer sees them."""
    document = parse(page.encode(), "a.html")
    (table,) = (leaf for leaf in document.root.leaves() if leaf.rows)
    text = table.span.of(document.text)
    return [readable_row(text, row.span.of(document.text)) for row in table.rows]


def test_a_price_is_named_by_both_rows_of_its_header() -> None:
    page = (
        "<table><thead><tr><th rowspan=2>Dish<th colspan=2>Price<tr><th>Staff<th>Guests</thead>"
        "<tbody><tr><td>Vegetarian plate<td>4.20 €<td>6.90 €</table>"
    )
    plate = ["Dish: Vegetarian plate; Price, Staff: 4.20 €; Price, Guests: 6.90 €"]
    assert shown_rows(page) == plate
    assert shown_rows(re.sub("</?t(?:head|body)>", "", page)) == plate


def test_a_cell_over_two_days_is_said_of_both_and_one_over_all_of_none() -> None:
    page = (
        "<table><tr><th>Duty<th>Mon<th>Tue<tr><th>Cook<td colspan=2>Eve"
        "<tr><td colspan=3>Closed on holidays.<tr><th>Desk<td>Ann<td>Bob</table>"
    )
    assert shown_rows(page) == [
        "Duty: Cook; Mon: Eve; Tue: Eve",
        "Closed on holidays.",
        "Duty: Desk; Mon: Ann; Tue: Bob",
    ]


@pytest.mark.parametrize(
    "struck",
    [
        "<s>5 €</s>",
        "<strike>5 €</strike>",
        "<del>5 €</del>",
        "<span style='color: red; text-decoration: underline line-through'>5 €</span>",
        "<style>.c0{color:red;text-decoration:line-through}</style><span class='c0 c1'>5 €</span>",
        "<style>.c0{text-decoration:line-through} .c0:hover{text-decoration:none}</style>"
        "<span class=c0>5 €</span>",
        "<style>span.c0{text-decoration-line:line-through}</style><span class=c0>5 €</span>",
    ],
)
def test_what_is_struck_out_is_no_part_of_the_text_and_that_is_told(struck: str) -> None:
    document = parse(f"<p>The fee is {struck} 7 €. {struck}</p>".encode(), "a.html")
    assert document.text == "The fee is 7 €."
    assert document.remarks == ("Struck-out text was left out.",)
    assert parse(b"<p>The fee is 7.<s> </s>", "a.html").remarks == ()
    as_it_was = Limits(tracked_changes="original")
    assert "5 €" in parse(f"<p>{struck}".encode(), "a.html", limits=as_it_was).text


@pytest.mark.parametrize("how", ["hidden", "style='display: none'", "style='visibility: hidden'"])
@pytest.mark.parametrize(
    "page",
    [
        "<table><tr><td>a<td>b<tr><td>c<td {}><img alt=secret>x</table>",
        "<table><tr><td>a<td>b<tr><td>c<td><img alt=secret {}>x</table>",
        "<table><tr><td>a<td>b<tr {}><td>c<td><img alt=secret>x</table>",
        "<table><tr><td>a<td>b<tbody {}><tr><td>c<td><img alt=secret>x</table>",
        "<table><caption {}>secret</caption><tr><td>a<td>b<tr><td>c<td>d</table>",
        "<table><caption><img alt=secret {}></caption><tr><td>a<td>b<tr><td>c<td>d</table>",
        "<p>a<h2><span {}><img alt=secret></span></h2>",
        "<p>a<figure><img alt=b><span {}><img alt=secret></span></figure>",
        "<p>a<figure><img alt=b><img alt=secret {}></figure>",
        "<p>a<figure><img alt=b><figcaption {}>secret</figcaption></figure>",
        "<p>a<figure><img alt=b><div {}><figcaption>secret</figcaption></div></figure>",
        "<p>a<figure {}><img alt=secret></figure>",
        "<p>a<ul><li {}><img alt=secret></ul>",
        "<p>a<dl><dt {}>secret<dd {}><img alt=secret></dl>",
    ],
)
def test_the_words_of_a_hidden_part_are_no_evidence_whatever_it_is_part_of(
    page: str, how: str
) -> None:
    text = read(page.replace("{}", how), "a.html").text
    assert "a" in text
    assert "secret" not in text
    assert "secret" in read(page.replace("{}", ""), "a.html").text


BUTTONS = {
    "<p>Press <button>Save</button> to store it.": ["paragraph: Press Save to store it."],
    "<p>Press <button type=submit><b>Save</b></button>.": ["paragraph: Press Save."],
    "<p>x<h2>A</h2><p>y<h2><button>How?</button></h2>": [
        "paragraph: x",
        "# A",
        "  paragraph: y",
        "# How?",
    ],
    "<p>Page<button>1</button><button>2</button>3": ["paragraph: Page 1 2 3"],
    "<button hidden>Save</button><p>x": ["paragraph: x"],
    "<pre><button>Copy</button>a = 1</pre>": ["code: a = 1"],
    "<pre><input type=checkbox checked>a = 1</pre>": ["code: a = 1"],
}


@pytest.mark.parametrize("page", BUTTONS)
def test_the_words_on_a_button_are_read_where_they_stand(page: str) -> None:
    assert outline(read(page, "a.html")) == BUTTONS[page]


def test_the_words_on_a_button_in_markdown_are_read_where_they_stand() -> None:
    text = read("Press <button>Save</button> to store it, and<button>5</button>6.", "a.md").text
    assert text == "Press Save to store it, and 5 6."


def test_a_single_top_heading_names_the_page_before_its_title_does() -> None:
    assert read("<title>Site - T</title><h1>T</h1><p>x", "a.html").title == "T"
    assert read("<title>Site</title><h1>A</h1><p>x<h1>B</h1>", "a.html").title == "Site"
    assert read("<p>x", "my_page.htm").title == "my page"


@pytest.mark.parametrize(
    "tag",
    [
        "area",
        "base",
        "basefont",
        "bgsound",
        "br",
        "col",
        "command",
        "embed",
        "frame",
        "hr",
        "image",
        "img",
        "input",
        "keygen",
        "link",
        "meta",
        "nextid",
        "param",
        "source",
        "spacer",
        "track",
        "wbr",
    ],
)
def test_what_stands_after_an_element_without_an_end_is_read(tag: str) -> None:
    text = parse(f"<p>before</p><{tag} src=x><p>after</p><p>last".encode(), "a.html").text
    assert [word for word in ("before", "after", "last") if word in text] == [
        "before",
        "after",
        "last",
    ]


def test_a_power_is_no_mark_of_a_note_of_the_same_number() -> None:
    page = (
        "<p>It grows to 10<sup>2</sup> pallets on 50 m<sup>2</sup>.<sup>1</sup> It is heated."
        "<sup>2</sup></p><p><sup>1</sup> By the board.</p><p><sup>2</sup> Since 2020.</p>"
    )
    text = parse(page.encode(), "a.html").text
    assert "It grows to 10² pallets on 50 m².[^1] It is heated.[^2]" in text
    assert "[^1] By the board." in text


def test_a_note_keeps_the_number_it_begins_with_and_its_links() -> None:
    page = (
        '<p>Terms.<a href="#fn1" id="fnref1" class="footnote-ref"><sup>1</sup></a></p>'
        '<ol><li id="fn1"><p>14 days net, 2 % discount, see <a href="#s3">section 3</a>.'
        '<a href="#fnref1" class="footnote-back">↩︎</a></p></li></ol><h2 id="s3">Three</h2><p>x</p>'
    )
    assert "[^1] 14 days net, 2 % discount, see section 3." in parse(page.encode(), "a.html").text


def test_no_socket_is_opened_for_any_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> socket.socket:
        raise AssertionError("A page was followed")

    monkeypatch.setattr(socket, "socket", refuse)
    for name in ("nothing_is_fetched", "external_entities_and_includes"):
        text = parse(SAMPLES[name][0](), "a.xhtml").text
        assert "root:" not in text


@given(
    pieces=st.lists(
        st.one_of(
            TAGS.map("<{}>".format),
            TAGS.map("</{}>".format),
            st.sampled_from(
                ["word ", "Sentence one. Two!", "\n", " ", "&lt;", "&#0;", "<!--", "-->"]
            ),
            st.text(max_size=5),
        ),
        max_size=60,
    )
)
@RELAXED
def test_any_soup_of_tags_gives_a_sound_tree(pieces: list[str]) -> None:
    try:
        document = parse("".join(pieces).encode("utf-8", "replace"), "a.html")
    except Refused:
        return
    nodes = flatten(document)
    assert_tree_is_sound(document, nodes)
    assert_chunks_are_sound(
        document, nodes, chunks_of(document, max_tokens=30, target_tokens=20), 30
    )


@given(
    tags=st.lists(
        st.tuples(
            TAGS.filter(lambda tag: tag not in ("nav", "main", "aside", "img", "br")), st.booleans()
        ),
        min_size=1,
        max_size=40,
    )
)
@RELAXED
def test_every_visible_word_of_a_page_is_read_once(tags: list[tuple[str, bool]]) -> None:
    opened: list[str] = []
    source = ""
    for number, (tag, closes) in enumerate(tags):
        source += f"<{tag}>w{number}x "
        opened.append(tag)
        if closes:
            source += f"</{opened.pop()}>"
    document = parse(source.encode(), "a.html")
    spans = [leaf.span for leaf in document.root.leaves()]
    sections = [document.root, *document.root.sections()]
    spans += [section.heading for section in sections if section.heading]
    covered = " ".join(span.of(document.text) for span in spans)
    for number in range(len(tags)):
        assert covered.count(f"w{number}x") == 1
