"""Abstracts without a model: which sentences, how many words, and when they are made anew."""

from __future__ import annotations

import pytest

from knowledge.ingest.abstracts import (
    MAX_WORDS,
    SOURCE_CHARS,
    Below,
    Piece,
    Source,
    count_words,
    extract,
    first_sentence,
    fitted,
    pieces_of,
    plain,
    source_of,
)
from knowledge.ingest.sentences import sentence_spans
from knowledge.ingest.tree import NodeKind

LEAVE = (
    "Annual leave is granted to every employee of the company. The weather was fine that day. "
    "Employees ask for annual leave two weeks ahead in the leave calendar. Someone left a bicycle "
    "in the yard again. Leave that an employee has not taken by March lapses, unless the manager "
    "agrees to carry the leave over. A coffee machine is in the kitchen on the second floor. "
    "Part-time employees are granted annual leave in proportion to their hours. The parking space "
    "behind the building belongs to the neighbours and their guests."
)
CHINESE = "员工每年有三十天的年假。请假需要提前两周在系统中申请。" * 12
RUSSIAN = "Отпуск предоставляется каждому сотруднику компании на тридцать дней в году. " * 9


def of(text: str, language: str = "en", title: str = "Leave") -> Source:
    spans = [(span.start, span.end) for span in sentence_spans(text, language)]
    return source_of(title, language, pieces_of(text, spans, NodeKind.PARAGRAPH))


def test_the_abstract_is_sentences_of_the_text_in_its_order_and_at_most_sixty_words() -> None:
    made = extract(of(LEAVE))
    assert made.startswith("Annual leave is granted to every employee")
    assert "parking" not in made
    assert count_words(made) <= MAX_WORDS
    positions = [LEAVE.index(part) for part in made.split(". ")]
    assert positions == sorted(positions)


def test_equal_sources_give_equal_abstracts_and_digests() -> None:
    assert extract(of(LEAVE)) == extract(of(LEAVE))
    assert of(LEAVE).digest == of(LEAVE).digest
    assert of(LEAVE).digest != of(LEAVE.replace("March", "April")).digest
    assert of(LEAVE).digest != of(LEAVE, title="Holidays").digest


def test_a_short_text_is_its_own_abstract() -> None:
    source = of("The office opens at nine. The kitchen closes at ten.")
    assert source.is_short
    assert extract(source) == "The office opens at nine. The kitchen closes at ten."
    assert not of(LEAVE).is_short


@pytest.mark.parametrize(("text", "language"), [(CHINESE, "zh"), (RUSSIAN, "ru")])
def test_any_script_is_cut_to_the_length_and_says_nothing_twice(text: str, language: str) -> None:
    made = extract(of(text, language))
    assert made
    assert count_words(made) <= MAX_WORDS
    assert made in text.replace("  ", " ")
    assert made.count("三十天") <= 1
    assert made.count("тридцать") <= 1


def test_an_inner_section_is_told_by_the_abstracts_below_it() -> None:
    below = [Below("The office opens at nine."), Below("Leave is thirty days a year.")]
    source = source_of("Handbook", "en", [], below)
    assert extract(source) == "The office opens at nine. Leave is thirty days a year."


def test_prose_comes_before_rows_and_rows_before_nothing() -> None:
    row = Piece("| Coffee | 2.50 |", prose=False)
    assert extract(source_of("", "en", [row, Piece("Prices hold for a year.")])) == (
        "Prices hold for a year."
    )
    assert "Coffee" in extract(source_of("", "en", [row]))
    assert extract(source_of("", "en", [])) == ""


TABLE = "| Article | Price |\n|---|---:|\n| CM-100 | 249.00 |\n| CM-200 | 489.00 |"


def test_a_table_without_prose_is_told_with_its_headers_and_without_bars() -> None:
    spans = [(TABLE.index(row), TABLE.index(row) + 19) for row in ("| CM-1", "| CM-2")]
    made = extract(source_of("", "en", pieces_of(TABLE, spans, NodeKind.TABLE)))
    assert made == "Article: CM-100; Price: 249.00. Article: CM-200; Price: 489.00"
    bare = extract(source_of("", "en", pieces_of("| a | b |\n|---|---|", [], NodeKind.TABLE)))
    assert bare == "a: a; b: b"


def test_the_rows_of_a_section_below_do_not_stand_before_sentences() -> None:
    below = [Below("Article: CM-100; Price: 249.00.", prose=False), Below("Delivery is free here.")]
    assert extract(source_of("", "en", [], below)) == "Delivery is free here."
    assert "CM-100" in extract(source_of("", "en", [], below[:1]))


def test_what_is_no_sentence_comes_after_what_is_one() -> None:
    lines = ["Code Meaning Remedy", "E01 Water tank empty Fill the tank"]
    pieces = [Piece(line) for line in lines]
    sentence = Piece("The warranty is 36 months.")
    assert extract(source_of("", "en", [*pieces, sentence])) == "The warranty is 36 months."
    assert extract(source_of("", "en", pieces)) == "; ".join(lines)


def test_the_items_of_a_list_need_no_full_stop() -> None:
    text = "- Lost laptops are reported at once\n- Screens are locked when leaving"
    spans = [(0, 35), (36, len(text))]
    made = extract(source_of("", "en", pieces_of(text, spans, NodeKind.LIST)))
    assert made == "Lost laptops are reported at once; Screens are locked when leaving"


def test_marks_of_notes_do_not_show() -> None:
    assert plain("Valid in 2026.[^1]") == "Valid in 2026."
    assert plain("A claim[^ii], and one [^3].") == "A claim, and one."


def test_one_endless_sentence_is_cut_between_words_and_shows_it() -> None:
    made = extract(of("and so on " * 500))
    assert count_words(made) == MAX_WORDS
    assert made.endswith("on…") or made.endswith("so…") or made.endswith("and…")


def test_a_source_is_bounded_however_much_stands_below() -> None:
    below = [Below(f"Part {number} begins here. {LEAVE}") for number in range(300)]
    source = source_of("All", "en", pieces_of(LEAVE * 200, [], NodeKind.PARAGRAPH), below)
    assert len(source.text) <= SOURCE_CHARS + len(source.pieces)
    assert "Part 40 begins here." in source.text


def test_marks_of_markdown_do_not_show() -> None:
    assert plain("- See **the [handbook](https://x.example/a)** and `make`.") == (
        "See the handbook and make."
    )
    assert plain("![logo](logo.png)") == ""
    assert plain("The variable snake_case_name stays") == "The variable snake_case_name stays"


def test_a_writers_text_is_cut_at_a_sentence_where_one_ends_near() -> None:
    text = "One two three four five six seven eight nine ten. " * 8
    assert fitted(text) == ("One two three four five six seven eight nine ten. " * 6).strip()
    assert fitted("Short.\nAnd  done.") == "Short. And done."


def test_the_first_sentence_stands_in_for_an_abstract() -> None:
    assert first_sentence(LEAVE, "en") == (
        "Annual leave is granted to every employee of the company."
    )
    assert first_sentence("", "en") == ""
