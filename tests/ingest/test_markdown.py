"""What Markdown files become."""

from __future__ import annotations

import socket
import time
from textwrap import dedent

import pytest

from knowledge.ingest.flatten import flatten
from knowledge.ingest.tree import NodeKind
from tests.ingest.trees import outline, read


def test_headings_nest_and_a_shallower_one_closes_the_deeper_ones() -> None:
    document = read("# A\n\none\n\n## B\n\n#### C\n\ntwo\n\n## D\n\nthree\n\n# E\n\nfour\n")
    assert outline(document) == [
        "# A",
        "  paragraph: one",
        "  # B",
        "    # C",
        "      paragraph: two",
        "  # D",
        "    paragraph: three",
        "# E",
        "  paragraph: four",
    ]


def test_a_third_level_heading_does_not_end_at_a_fourth_level_one() -> None:
    document = read("# T\n\n### A\n\n#### B\n\nx\n\n### C\n\ny\n")
    assert outline(document) == ["# A", "  # B", "    paragraph: x", "# C", "  paragraph: y"]


def test_a_single_top_heading_names_the_document_and_adds_no_level() -> None:
    document = read("# Handbook\n\nHello.\n\n## Leave\n\nTen days.\n")
    assert document.title == "Handbook"
    assert outline(document) == ["paragraph: Hello.", "# Leave", "  paragraph: Ten days."]
    assert document.root.heading is not None
    assert document.root.heading.of(document.text) == "# Handbook"


def test_badges_and_comments_may_stand_before_the_heading_that_names_the_document() -> None:
    document = read("<!-- licence -->\n\n[![b](b.svg)](x)\n\n# Tool\n\n## Use\n\nRun.\n")
    assert document.title == "Tool"
    assert [line for line in outline(document) if line.startswith("#")] == ["# Use"]


def test_text_before_the_first_heading_belongs_to_the_document() -> None:
    document = read("Before.\n\n# A\n\nAfter.\n", "notes.md")
    assert document.title == "notes"
    assert outline(document) == ["paragraph: Before.", "# A", "  paragraph: After."]


def test_a_title_neither_turns_the_text_around_it_nor_holds_controls() -> None:
    source = '---\ntitle: "A\u202eB"\n---\n\n# One\u2066 two\u200d\n\nText.\n\n# Three\n\nText.\n'
    document = read(source.encode(), "a.md")
    assert document.title == "AB"
    assert [section.title for section in document.root.sections()] == ["One two\u200d", "Three"]


def test_a_file_without_headings_is_named_after_the_file() -> None:
    assert read("Only text.\n", "C:\\docs\\leave_policy_2024.md").title == "leave policy 2024"


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_a_hash_in_a_fence_is_no_heading(fence: str) -> None:
    document = read(f"# A\n\n{fence}bash\n# comment\n{fence}\n\n# B\n\nx\n")
    assert outline(document) == [
        "# A",
        f"  code: {fence}bash # comment {fence}",
        "# B",
        "  paragraph: x",
    ]


def test_an_unclosed_fence_hides_every_heading_after_it() -> None:
    document = read("# A\n\ntext\n\n```\n# not\n\n## this\n")
    assert outline(document) == ["paragraph: text", "code: ``` # not ## this"]


def test_front_matter_is_neither_heading_nor_leaf_and_gives_the_title() -> None:
    document = read('---\ntitle: "The: guide"\ntags: [a, b]\n---\n# One\n\nx\n\n# Two\n\ny\n')
    assert document.title == "The: guide"
    assert outline(document) == ["# One", "  paragraph: x", "# Two", "  paragraph: y"]
    assert document.text.startswith("---\ntitle:")


def test_front_matter_and_a_heading_of_the_same_name_are_one_title() -> None:
    document = read("---\ntitle: Guide\n---\n\n# Guide\n\nx\n")
    assert outline(document) == ["paragraph: x"]


def test_front_matter_and_a_heading_that_differ_keep_both() -> None:
    document = read("---\ntitle: x\n---\n# H\n\ny\n")
    assert document.title == "x"
    assert outline(document) == ["# H", "  paragraph: y"]


def test_a_file_that_opens_with_a_rule_loses_nothing() -> None:
    document = read("---\n\nFirst text.\n\n---\n\n# A\n\nmore\n")
    assert outline(document) == ["paragraph: First text.", "# A", "  paragraph: more"]


@pytest.mark.parametrize(
    "block",
    [
        "title: [x\nno key here\n",
        "title: x\n: y\n@bad\n",
        "title: x\nBroken line without a colon\ntags: [a\n",
        "title: x\n# comment\n}{\n",
    ],
)
def test_broken_front_matter_is_still_front_matter(block: str) -> None:
    assert outline(read(f"---\n{block}---\n\n# A\n\ny\n")) in (
        ["paragraph: y"],
        ["# A", "  paragraph: y"],
    )


@pytest.mark.parametrize("block", ["no key\n", "title: x\n\nno key\n", "- x\n\nprose\nprose\n"])
def test_prose_above_the_closing_fence_is_never_a_heading(block: str) -> None:
    document = read(f"---\n{block}---\n\n# A\n\ny\n")
    assert [line for line in outline(document) if line.startswith("#")] in ([], ["# A"])
    assert document.title == "A" or "# A" in outline(document)


def test_setext_headings_make_sections() -> None:
    document = read("One\n===\n\nx\n\nTwo\n---\n\ny\n\nThree\n=====\n\nz\n")
    assert outline(document) == [
        "# One",
        "  paragraph: x",
        "  # Two",
        "    paragraph: y",
        "# Three",
        "  paragraph: z",
    ]


