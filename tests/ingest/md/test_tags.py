"""Which tags of a Markdown file count as HTML, and what becomes of those that do."""

from __future__ import annotations

import pytest

from tests.ingest.trees import outline, read

_PLACES = ["{}\n", "- {}\n", "> {}\n", "# {}\n", "| a |\n|---|\n| {} |\n"]


@pytest.mark.parametrize("place", _PLACES)
@pytest.mark.parametrize("tag", ["</wbr>", "<img alt=''></img>", "<img src=x></img>"])
def test_the_end_of_an_empty_element_says_nothing(place: str, tag: str) -> None:
    assert read(place.format(f"It opens{tag} at nine.")).text == place.format("It opens at nine.")


@pytest.mark.parametrize(
    "words",
    [
        "It opens</img> at nine.",
        "Usage: cp <source> <target>, convert <input> <output> <img/>",
        "cp <source file> <target dir>",
        "run <base>/<param> on <area>, <track>, <embed> and <row> <col>",
        "The <Link> component, <Link>Home</Link>, <Meta />",
        "Foo<P> bar and Map<P> here",
    ],
)
@pytest.mark.parametrize("place", _PLACES)
def test_names_in_angle_brackets_stay_though_elements_are_called_so(place: str, words: str) -> None:
    assert read(place.format(words)).text == place.format(words)


@pytest.mark.parametrize("name", ["input", "link", "source", "img", "</img", "Meta /"])
def test_a_name_alone_on_a_line_stays(name: str) -> None:
    words = f"<{name.strip('<')}>"
    assert read(f"{words}\n").text == f"{words}\n"
    assert read(f"<div>\nUse {words}.\n</div>\n").text.strip() == f"Use {words}."


def test_columns_without_attributes_say_nothing() -> None:
    source = "<table><col><col><tr><th>a<th>b</tr><tr><td>c<td>d</tr></table>\n"
    assert outline(read(source)) == ["table: | a | b | | --- | --- | | c | d |"]


@pytest.mark.parametrize("tag", ["<input type=text>", "<input type=text></input>", "<link a='b'/>"])
def test_empty_elements_with_attributes_say_nothing(tag: str) -> None:
    assert read(f"Name: {tag} here.\n").text.split() == ["Name:", "here."]


def test_an_end_of_a_paragraph_at_the_edge_of_a_line_is_no_word() -> None:
    assert read("One.<p>\nTwo.</p>\n").text == "One.\nTwo.\n"
    assert read("One.</p>\nTwo.<p>\n").text.split() == ["One.", "Two."]
    assert read("| a |\n|---|\n| <p>x |\n").text == "| a |\n|---|\n| x |\n"


@pytest.mark.parametrize("place", _PLACES)
def test_a_picture_that_is_closed_keeps_its_words(place: str) -> None:
    source = place.format("See <img alt='the chart'></img> here.")
    assert read(source).text == place.format("See the chart here.")


def test_a_picture_that_is_closed_is_a_figure() -> None:
    assert outline(read("<img alt=Chart></img>\n")) == ["figure: Chart"]


def test_the_end_of_a_break_is_a_break() -> None:
    assert read("Main Street 1</br>8010 Graz\n").text == "Main Street 1\n8010 Graz\n"


@pytest.mark.parametrize(
    "words",
    [
        "If a<b then c, and more words here.\nLast line.",
        "if (a<b) { f(); }\ny < 3 && x<y",
        "Map<K,V> and List<p.Q> x</K>",
        "under <5 mg <!x <![CDATA[ <? </ <",
        "x <a\nthe rest",
        "the end </",
        "see <b, and <your-name> or \\<x>",
        "<https://example.org/> and <me@example.org>",
    ],
)
@pytest.mark.parametrize("element", ["div", "pre", "blockquote"])
def test_no_word_behind_a_bare_sign_is_lost_in_a_block(element: str, words: str) -> None:
    text = read(f"Above.\n\n<{element}>\n{words}\n</{element}>\n\nBelow.\n").text
    assert "".join(words.split()) in "".join(text.split())
    assert text.endswith("Below.\n")


def test_a_tag_of_a_thousand_parts_is_read_once() -> None:
    # With the square of the length this would take minutes.
    source = f"<div>\n<td {' a' * 200_000}=\nx\n</div>\n"
    assert outline(read(source))[0].endswith("= x")


