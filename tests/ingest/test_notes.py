"""Footnotes of any format: marks do not fuse, notes end their sections, quotes have no marks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.ingest.flatten import flatten
from knowledge.ingest.sentences import sentence_spans
from knowledge.ingest.tree import ParsedDocument
from tests.ingest.docx.samples import SAMPLES as DOCX
from tests.ingest.html.samples import SAMPLES as HTML
from tests.ingest.trees import assert_tree_is_sound, outline, read

PRICES = """# Prices

## Machines

Valid in 2026.[^1] All are net[^vat], as `[^1]` says.

- free delivery[^3]

## Discounts

Eight per cent.

[^1]: Prices for *Switzerland*
  are on request. Ask us.
[^vat]: See [^3].

    A second paragraph.

[^3]: Within Austria.
[^unused]: Nobody refers to it.
"""


def sentences(document: ParsedDocument) -> list[str]:
    return [s.of(document.text) for leaf in document.root.leaves() for s in leaf.sentences]


def test_notes_of_markdown_are_numbered_and_end_their_sections() -> None:
    document = read(PRICES)
    assert_tree_is_sound(document, flatten(document))
    assert outline(document) == [
        "# Machines",
        "  paragraph: Valid in 2026.[^1] All are net[^2], as `[^1]` says.",
        "  list: - free delivery[^3]",
        "  paragraph: [^1] Prices for *Switzerland* are on request. Ask us.",
        "  paragraph: [^2] See [^3]. A second paragraph.",
        "  paragraph: [^3] Within Austria.",
        "# Discounts",
        "  paragraph: Eight per cent.",
        "  paragraph: [^4] Nobody refers to it.",
    ]


def test_markdown_without_notes_is_left_as_it_is() -> None:
    text = "Use [^abc] for others, [^1] here.\n\n\n```\n[^1]: code\n```\n"
    assert read(text).text == text


def test_a_definition_in_code_is_no_note() -> None:
    text = "A claim.[^1]\n\n    [^1]: code\n\n> ~~~\n> [^1]: code\n> ~~~\n"
    assert read(text).text == text


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "> Quoted.[^1]\n>\n> [^1]: The source,\n> on paper.\n>\n> More.\n\nAfter.\n",
            ["paragraph: > Quoted.[^1] > > More.", "paragraph: After."],
        ),
        ("> [^1]: The source,\non paper.\n\nA claim.[^1]\n", ["paragraph: A claim.[^1]"]),
        (
            "- one[^1]\n\n  [^1]: The source,\n  on paper.\n- two\n",
            ["list: - one[^1] - two"],
        ),
        ("1.  one[^1]\n    [^1]: The source, on paper.\n", ["list: 1. one[^1]"]),
        (
            "- one[^1]\n\n  [^1]: The source,\n\n      on paper.\n\n  more\n",
            ["list: - one[^1] more"],
        ),
        ("A claim.[^1]\n\n- [^1]: The source, on paper.\n", ["paragraph: A claim.[^1]"]),
        (
            "- > quoted[^1]\n  >\n  > [^1]: The source, on paper.\n- two\n",
            ["list: - > quoted[^1] - two"],
        ),
    ],
)
def test_a_note_in_a_quotation_or_an_item_is_a_note(text: str, lines: list[str]) -> None:
    document = read(text)
    assert_tree_is_sound(document, flatten(document))
    assert outline(document) == [*lines, "paragraph: [^1] The source, on paper."]


def test_a_note_that_an_item_begins_and_goes_on_behind_stays_in_it() -> None:
    text = "A claim.[^1]\n\n- [^1]: Since 2020.\n\n  More.\n"
    assert read(text).text == text


def test_code_behind_a_quotation_is_no_part_of_a_note_in_it() -> None:
    text = "A claim.[^1]\n\n> x\n>\n> [^1]: Since 2020.\n\n    code\n"
    assert outline(read(text))[1:] == [
        "paragraph: > x",
        "code: code",
        "paragraph: [^1] Since 2020.",
    ]


def test_a_mark_outside_of_a_quotation_does_not_mean_a_note_in_it() -> None:
    text = "Ours.[^1]\n\n> Theirs.[^1]\n>\n> [^1]: Of theirs.\n\nMore.\n\n[^1]: Of ours.\n"
    assert outline(read(text)) == [
        "paragraph: Ours.[^1]",
        "paragraph: > Theirs.[^2]",
        "paragraph: More.",
        "paragraph: [^1] Of ours.",
        "paragraph: [^2] Of theirs.",
    ]


@pytest.mark.parametrize(
    "above",
    [
        "Prose.",
        "| a | b |\n|---|---|\n| x | y |",
        "- one\n- two",
        "1. one\n   - two",
        "> quoted",
        "> - an item",
        "> > a quotation",
    ],
)
def test_a_note_right_below_any_block_is_a_note(above: str) -> None:
    rest = "[^1]: Since 2020,\n  all day.\n[^2]: Net.\n\nAnd so on.\n"
    document = read(f"The limit is 500.[^1] Of what?[^2]\n\n{above}\n{rest}")
    assert_tree_is_sound(document, flatten(document))
    assert outline(document) == [
        "paragraph: The limit is 500.[^1] Of what?[^2]",
        outline(read(above))[0],
        "paragraph: And so on.",
        "paragraph: [^1] Since 2020, all day.",
        "paragraph: [^2] Net.",
    ]


def test_a_note_among_items_leaves_the_list_whole() -> None:
    text = "A claim.[^1]\n\n- one\n[^1]: Since 2020.\n- two\n"
    assert outline(read(text))[1:] == ["list: - one - two", "paragraph: [^1] Since 2020."]


@pytest.mark.parametrize(
    "block", ["```python\nx = 1", "~~~~\n~~~\n\n# No heading", "<!-- so\n\non", "<script>\n\nx"]
)
def test_a_note_is_put_in_front_of_a_block_that_nothing_closes(block: str) -> None:
    above = "# A\n\nx\n\n# B\n\nThe limit is 500.[^1]\n\n[^1]: Since 2020.\n\n"
    document = read(f"{above}{block}\n")
    assert_tree_is_sound(document, flatten(document))
    assert document.text.rstrip().endswith(f"[^1] Since 2020.\n\n{block}")
    assert "  paragraph: [^1] Since 2020." in outline(document)


@pytest.mark.parametrize("block", ["```\nx = 1\n```", "<!-- so\n\non -->", "<div>", "> ```\n> x"])
def test_a_note_is_put_behind_a_block_that_is_closed(block: str) -> None:
    document = read(f"The limit is 500.[^1]\n\n[^1]: Since 2020.\n\n{block}\n")
    assert outline(document)[-1] == "paragraph: [^1] Since 2020."


def test_a_label_defined_in_two_chapters_means_the_note_of_each() -> None:
    chapter = "# {0}\n\nA claim of {0}.[^1]\n\n## More\n\nx\n\n[^1]: Source of {0}.\n\n"
    assert outline(read(chapter.format("one") + chapter.format("two"))) == [
        "# one",
        "  paragraph: A claim of one.[^1]",
        "  paragraph: [^1] Source of one.",
        "  # More",
        "    paragraph: x",
        "# two",
        "  paragraph: A claim of two.[^2]",
        "  paragraph: [^2] Source of two.",
        "  # More",
        "    paragraph: x",
    ]


def test_a_note_above_its_mark_in_the_same_section_goes_before_that_of_the_next() -> None:
    section = "# {0}\n\n[^1]: Source of {0}.\n\nA claim of {0}.[^1]\n\n"
    assert outline(read(section.format("one") + section.format("two"))) == [
        "# one",
        "  paragraph: A claim of one.[^1]",
        "  paragraph: [^1] Source of one.",
        "# two",
        "  paragraph: A claim of two.[^2]",
        "  paragraph: [^2] Source of two.",
    ]


def test_a_label_without_a_definition_stays_and_no_note_takes_its_number() -> None:
    text = "A.[^a] B.[^2] C.[^c] \\[^4] D.[^d]\n\n[^a]: a\n[^c]: c\n[^d]: d\n"
    assert read(text).text.startswith("A.[^1] B.[^2] C.[^3] \\[^4] D.[^5]\n")


def test_a_note_that_nothing_refers_to_is_numbered_with_those_it_names() -> None:
    text = "A.[^7]\n\n[^7]: Seven.\n[^8]: Eight, see [^9] and [^7].\n[^9]: Nine, see [^8].\n"
    assert outline(read(text)) == [
        "paragraph: A.[^1]",
        "paragraph: [^2] Eight, see [^3] and [^1].",
        "paragraph: [^3] Nine, see [^2].",
        "paragraph: [^1] Seven.",
    ]


CODE = """A claim.[^b]

    an indented [^b] block

