"""A leaf with a quote in it: marked exactly, whatever the markup around it."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.ingest.tree import NodeKind, Span
from knowledge.reading.leaves import Markup, leaf_html

_WITHIN = {
    NodeKind.PARAGRAPH: "{}.",
    NodeKind.LIST: "- {}.\n",
    NodeKind.TABLE: "| A |\n|---|\n| {} |\n",
}


def html_of(kind: str, text: str, quote: str, markup: Markup = Markup.MARKDOWN) -> str:
    start = text.index(quote)
    return leaf_html(kind, text, markup, Span(start, start + len(quote)))


def marked(html: str) -> str:
    """Return what a reader sees marked."""
    return unescape(
        "".join(re.sub("<[^>]*>", "", m) for m in re.findall("<mark>(.*?)</mark>", html, re.S))
    )


@pytest.mark.parametrize(
    ("text", "quote", "seen"),
    [
        ("First. Second one. Third.", "Second one.", "Second one."),
        ("**Bold** starts it. More.", "**Bold** starts it.", "Bold starts it."),
        ("A **b c** d.", "c** d.", "c d."),
        ("A snake_case _em_ word.", "_em_ word.", "em word."),
        ("Read [the guide](https://g.example/a_b) now.", "the guide", "the guide"),
        ("Run `rm -rf` twice.", "`rm -rf` twice.", "rm -rf twice."),
        ("1 < 2 & 3 > 2. Next.", "1 < 2 & 3 > 2.", "1 < 2 & 3 > 2."),
        ("<b>raw</b> text. Next.", "<b>raw</b> text.", "<b>raw</b> text."),
        ("مرحبا بالعالم. جملة ثانية.", "جملة ثانية.", "جملة ثانية."),
        ("第一句。第二句。第三句。", "第二句。", "第二句。"),
        ("One\ntwo lines. Three.", "One\ntwo lines.", "One\ntwo lines."),
        ("An emoji 🪨 here. Next.", "🪨 here.", "🪨 here."),
    ],
)
def test_exactly_the_quote_is_marked(text: str, quote: str, seen: str) -> None:
    html = html_of(NodeKind.PARAGRAPH, text, quote)
    assert marked(html).replace(" ", "") == seen.replace(" ", "")
    assert re.sub("</?mark>", "", html) == leaf_html(NodeKind.PARAGRAPH, text, Markup.MARKDOWN)


@pytest.mark.parametrize("markup", [Markup.MARKDOWN, Markup.COMPOSED])
def test_the_mark_of_a_footnote_is_raised(markup: Markup) -> None:
    text = "Valid in 2026.[^1] See [^abc] too."
    html = html_of(NodeKind.PARAGRAPH, text, "Valid in 2026.[^1]", markup)
    assert "<sup><mark>1</mark></sup>" in html
    assert "[^abc]" in html
    assert marked(html) == "Valid in 2026.1"
    assert "<sup>1</sup>" in leaf_html(NodeKind.LIST, f"- {text}", markup)


def test_a_quote_inside_of_an_address_marks_the_whole_paragraph() -> None:
    html = html_of(NodeKind.PARAGRAPH, "Read [the guide](https://g.example/) now.", "g.example")
    assert marked(html) == "Read the guide now."


@pytest.mark.parametrize("kind", [NodeKind.PARAGRAPH, NodeKind.LIST, NodeKind.TABLE])
@pytest.mark.parametrize(
    "address",
    [
        "/admin/tenant/2/",
        "//evil.example/",
        "///evil.example/",
        "https:admin/",
        "https:/admin/",
        "https:\\\\evil.example/",
        "?q=x",
        "#n3",
        "handbook.md",
        "javascript:x()",
        "data:text/html,x",
        "ftp://e.example/",
    ],
)
def test_a_link_that_is_no_web_or_mail_address_becomes_text(kind: NodeKind, address: str) -> None:
    html = leaf_html(kind, _WITHIN[kind].format(f"See [the *rules*]({address})"), Markup.MARKDOWN)
    assert "<a" not in html
    assert "rules" in html
    assert "href" not in html


@pytest.mark.parametrize(
    "address", ["https://e.example/a", "HTTP://e.example/", "mailto:a@e.example"]
)
def test_a_web_or_mail_address_is_linked_and_told_nothing_of_the_reader(address: str) -> None:
    html = leaf_html(NodeKind.PARAGRAPH, f"See [it]({address}).", Markup.MARKDOWN)
    assert f'<a href="{address}" rel="noopener noreferrer nofollow">it</a>' in html


def test_a_list_item_is_marked_without_its_bullet() -> None:
    html = html_of(NodeKind.LIST, "- One. Two.\n- Three.\n  - Four.\n", "- One.")
    assert marked(html) == "One."
    assert html.count("<li") == 3


def test_the_row_of_a_table_is_marked_as_a_whole() -> None:
    table = "| Item | Price |\n|---|--:|\n| Desk | 300 |\n| Chair | 120 |\n"
    html = html_of(NodeKind.TABLE, table, "120")
    assert marked(html) == "Chair120"
    assert html.count("cited-row") == 1
    assert 'class="align-right"' in html


def test_code_is_marked_without_its_fence_and_keeps_its_characters() -> None:
    html = html_of(NodeKind.CODE, "```py\nif a < b:\n    go()\n```", "if a < b:")
    assert marked(html) == "if a < b:"
    assert "```" not in html
    assert "    go()" in html


def test_plain_text_is_marked_without_reading_it_as_markdown() -> None:
    html = html_of(NodeKind.PARAGRAPH, "It is *so* <b>.", "*so*", Markup.PLAIN)
    assert marked(html) == "*so*"


_PIECES = st.lists(
    st.sampled_from(
        ["word", " ", "*", "**", "_", "`", "[", "](", ")", "<b>", "&", "\\", "\n", "|", "> ", "- ",
         "1. ", "!", "#", "~~", "мир", "世界", "שלום", "🪨", "\ue000", "\ue001", "<!--", "&amp;"]
    ),
    min_size=1,
    max_size=25,
)  # fmt: skip


@given(pieces=_PIECES, ends=st.tuples(st.integers(0, 60), st.integers(1, 60)), data=st.data())
def test_marking_never_changes_what_a_leaf_says(
    pieces: list[str], ends: tuple[int, int], data: st.DataObject
) -> None:
    text = "".join(pieces)
    kind = data.draw(st.sampled_from([NodeKind.PARAGRAPH, NodeKind.LIST, NodeKind.CODE]))
    html = leaf_html(kind, text, Markup.MARKDOWN, Span(ends[0], ends[0] + ends[1]))
    assert re.sub("</?mark>", "", html) == leaf_html(kind, text, Markup.MARKDOWN)
    assert not re.search(r"<(?:script|img|b|h\d)\b", html)
