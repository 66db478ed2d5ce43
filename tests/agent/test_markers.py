"""Only found quotes keep their markers, however a model writes them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from retrieval.agent.markers import (
    escaped,
    growing,
    marker_numbers,
    renumbered,
    strip_unverified_markers,
    without_markers,
)


@pytest.mark.parametrize(
    ("answer", "verified", "shown"),
    [
        ("A [1]. B [2].", {1}, "A [1]. B."),
        ("A [5,7].", {5}, "A [5]."),
        ("A [5, 7].", {5, 7}, "A [5][7]."),
        ("A [9] and B.", set(), "A and B."),
        ("A [1-3].", {1, 3}, "A [1][3]."),
        ("A [E2].", {2}, "A [2]."),
        ("A [ 2 ]. B [ 9 ].", {2}, "A [2]. B."),
        ("A【 2 】 B [9\u00a0].", {2}, "A[2] B."),
        ("A【1】 B【2†source】.", {1}, "A[1] B."),
        ("A [1](http://evil.example/).", {1}, "A [1]."),
        ("A[0] [00] [1]", {1}, "A [1]"),
        ("`x[1]` and [1]", set(), "`x[1]` and"),
        ("```\nx[2]\n```\nB [2]", set(), "```\nx[2]\n```\nB"),
        ("```\nx[2]", set(), "```\nx[2]"),
        ("As \\[5\\] says [5]", {1}, "As \\[5\\] says"),
        ("In [2026] and [note]", set(), "In [2026] and [note]"),
        ("A [1](http://evil.example/?q=secret).", {1}, "A [1]."),
        ("A [[9]1] B [[9][8]7].", {1}, "A B."),
        (r"A \\[9] B \\[1].", {1}, r"A \\ B \\[1]."),
        ("A &#91;9&#93; &lsqb;8&#x5D;", {1}, "A"),
        ("``a [9] ` b", set(), "``a ` b"),
        ("`a\n\n[9]\n\nb`", set(), "`a\n\n\n\nb`"),
        ("```x`y\n[9]", set(), "```x`y\n"),
        ("- a ` b\n- [9] ` c", set(), "- a ` b\n- ` c"),
        ("`a|[9]`\n---|---[8]", set(), "`a|`\n---|---"),
        ("It is 140 euros.[^1] [1] [^iv]", {1}, "It is 140 euros. [1]"),
        ("`x[^1]` and \\[^1\\]", set(), "`x[^1]` and \\[^1\\]"),
        ("发文【2026】第【3天】【1†来源】", {1}, "发文【2026】第【3天】[1]"),
    ],
)
def test_only_verified_markers_are_shown(answer, verified, shown):
    assert strip_unverified_markers(answer, verified) == shown


@given(st.text(alphabet="[]0123456789,- `E\\ab\n"), st.sets(st.integers(0, 20)))
def test_no_unverified_marker_survives(answer, verified):
    assert set(marker_numbers(strip_unverified_markers(answer, verified))) <= verified


# Brackets, code and tables in every order; the two parsers once disagreed about each of them.
PIECES = [
    "[", "]", "[9]", "[1]", "[2,9]", "【9】", "E", "1", "9", ",", "-", " ", "    ", "\t", "`", "``",
    "```", "~~~", "\\", "\n", "\n\n", "|", "\n---|---", "> ", "* ", "<b>", "&#91;",
]  # fmt: skip
MARKDOWN = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)


@given(MARKDOWN, st.sets(st.integers(1, 3)))
@example("`a|[9]`\n---|---[8]", {1})
def test_what_was_removed_leaves_no_marker_behind(answer, verified):
    shown = strip_unverified_markers(answer, verified)
    assert set(marker_numbers(shown)) <= verified
    assert marker_numbers(without_markers(answer)) == ()


@given(MARKDOWN)
def test_the_beginning_of_an_answer_shows_no_marker(answer):
    for end in range(len(answer)):
        assert marker_numbers(growing(answer[:end])) == ()


@pytest.mark.parametrize("half", ["It is 36 [", "It is 36 [1", "It is 36 [1, ", "It is 36 【1†so"])
def test_half_a_marker_is_not_shown_while_an_answer_is_written(half):
    assert growing(half) == "It is 36"


@pytest.mark.parametrize(
    "made",
    [
        " " * 200_000,
        "[" + "1   " * 50_000,
        "[1](" * 50_000,
        "".join("`" * length + "a" for length in range(1, 600)),
        "[" * 50_000 + "9]" * 50_000,
        "\\" * 100_000 + "[9]",
        "【1:" * 50_000,
    ],
    ids=["spaces", "numbers", "links", "ticks", "nested", "backslashes", "lenses"],
)
def test_a_text_made_to_take_for_ever_does_not(made):
    assert marker_numbers(without_markers(made)) == ()


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("&#xE002;", "&#xE003;"), ("\ue002", "\ue003"), ("&#57346;", "&#57347;")],
)
@pytest.mark.parametrize("number", ["0", "9" * 5_000])
def test_the_name_of_a_code_block_cannot_pass_a_marker_off_as_code(opening, closing, number):
    answer = f"Ninety days [7].\n\n```{opening}{number}{closing}\ncode\n```"
    assert marker_numbers(answer) == (7,)
    assert "[7]" not in strip_unverified_markers(answer, set())


def test_markers_are_counted_once_in_order_of_appearance():
    assert marker_numbers("b [7], a [2][7] `[4]`") == (7, 2)


def test_markers_are_renumbered_without_gaps():
    assert renumbered("b [7], a [2], c [3]", {7: 1, 2: 2}) == "b [1], a [2], c"


@given(st.text())
def test_quoted_text_holds_no_marker_of_ours(text):
    assert marker_numbers(escaped(text)) == ()


def test_the_brackets_of_a_source_are_shown_and_are_no_marker():
    assert escaped("see [5] and SL_420") == "see \\[5\\] and SL_420"