def test_careless_tags_of_a_block_are_tags() -> None:
    source = (
        "<!DOCTYPE html>\n<?php echo 1 ?>\n<table>\n<tr><th align=\"left\"width='5'>a</th></tr>\n"
        "<tr><td class=\"x\"id='y'>b</td ></tr>\n</table>\n"
    )
    assert outline(read(source)) == ["table: | a | | --- | | b |"]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("Text <div>a</div><div>b</div> end", ["Text", "a", "b", "end"]),
        ("Text<ul><li>a</li><li>b</li></ul>end", ["Text", "a", "b", "end"]),
        ("x <p>a</p><p>b</p>", ["x", "a", "b"]),
        ("x <dl><dt>a</dt><dd>b</dd></dl>", ["x", "a", "b"]),
        ("x <details><summary>a</summary>b</details>c", ["x", "a", "b", "c"]),
        ("x <table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>", ["x", *"123"]),
        ("x <figure>a<figcaption>b</figcaption></figure>", ["x", "a", "b"]),
        ("x <b>a</b><i>b</i><span>c</span> d", ["x", "abc", "d"]),
    ],
)
@pytest.mark.parametrize("place", _PLACES)
def test_blocks_in_a_line_do_not_fuse(place: str, source: str, words: list[str]) -> None:
    text = read(place.format(source)).text
    assert text.split() == place.format(" ".join(words)).split()
    assert "  " not in text


def test_blocks_in_a_paragraph_stand_on_lines_of_their_own() -> None:
    assert read("Text<div>a</div><div>b</div>\nend\n").text == "Text\na\nb\nend\n"


def test_lines_of_code_that_are_blocks_do_not_fuse() -> None:
    assert outline(read("<pre><div>a</div><div>  b</div></pre>\n")) == ["code: a b"]


def test_a_raised_number_in_a_line_is_the_mark_of_no_note_of_another_block() -> None:
    source = "A claim.<sup>1</sup>\n\n<p>More<sup><a href='#f'>1</a></sup>.</p><p id=f>1 Two.</p>\n"
    assert outline(read(source)) == [
        "paragraph: A claim.¹",
        "paragraph: More[^1].",
        "paragraph: [^1] Two.",
    ]


def test_raised_numbers_of_lines_are_written_alike() -> None:
    source = "Ends.<sup>1</sup>\n\n<sup>1</sup> The source is here.\n"
    assert read(source).text == "Ends.¹\n\n¹ The source is here.\n"


@pytest.mark.parametrize("place", _PLACES)
def test_what_a_mark_in_a_line_leads_to_in_the_same_line_is_not_lost(place: str) -> None:
    line = "A claim.<sup><a href='#f'>1</a></sup> <div id=f>1 The source.</div>"
    assert read(place.format(line)).text.split() == place.format("A claim.¹ 1 The source.").split()


@pytest.mark.parametrize("place", [*_PLACES, "<p>{}</p>\n", "<div>\n{}\n</div>\n"])
@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("Press <button class=x>Save</button> now.", "Press Save now."),
        ("The <title>Book</title> and <textarea>the text</textarea>.", "The Book and the text."),
        ("Pick <select><option>A</option><option>B</option></select> here.", "Pick A B here."),
        ("Seen <button hidden>Off</button> words.", "Seen words."),
    ],
)
def test_words_of_controls_are_words(place: str, source: str, words: str) -> None:
    frame = place if "<" not in place else "{}\n"
    assert read(place.format(source)).text.split() == frame.format(words).split()


@pytest.mark.parametrize(
    "words",
    [
        "[x](https://x.org/<b>id</b>) here",
        "![x](a/<i>b</i>_(c)<u>d</u> 'title') here",
        "[x](<a b>) and more (</a>) here",
    ],
)
@pytest.mark.parametrize("place", _PLACES)
def test_the_targets_of_links_stay_as_they_are_written(place: str, words: str) -> None:
    assert words in read(place.format(f"See {words}.") + "\nEnd.\n").text


def test_tags_behind_links_are_tags() -> None:
    assert read("[x](u) <b>a</b> [y](v)<b>b</b>\n").text == "[x](u) a [y](v)b\n"


def test_a_tag_over_two_lines_of_a_quotation_is_no_half_tag() -> None:
    source = "> See <a\n> href='x'>the link</a> and <b class='y'\n> id=z>more</b>.\n"
    assert read(source).text == source
