"""HTML in Markdown is read, not shown."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.ingest.decoding import canonical
from knowledge.ingest.flatten import flatten
from knowledge.ingest.parsers import parse
from knowledge.ingest.parsers.markdown_html import Markup
from knowledge.ingest.preflight import Limits
from tests.ingest.md.samples import SAMPLES
from tests.ingest.trees import (
    assert_chunks_are_sound,
    assert_tree_is_sound,
    chunks_of,
    outline,
    read,
)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_becomes_what_its_sample_says(name: str) -> None:
    source, expected = SAMPLES[name]
    document = read(source)
    assert outline(document) == expected
    nodes = flatten(document)
    assert_tree_is_sound(document, nodes)
    assert_chunks_are_sound(
        document, nodes, chunks_of(document, max_tokens=60, target_tokens=40), 60
    )


def test_a_file_without_html_is_left_as_it_is() -> None:
    text = "# A\n\nLess <5 mg,  a <b, `<i>`.\n\n\n- x < y\n> <z>\n\n| a |\n|---|\n| 1 < 2 |\n"
    assert read(text).text == text


def test_a_break_in_a_paragraph_ends_a_line() -> None:
    assert read("Main Street 1<br>8010 Graz<br>\nAustria\n").text == (
        "Main Street 1\n8010 Graz\nAustria\n"
    )


def test_rows_of_both_kinds_of_tables_carry_their_header() -> None:
    html = "<table><tr><th>Item<th><i>EUR</i></tr><tr><td>Pump<br>red<td>5</tr></table>"
    table, other = read(
        f"| Item | <i>EUR</i> |\n|---|---|\n| Pump<br>red | 5 |\n\n{html}\n"
    ).root.leaves()
    assert [row.text for row in table.rows] == ["Pump red | EUR: 5"]
    assert [row.text for row in other.rows] == ["Pump; red | EUR: 5"]


def test_a_heading_of_html_names_the_document() -> None:
    assert read('<h1 align="center">The <i>tool</i></h1>\n\nText.\n\n## Use\n\nx\n').title == (
        "The tool"
    )


def test_a_title_keeps_what_is_no_tag() -> None:
    source = "# A List<String> of <b>bold</b> `<i>` in <title>\n\nx\n"
    assert read(source).title == "A List<String> of bold <i> in <title>"


def test_struck_out_words_are_left_out_and_that_is_said() -> None:
    source = "It takes <del>ten</del> eleven days.\n\n<p><s>old</s> new</p>\n"
    document = read(source)
    assert outline(document) == ["paragraph: It takes eleven days.", "paragraph: new"]
    assert document.remarks == ("Struck-out text was left out.",)
    kept = parse(source.encode(), "a.md", limits=Limits(tracked_changes="marked"))
    assert outline(kept) == ["paragraph: It takes ten eleven days.", "paragraph: old new"]
    assert kept.remarks == ()


@settings(deadline=None)
@given(st.text(max_size=30), st.text(max_size=30))
def test_no_character_around_a_tag_is_lost(before: str, after: str) -> None:
    before, after = (
        canonical(text.encode("utf-8", "replace").decode()).translate(
            dict.fromkeys(map(ord, "<`\\"))
        )
        for text in (before, after)
    )
    lines = f"{before}x{after}".split("\n")
    assert Markup("", Limits()).without_tags(f"{before}<b>x</b>{after}") == "\n".join(
        line for line in lines if line.strip(" \t>")
    )


@pytest.mark.parametrize(
    "unit",
    ["<b>", "</b>", "<b></b>", "<!--", "<!-- -->", "<br>", "<a href='", "<p>", "<div>\n", "<a ",
     "<table><tr><td>x", "x<sup>1</sup>. ", "<script>\n", "<details>\n\nx\n\n", "| <b>x</b> "],
)  # fmt: skip
def test_what_stands_behind_much_html_is_read(unit: str) -> None:
    assert "End" in read(f"Start.\n\n{unit * (200_000 // len(unit))}\n\nEnd.\n").text


def test_markup_too_deep_to_be_read_stays_as_it_is() -> None:
    text = f"Start.\n\n{'<b>' * 5_000}x{'</b>' * 5_000}\n"
    assert read(text).text == text
