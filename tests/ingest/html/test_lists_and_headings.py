"""Lists that count as their styles say, and headings that are some by their role alone."""

from __future__ import annotations

import pytest

from tests.ingest.trees import outline, read

LISTS = {
    "<ol style='list-style-type:lower-alpha'>": "- a. x b. y",
    "<ol style='list-style: upper-roman inside'>": "- I. x II. y",
    "<ol type=a style='list-style-type:decimal'>": "- 1. x 2. y",
    "<style>ol{list-style-type:upper-latin}</style><ol start=3>": "- C. x D. y",
    "<style>.l li,li{list-style-type:lower-roman}</style><ol class=l>": "- i. x ii. y",
    "<style>.l{list-style-type:decimal-leading-zero}</style><ul class=l>": "- 01. x 02. y",
    "<ol style='list-style-type:disc'>": "- - x - y",
    "<ol style='list-style-type:none'>": "- 1. x 2. y",
    "<ol style='list-style-type:klingon' type=i>": "- i. x ii. y",
    "<style>ul ol{list-style-type:lower-alpha}</style><ol>": "- 1. x 2. y",
    "<ol>": "- 1. x 2. y",
    "<ul style='list-style-type:square'>": "- - x - y",
}


@pytest.mark.parametrize("opening", LISTS)
def test_a_list_counts_as_its_style_says(opening: str) -> None:
    page = f"{opening}<li>x<li>y</ol></ul>"
    assert outline(read(page, "a.html")) == [f"list: {LISTS[opening].removeprefix('- ')}"]


def test_a_list_in_a_list_counts_by_itself() -> None:
    page = "<ol style='list-style-type:lower-alpha'><li>x<ol><li>y</ol><li>z</ol>"
    assert read(page, "a.html").text == "a. x\n  1. y\nb. z"


@pytest.mark.parametrize("tag", ["div", "p", "span", "b"])
def test_what_has_the_role_of_a_heading_is_one(tag: str) -> None:
    page = (
        f"<p>x</p><{tag} role=heading aria-level=1>Rules</{tag}><p>x</p>"
        f"<{tag} role=Heading aria-level=2><b>Rent</b> of <i>rooms</i></{tag}>y"
        f"<{tag} role=heading><button>Fees</button></{tag}><p>z</p>"
        f"<{tag} role=heading aria-level=9 hidden>secret</{tag}>"
    )
    assert outline(read(page, "a.html")) == [
        "paragraph: x",
        "# Rules",
        "  paragraph: x",
        "  # Rent of rooms",
        "    paragraph: y",
        "  # Fees",
        "    paragraph: z",
    ]


@pytest.mark.parametrize(
    "heading",
    [
        "<div role=heading aria-level=1><h3>Rent</h3></div>",
        "<h3 role=heading aria-level=1>Rent</h3>",
        "<h3><span role=heading aria-level=1>Rent</span></h3>",
    ],
)
def test_a_heading_by_its_name_is_one_by_that(heading: str) -> None:
    page = f"<p>x</p><h2>A</h2><p>x</p>{heading}<p>y</p>"
    assert outline(read(page, "a.html"))[2:] == ["  paragraph: x", "  # Rent", "    paragraph: y"]