def test_a_long_paragraph_over_a_rule_stays_a_paragraph() -> None:
    prose = "words that go on " * 30
    document = read(f"# A\n\n{prose}\n---\n\nx\n")
    assert [line.split(":")[0] for line in outline(document)] == ["paragraph", "paragraph"]


def test_nine_levels_of_hashes_end_at_six() -> None:
    source = "\n\n".join(f"{'#' * level} H{level}" for level in range(1, 10)) + "\n"
    document = read(source)
    assert [section.title for section in document.root.sections()] == [f"H{n}" for n in range(2, 7)]
    assert outline(document)[-1].strip() == "paragraph: ######### H9"


def test_headings_in_quotations_and_lists_make_no_sections() -> None:
    document = read("# A\n\n> # quoted\n> text\n\n- # item\n\n1. x\n\n   ## y\n")
    assert outline(document) == [
        "paragraph: > # quoted > text",
        "list: - # item",
        "list: 1. x ## y",
    ]


def test_markup_is_taken_off_titles_and_kept_in_the_text() -> None:
    document = read("# The `run` **tool** [here](http://x) &amp; more {#anchor}\n\nA *b* c.\n")
    assert document.title == "The run tool here & more"
    assert outline(document) == ["paragraph: A *b* c."]


def test_an_anchor_with_blanks_inside_is_no_part_of_the_title() -> None:
    assert read("# Setting up { #setting-up }\n\nx\n").title == "Setting up"


def test_an_empty_heading_makes_no_section() -> None:
    assert outline(read("# A\n\n##\n\ntext\n")) == ["paragraph: text"]


@pytest.mark.parametrize(
    "unseen", ["\u202a\u202c", "\u200e", "\u200b\ufeff", "\u3164", "\u2066\u200d"]
)
def test_a_heading_of_which_nobody_sees_anything_makes_no_section(unseen: str) -> None:
    expected = ["paragraph: text", "paragraph: more"]
    assert outline(read(f"# A\n\ntext\n\n## {unseen}\n\nmore\n")) == expected
    assert outline(read(f"<h1>A</h1><p>text<h2>{unseen}</h2><p>more", "a.html")) == expected


def test_a_heading_of_tags_alone_is_kept_as_text() -> None:
    assert outline(read("# A\n\n## <div>\n\ntext\n")) == ["paragraph: ## <div>", "paragraph: text"]


def test_an_image_alone_is_a_figure_and_one_in_a_sentence_is_not() -> None:
    document = read(
        '![a chart](http://x/y.png "T")\n\nSee ![i](j.png) here.\n\n<img src="a.png" alt="b">\n'
    )
    kinds = [node.kind for node in flatten(document)[1:]]
    assert kinds == [NodeKind.FIGURE, NodeKind.PARAGRAPH, NodeKind.FIGURE]


def test_nothing_that_a_file_points_to_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> socket.socket:
        raise AssertionError("A link was followed")

    monkeypatch.setattr(socket, "socket", refuse)
    document = read(
        "![](http://169.254.169.254/)\n\n![map](file:///etc/passwd)\n\n[x]: http://169.254.169.254/\n"
        "\n<img src='http://169.254.169.254/latest/meta-data'>\n\nSee [x].\n"
    )
    assert "root:" not in document.text
    assert "169.254.169.254" in document.text


def test_link_definitions_are_kept_as_text() -> None:
    assert outline(read("[x]: http://example.org/terms\n")) == [
        "paragraph: [x]: http://example.org/terms"
    ]


def test_table_rows_carry_their_header_path() -> None:
    document = read(
        dedent(
            r"""
            | Item | FY2021 | USD m |
            |------|-------:|-------|
            | Revenue | 1,234 | **5** |
            | Cost \| tax |  | `6` |
            """
        )
    )
    (table,) = document.root.leaves()
    assert [row.text for row in table.rows] == [
        "Revenue | FY2021: 1,234 | USD m: 5",
        "Cost | tax | USD m: 6",
    ]
    assert [row.span.of(document.text) for row in table.rows] == [
        "| Revenue | 1,234 | **5** |",
        r"| Cost \| tax |  | `6` |",
    ]


def test_list_sentences_stay_within_their_items() -> None:
    document = read("- First. Second\n- Third,\n  still third.\n")
    (leaf,) = document.root.leaves()
    assert [span.of(document.text) for span in leaf.sentences] == [
        "- First.",
        "Second",
        "- Third,\n  still third.",
    ]


def test_code_sentences_are_its_lines_without_the_fences() -> None:
    document = read("```py\na = 1\n\nb = 2\n```\n")
    (leaf,) = document.root.leaves()
    assert [span.of(document.text) for span in leaf.sentences] == ["a = 1", "b = 2"]


def test_the_language_is_told_without_the_front_matter() -> None:
    document = read("---\ntitle: The guide of the house\n---\nОбщие положения договора.\n")
    assert document.language == "ru"


def test_a_hundred_characters_are_enough() -> None:
    document = read(
        "# Refunds\n\nRefunds are paid within thirty days of the return of the goods.\n"
    )
    assert len(flatten(document)) == 2


@pytest.mark.parametrize(
    "unit", ["[", "*", "![", "`", "<", "> ", "- ", "|", "a|", "[a]: b\n", ">>>> x\n", "&#1;", "\\("]
)
def test_markup_that_is_quadratic_for_inline_parsers_is_not_for_this_one(unit: str) -> None:
    source = "text\n\n" + unit * (300_000 // len(unit)) + "x\n"
    began = time.perf_counter()
    assert len(list(read(source).root.leaves())) >= 2
    # Measured below 2 s each; inline parsing of 300,000 brackets takes minutes.
    assert time.perf_counter() - began < 20
