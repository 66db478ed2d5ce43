"""Footnotes, paragraphs over page breaks and boxed tables of printed pages."""

from __future__ import annotations

from collections.abc import Callable

import pymupdf
import pytest

from knowledge.ingest.flatten import flatten
from knowledge.ingest.parsers import parse
from knowledge.ingest.parsers.pdf import quote_boxes
from knowledge.ingest.preflight import Limits
from knowledge.ingest.tree import NodeKind, ParsedDocument
from tests.ingest.pdf import builders, printed
from tests.ingest.pdf.drawing import LONG_PROSE, PLAIN, PROSE, Sheet, embedded
from tests.ingest.pdf.fonts import changed_maps
from tests.ingest.pdf.printed import NOTE, OTHER_NOTE, WIDE
from tests.ingest.trees import assert_tree_is_sound, outline

NO_OCR = Limits(ocr="off")
PARAGRAPH = "paragraph: " + " ".join(PROSE)


def read(data: bytes) -> ParsedDocument:
    return parse(data, "a.pdf", limits=NO_OCR)


@pytest.mark.parametrize(
    "build",
    [
        printed.boxed_cells_close_together,
        printed.boxed_cells_far_apart,
        printed.boxed_cells_with_thick_borders,
    ],
)
def test_a_bold_first_row_of_boxes_with_gaps_names_the_columns(build: Callable[[], bytes]) -> None:
    document = read(build())
    table = next(leaf for leaf in document.root.leaves() if leaf.kind is NodeKind.TABLE)
    assert table.span.of(document.text).startswith("| Class | Who may board |\n| --- | --- |\n")
    assert [row.text for row in table.rows] == [
        "Upper deck | Who may board: everybody",
        "Bridge | Who may board: the crew alone",
    ]


def test_all_bold_rows_in_front_name_the_columns() -> None:
    document = read(printed.boxed_cells_with_a_header_of_two_rows())
    table = next(leaf for leaf in document.root.leaves() if leaf.kind is NodeKind.TABLE)
    assert [row.text for row in table.rows] == [
        "Deck | Fare, in summer: as agreed",
        "Bridge | Fare, in summer: none",
    ]


def test_panels_far_from_each_other_are_no_table() -> None:
    document = read(printed.panels())
    assert NodeKind.TABLE not in {leaf.kind for leaf in document.root.leaves()}


def test_a_first_row_like_the_others_is_no_header() -> None:
    table = outline(read(printed.boxed_names_and_values()))[1]
    assert table.startswith("table: |  |  | | --- | --- | | Class |".replace("  ", " "))


def test_notes_follow_the_paragraph_of_their_mark_and_are_counted_through() -> None:
    assert outline(read(printed.marks_and_notes())) == [
        "paragraph: The ferry earned 12 crowns a day.[^1] It covers 60 m and 10² boats pass it.",
        f"paragraph: [^1] {NOTE}",
        "paragraph: The bridge earned nothing at all.[^2]",
        f"paragraph: [^2] {OTHER_NOTE}",
        PARAGRAPH,
        "paragraph: The mill is let to a baker.[^3]",
        "paragraph: [^3] Until May.",
        PARAGRAPH,
    ]


def test_several_marks_behind_one_word_mean_their_notes_and_a_page_number_is_none() -> None:
    assert outline(read(printed.several_marks_and_a_page_number())) == [
        "paragraph: The ferry earned 12 crowns a day[^1], [^2].",
        f"paragraph: [^1] {NOTE}",
        f"paragraph: [^2] {OTHER_NOTE}",
        PARAGRAPH,
        "paragraph: Page 7",
    ]


def test_what_is_quoted_of_a_note_does_not_begin_with_its_mark() -> None:
    document = read(printed.marks_and_notes())
    note = list(document.root.leaves())[1]
    assert [sentence.of(document.text) for sentence in note.sentences] == [NOTE]
    assert note.boxes[0][2] > 700


def test_a_quote_with_a_mark_is_found_on_its_page_whatever_number_it_has_there() -> None:
    data = printed.marks_and_notes()
    for page, quote in (
        (1, "The ferry earned 12 crowns a day.[^1] It covers 60 m"),
        (2, "The mill is let to a baker.[^3] The committee met on a cold morning"),
    ):
        first = quote_boxes(data, page, quote, limits=NO_OCR)[0]
        assert 70 < first[0] < first[2] < 330
        assert first[1] < 90 < first[3]


def test_a_mark_without_a_note_and_a_note_without_a_mark_stay_as_they_are() -> None:
    assert outline(read(printed.mark_without_note_and_note_without_mark())) == [
        "paragraph: The ferry earned 12 crowns a day.³",
        PARAGRAPH,
        f"paragraph: ¹ {NOTE}",
    ]