- an item.[^a]

  ~~~
  a fence [^a]  in a list
  ~~~

- an open ` backtick.[^b]
- ``a span ` [^a]`` and \\`[^b]\\`, `[^b]`

<pre>[^b]</pre>

[^a]: Like `[^b]  b`:

    ```
    a  fence [^a] in a note
    ```
[^b]: Nothing.
"""


def test_code_is_left_byte_for_byte() -> None:
    text = read(CODE).text
    for code in (
        "\n    an indented [^b] block\n",
        "\n  ~~~\n  a fence [^a]  in a list\n  ~~~\n",
        "``a span ` [^a]``",
        "`[^b]`\n",
        "\n\n[^b]\n\n",
        "`[^b]  b`",
        "\n```\na  fence [^a] in a note\n```\n",
    ):
        assert code in text
    assert "A claim.[^1]" in text
    assert "an item.[^2]" in text
    assert "an open ` backtick.[^1]" in text
    assert "\\`[^1]\\`" in text


@pytest.mark.parametrize("unit", ["`", "`a", "[^", "\\", "[^1]", "`[^1]", "[^1]: a\n", "[^1\n\n"])
def test_a_note_behind_many_signs_of_marks_is_read(unit: str) -> None:
    source = f"A claim.[^1]\n\n{unit * (200_000 // len(unit))}\n\n[^1]: End.\n"
    assert "End." in read(source).text


@pytest.mark.parametrize("made", [HTML["footnotes"], DOCX["footnote"]])
def test_what_is_quoted_of_a_note_does_not_begin_with_its_mark(made: tuple) -> None:
    name = "a.html" if made is HTML["footnotes"] else "a.docx"
    assert not any(sentence.startswith("[") for sentence in sentences(read(made[0](), name)))


def test_a_note_without_words_is_kept() -> None:
    assert sentences(read("A claim.[^1]\n\n[^1]:\n")) == ["A claim.[^1]", "[^1]"]


def test_the_mark_behind_a_sentence_belongs_to_it() -> None:
    text = "Valid in 2026.[^1] Net of VAT.[^2][^3]\nBy hand,[^4] always."
    found = [span.of(text) for span in sentence_spans(text, "en")]
    assert found == ["Valid in 2026.[^1]", "Net of VAT.[^2][^3]", "By hand,[^4] always."]


@given(st.text(alphabet=st.sampled_from(list("[^1]: .a\n#`-A>")), max_size=120))
def test_any_arrangement_of_marks_gives_a_sound_tree(text: str) -> None:
    document = read(f"Start.[^1]\n\n{text}\n\n[^1]: end")
    assert_tree_is_sound(document, flatten(document))
