"""One small PDF per fault or feature, with what the parser makes of it.

`SAMPLES` maps a name to (builder, expected): a verdict's value where the file is refused, else the
outline of the tree as `tests.ingest.trees.outline` gives it. ``...`` at the end of an expected line
stands for any rest.
"""

from __future__ import annotations

from collections.abc import Callable

from .builders import (
    HEBREW,
    NUMBERS,
    blank_page,
    bold_headings_at_body_size,
    bookmarks_decide,
    chinese_without_spaces,
    cut_to_pieces,
    figure_with_caption,
    first_line_indents,
    first_page_text_second_page_scan,
    footnote_inside_a_sentence,
    form_fields,
    four_hundred_image_pages,
    glyphs_shifted_by_29,
    headings_by_number,
    headings_by_size,
    hebrew_in_order,
    hebrew_reversed,
    huge_page_box,
    hyphens_at_line_ends,
    image_only,
    list_with_bullets,
    many_pages_without_headings,
    no_tounicode_map,
    owner_password,
    png_named_pdf,
    prose_only,
    remarks_of_reviewers,
    roman_front_matter,
    rotated_page,
    ruled_table,
    ruled_table_cut_off,
    running_heads_and_page_numbers,
    sentence_over_two_pages,
    soft_hyphen,
    table_over_two_pages,
    table_without_rules,
    tounicode_permuted,
    truncated,
    turned_text,
    two_columns,
    user_password,
    vowels_mapped_to_nothing,
    zero_bytes,
)
from .drawing import LONG_PROSE, PROSE
from .outline_builders import (
    CHINESE,
    appendix_beside_numbered_sections,
    chapters_set_differently,
    cover_with_a_notice,
    entries_of_an_index,
    letters_of_a_drawing,
    short_first_page_with_sections,
    short_page_with_sections,
    title_pages_before_a_book,
    vertical_chinese,
    vertical_chinese_letter_by_letter,
)
from .printed import NOTE, boxed_cells_far_apart, ruled_table_with_a_mark

Expected = str | list[str]
PARAGRAPH = "paragraph: " + " ".join(PROSE)
_COLUMN = " ".join(
    " ".join(f"The {word} column goes on with line {number}" for number in NUMBERS)
    for word in ("left", "right")
)
_YEARS = "| Item | 2021 | 2022 | | --- | --- | --- | | Tea | 10 | 12 | | Coffee | 7 | 9 |"
_SENTENCE = (
    "paragraph: " + " ".join(PROSE[:3]) + " It was to say which of the plans could wait until the"
    " end of the year and which of them could not."
)