def test_a_note_of_a_list_follows_the_list_in_its_section() -> None:
    assert outline(read(printed.note_of_a_list())) == [
        PARAGRAPH,
        "list: - a boat with a sail[^1] - bread",
        f"paragraph: [^1] {NOTE}",
        "# The crew",
        "  " + PARAGRAPH,
    ]


def test_a_note_that_goes_on_below_the_next_page_is_one() -> None:
    document = read(printed.note_over_two_pages())
    assert outline(document) == [
        "paragraph: Nobody was hurt in 1907[^1].",
        f"paragraph: [^1] {NOTE}",
        PARAGRAPH,
        "paragraph: The mill is let to a baker.[^2]",
        f"paragraph: [^2] {OTHER_NOTE}",
        PARAGRAPH,
    ]
    assert [box[0] for box in list(document.root.leaves())[1].boxes] == [1, 2]


def test_small_print_below_a_rule_is_a_note_high_on_the_page_too() -> None:
    first = f"paragraph: {PROSE[0]}[^1] {' '.join(PROSE[1:])}"
    assert outline(read(printed.notes_below_a_rule_high_on_the_page())) == [
        first,
        f"paragraph: [^1] {NOTE}",
        PARAGRAPH,
    ]


def test_a_paragraph_goes_on_over_heads_page_numbers_and_notes_with_a_date() -> None:
    assert outline(read(printed.paragraph_goes_on_with_a_date())) == [
        "paragraph: Nobody was hurt.[^1]",
        f"paragraph: [^1] {NOTE}",
        f"paragraph: {' '.join(WIDE)} been counted, which the board expects on 5 June of the next"
        " year, and not before.",
        PARAGRAPH,
    ]


def test_a_full_width_paragraph_beside_no_column_is_one() -> None:
    found = outline(read(printed.full_width_below_two_columns()))
    assert found[0] == f"paragraph: {' '.join(WIDE)} been counted."
    assert found[1].startswith("paragraph: The left column goes on with line 1 ")
    assert found[1].endswith(" The right column goes on with line 8")
    assert found[2:] == [
        f"paragraph: {' '.join(WIDE)} been counted, which takes long.",
        f"paragraph: ¹ {NOTE}",
    ]


def test_letters_that_a_font_sends_to_nothing_are_shown_and_told() -> None:
    document = read(changed_maps(embedded(), lambda _code, letter: 0 if letter == 119 else letter))
    assert document.text == LONG_PROSE.replace("w", "\ufffd")
    assert any("\ufffd" in warning and "Pages: 1." in warning for warning in document.warnings)


def test_a_file_whose_letters_are_all_known_is_not_warned_of() -> None:
    assert read(builders.prose_only()).warnings == ()


@pytest.mark.parametrize(
    "build",
    [
        printed.boxed_cells_far_apart,
        printed.full_width_below_two_columns,
        printed.marks_and_notes,
        printed.mark_without_note_and_note_without_mark,
        printed.note_of_a_list,
        printed.note_over_two_pages,
        printed.paragraph_goes_on_with_a_date,
    ],
)
def test_leaves_and_sentences_of_printed_pages_follow_each_other(
    build: Callable[[], bytes],
) -> None:
    document = read(build())
    assert_tree_is_sound(document, flatten(document))
    found = [leaf.page or 0 for leaf in document.root.leaves()]
    assert found == sorted(found)


def test_columns_of_few_lines_are_read_one_after_the_other() -> None:
    assert outline(read(printed.columns_of_three_lines())) == [
        f"paragraph: {' '.join(WIDE)} been counted.",
        "paragraph: The seller is the tea board and it delivers the leaves within ten days.",
        "paragraph: The buyer is the ferry trust and it pays within thirty days.",
        PARAGRAPH,
    ]


def test_rows_of_names_and_words_are_no_columns() -> None:
    assert outline(read(printed.rows_of_two_cells())) == [
        "paragraph: Name of the boat What is known of it Old Mary of Kent The oldest boat of all"
        " Duke of the river Sold in winter to a baker"
    ]


def test_a_hebrew_line_whose_runs_were_drawn_from_the_left_is_in_order() -> None:
    text = read(printed.hebrew_runs_from_the_left()).text
    assert text == "המחיר הוא Tea 40 ועד 500 שקלים."


@pytest.mark.parametrize("blank", [" ", "\xa0"])
def test_a_blank_parts_words_that_rules_are_drawn_under_one_by_one(blank: str) -> None:
    sheet = Sheet()
    x = 72.0
    for piece in (f"See the{blank}", f"User Guide{blank}", f"in Exhibit{blank}", "D", "."):
        sheet.page.insert_text((x, sheet.y), piece, fontsize=11)
        end = x + pymupdf.get_text_length(piece, PLAIN, 11)
        sheet.page.draw_line((x, sheet.y + 2), (end, sheet.y + 2), width=0.6)
        x = end
    sheet.y += 40
    sheet.prose()
    assert "See the User Guide in Exhibit D." in read(sheet.bytes()).text
