"""An answer's Markdown: its markers become links, and nothing else does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from retrieval.answers import answer_html
from tests.web.pages import read_page


def html_of(markdown: str, *cited: int, is_over: bool = False) -> str:
    return answer_html(
        markdown, cited=cited, citation_url=lambda number: f"/c/{number}/", is_over=is_over
    )


def test_markers_of_existing_citations_become_links_to_them() -> None:
    page = read_page(html_of("One [1][2].", 1, 2))
    assert page.links() == ["/c/1/#cited", "/c/2/#cited"]
    assert [link["hx-get"] for link in page.attributes("a")] == ["/c/1/", "/c/2/"]
    assert [link["aria-label"] for link in page.attributes("a")] == ["Source 1", "Source 2"]


def test_markers_without_a_citation_are_removed_with_their_space() -> None:
    assert html_of("One [1] two [2].", 1).count("<a ") == 1
    assert html_of("Two [2].", 1) == '<p dir="auto">Two.</p>\n'


def test_a_stored_marker_whose_source_was_deleted_stays_and_says_so() -> None:
    html = html_of("Two [2].", 1, is_over=True)
    assert "Source 2, deleted since" in html


def test_an_escaped_marker_and_one_in_code_are_words_of_a_document() -> None:
    assert "<a " not in html_of(r"As \[1\] says, `[1]`.", 1)


def test_links_images_and_html_of_an_answer_are_not_followed() -> None:
    page = read_page(
        html_of(
            "[w](/admin/) [v](//e.example) [x](https://e.example) "
            "![y](https://e.example/p) <b onclick=x>z</b> <https://e.example>"
        )
    )
    assert page.links() == []
    assert page.attributes("img") == page.attributes("b") == []


def test_headings_stay_below_those_of_the_page() -> None:
    assert "<h3>" in html_of("# Title")


@given(st.text(alphabet=st.sampled_from("ab1[]()*_`\\<>!#\n &\ue000\ue001|-"), max_size=60))
def test_no_answer_brings_a_link_or_an_image_of_its_own(markdown: str) -> None:
    page = read_page(html_of(markdown, 1))
    assert set(page.links()) <= {"/c/1/#cited"}
    assert page.attributes("img") == page.attributes("script") == []


def test_a_marker_is_shown_as_it_is_called_everywhere_with_brackets() -> None:
    page = read_page(html_of("Leave is 25 days. [1] It ends. [2]", 1, is_over=True))
    assert page.text("a") == ["[1]", "[2]"]
    assert [link["aria-label"] for link in page.attributes("a")] == [
        "Source 1",
        "Source 2, deleted since",
    ]
