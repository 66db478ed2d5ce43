"""What an element of HTML hides or strikes over several blocks of Markdown is no evidence."""

from __future__ import annotations

import pytest

from knowledge.ingest.parsers import parse
from knowledge.ingest.preflight import Limits
from tests.ingest.trees import outline, read

_INSIDE = [
    "Old terms.",
    "# Old\n\nOld terms.\n\n## Older\n\n- a\n- b",
    "| a |\n|---|\n| b |\n\n```\ncode\n```",
    "<div>\n\nOld\n\n</div>\n\nterms\n\n<b>\n\nold\n\n</b>",
    "<p>Old</p>\n\nA <b>x</b> < y &amp; <z>",
]


@pytest.mark.parametrize("inside", _INSIDE)
@pytest.mark.parametrize(
    ("opens", "closes"),
    [
        ("<div hidden>", "</div>"),
        ("<div style='display:none'>", "</div>"),
        ("<section>\n<div hidden>", "</div></section>"),
        ("<del>", "</del>"),
        ("<del>", "</del>\n<del>\n\nmore\n\n</del>"),
        ("<style>.gone { display: none }</style>\n<div class=gone>", "</div>"),
    ],
)
def test_words_between_tags_that_hide_are_left_out(opens: str, closes: str, inside: str) -> None:
    document = read(f"Before.\n\n{opens}\n\n{inside}\n\n{closes}\n\n# After\n\nEnd.\n")
    assert outline(document) == ["paragraph: Before.", "# After", "  paragraph: End."]
    assert document.remarks == (("Struck-out text was left out.",) if "del" in opens else ())


def test_struck_blocks_stay_where_struck_words_do() -> None:
    source = b"Now.\n\n<del>\n\n# Old\n\nOld terms.\n\n</del>\n"
    document = parse(source, "a.md", limits=Limits(tracked_changes="marked"))
    assert outline(document) == ["paragraph: Now.", "# Old", "  paragraph: Old terms."]


@pytest.mark.parametrize("opens", ["<div hidden>", "<del>", "<nav>", "<div hidden>\n\n</b>"])
def test_what_nothing_closes_hides_nothing_behind_its_block(opens: str) -> None:
    assert read(f"{opens}\n\nWords.\n\n# A\n\nMore.\n").text.endswith("Words.\n\n# A\n\nMore.\n")


def test_elements_that_hide_nothing_leave_markdown_as_it_is() -> None:
    source = "Now.\n\n<div class=a>\n\n# A\n\n- b\n\n</div>\n\n<nav>\n\n- c\n\n</nav>\n"
    assert [line.strip() for line in outline(read(source))][1:3] == ["# A", "list: - b"]
    assert "- c" in read(source).text


def test_the_styles_of_a_block_hold_for_those_below_it() -> None:
    source = "<style>.gone{display:none}</style>\n\nSeen.\n\n<p class=gone>hidden</p>\n\nEnd.\n"
    assert outline(read(source)) == ["paragraph: Seen.", "paragraph: End."]
    assert "word" in read(f"```\n{source}```\n\n<p class=gone>word</p>\n").text
    assert "word" in read(f"<!-- {source} -->\n\n<p class=gone>word</p>\n").text