SAMPLES: dict[str, tuple[Callable[[], bytes], Expected]] = {
    "no_tounicode_map": (no_tounicode_map, "garbled_font"),
    "glyphs_shifted_by_29": (glyphs_shifted_by_29, "garbled_font"),
    "tounicode_permuted": (tounicode_permuted, "garbled_font"),
    "vowels_mapped_to_nothing": (vowels_mapped_to_nothing, "garbled_font"),
    "image_only": (image_only, "scanned"),
    "blank_page": (blank_page, "empty"),
    "user_password": (user_password, "encrypted"),
    "cut_to_pieces": (cut_to_pieces, "damaged"),
    "png_named_pdf": (png_named_pdf, "unsupported"),
    "zero_bytes": (zero_bytes, "empty"),
    "four_hundred_image_pages": (four_hundred_image_pages, "scanned"),
    "first_page_text_second_page_scan": (first_page_text_second_page_scan, [PARAGRAPH]),
    "owner_password": (owner_password, [PARAGRAPH]),
    "truncated": (truncated, [PARAGRAPH]),
    "huge_page_box": (huge_page_box, [PARAGRAPH]),
    "prose_only": (prose_only, [f"paragraph: {LONG_PROSE}"]),
    "headings_by_size": (
        headings_by_size,
        [PARAGRAPH, "# The soil", "  " + PARAGRAPH, "# The climate", "  " + PARAGRAPH],
    ),
    "headings_by_number": (
        headings_by_number,
        [
            "# 1 Scope",
            "  " + PARAGRAPH,
            "  # 1.1 Places",
            "    " + PARAGRAPH,
            "  # 1.2 People",
            "    " + PARAGRAPH,
            "# 2 Fees",
            "  " + PARAGRAPH,
        ],
    ),
    "appendix_beside_numbered_sections": (
        appendix_beside_numbered_sections,
        [
            line
            for title in ("1.1 Places", "1.2 People", "Appendix A Forms", "Appendix B Fees")
            for line in (f"# {title}", "  " + PARAGRAPH)
        ],
    ),
    "chapters_set_differently": (
        chapters_set_differently,
        [
            line
            for number in range(1, 5)
            for line in (f"# Chapter {number}: Ferries", "  " + PARAGRAPH)
        ],
    ),
    "title_pages_before_a_book": (
        title_pages_before_a_book,
        [
            "paragraph: THE RIVER",
            "paragraph: A HISTORY OF FERRIES",
            "# Part I",
            *["  " + PARAGRAPH] * 20,
            "  paragraph: THE RIVER",
            "# Part II",
            *["  " + PARAGRAPH] * 20,
        ],
    ),
    "short_page_with_sections": (
        short_page_with_sections,
        [
            "# 1. Setting up",
            f"  paragraph: {PROSE[1]}",
            "# 2. Cleaning",
            f"  paragraph: {PROSE[2]}",
            "# 3. Faults",
            f"  paragraph: {PROSE[3]}",
            "  paragraph: Code Meaning",
            "  paragraph: E01 The tank is empty E05 A unit is blocked",
        ],
    ),
    "short_first_page_with_sections": (
        short_first_page_with_sections,
        [
            "# Password",
            f"  paragraph: {PROSE[0]}",
            "# Rooms",
            f"  paragraph: {PROSE[1]}",
            "# Devices",
            f"  paragraph: {PROSE[2]}",
        ],
    ),
    "cover_with_a_notice": (
        cover_with_a_notice,
        [
            "paragraph: A report of the council",
            f"paragraph: {PROSE[0]}",
            "# The boats",
            "  " + PARAGRAPH,
            "# The crews",
            "  " + PARAGRAPH,
        ],
    ),
    "letters_of_a_drawing": (
        letters_of_a_drawing,
        [PARAGRAPH, "paragraph: P Q R", PARAGRAPH],
    ),
    "entries_of_an_index": (
        entries_of_an_index,
        [PARAGRAPH, "paragraph: SNCF, 8", PARAGRAPH],
    ),
    "bold_headings_at_body_size": (
        bold_headings_at_body_size,
        [
            "# Grading",
            "  " + PARAGRAPH,
            "  " + PARAGRAPH,
            "# Late work",
            "  " + PARAGRAPH,
            "  " + PARAGRAPH,
        ],
    ),
    "bookmarks_decide": (
        bookmarks_decide,
        [
            "paragraph: A large line that is no heading",
            "# Start",
            "  " + PARAGRAPH,
            "  # Middle",
            "    " + PARAGRAPH,
        ],
    ),
    "roman_front_matter": (
        roman_front_matter,
        [
            "paragraph: Contents",
            "paragraph: 1 One ...",
            *(
                line
                for title in ("1 One", "2 Two", "3 Three", "4 Four", "5 Five")
                for line in (f"# {title}", "  " + PARAGRAPH)
            ),
        ],
    ),
    "running_heads_and_page_numbers": (
        running_heads_and_page_numbers,
        [f"paragraph: {sentence}" for sentence in PROSE],
    ),
    "two_columns": (two_columns, [f"paragraph: {_COLUMN}"]),
    "sentence_over_two_pages": (sentence_over_two_pages, [_SENTENCE]),
    "footnote_inside_a_sentence": (
        footnote_inside_a_sentence,
        [_SENTENCE, "paragraph: 1 This note stands at the foot of the page."],
    ),
    "hyphens_at_line_ends": (
        hyphens_at_line_ends,
        [
            "paragraph: The international body has a long-term plan, and a self-made one, since"
            " both self and made are words; a long-term view helps."
        ],
    ),
    "soft_hyphen": (
        soft_hyphen,
        ["paragraph: A complicated matter was put off. The canisters stay."],
    ),
    "first_line_indents": (first_line_indents, [PARAGRAPH] * 3),
    "list_with_bullets": (
        list_with_bullets,
        [
            "paragraph: We need three things for the journey:",
            "list: - a boat with - a sail - bread",
        ],
    ),
    "ruled_table": (
        ruled_table,
        [PARAGRAPH, f"table: Table 1: Sales by year {_YEARS}", PARAGRAPH],
    ),
    "ruled_table_cut_off": (
        ruled_table_cut_off,
        [PARAGRAPH, f"table: Table 1: Sales by year {_YEARS}", PARAGRAPH],
    ),
    "table_over_two_pages": (
        table_over_two_pages,
        [PARAGRAPH, f"table: {_YEARS} | Cocoa | 3 | 4 | | Mate | 1 | 2 |", PARAGRAPH],
    ),
    "table_without_rules": (table_without_rules, [PARAGRAPH, f"table: {_YEARS}", PARAGRAPH]),
    "ruled_table_with_a_mark": (
        ruled_table_with_a_mark,
        [
            PARAGRAPH,
            f"table: {_YEARS.replace('2021', '2021[^1]')}",
            f"paragraph: [^1] {NOTE}",
            PARAGRAPH,
        ],
    ),
    "boxed_cells_far_apart": (
        boxed_cells_far_apart,
        [
            PARAGRAPH,
            "table: | Class | Who may board | | --- | --- | | Upper deck | everybody |"
            " | Bridge | the crew alone |",
            PARAGRAPH,
        ],
    ),
    "figure_with_caption": (
        figure_with_caption,
        [PARAGRAPH, "figure: Figure 3: The harvest of five years.", PARAGRAPH],
    ),
    "rotated_page": (rotated_page, [PARAGRAPH]),
    "turned_text": (turned_text, [PARAGRAPH]),
    "form_fields": (form_fields, ["paragraph: Name of the applicant: Ada Lovelace"]),
    "remarks_of_reviewers": (remarks_of_reviewers, [PARAGRAPH]),
    "chinese_without_spaces": (
        chinese_without_spaces,
        ["paragraph: 本合同自双方签字之日起生效，有效期为一年，期满前一个月双方可以协商续签。"],
    ),
    "vertical_chinese": (vertical_chinese, [f"paragraph: {CHINESE}"]),
    "vertical_chinese_letter_by_letter": (
        vertical_chinese_letter_by_letter,
        [f"paragraph: {CHINESE}"],
    ),
    "hebrew_reversed": (hebrew_reversed, [f"paragraph: {HEBREW}"]),
    "hebrew_in_order": (hebrew_in_order, [f"paragraph: {HEBREW}"]),
    "many_pages_without_headings": (
        many_pages_without_headings,
        [line for number in range(1, 22) for line in (f"# Page {number}", "  " + PARAGRAPH)],
    ),
}
