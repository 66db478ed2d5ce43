"""Heads and feet go; what differs from page to page without counting the pages stays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from knowledge.ingest.parsers import parse
from knowledge.ingest.preflight import Limits
from tests.ingest.pdf.drawing import BOLD, PLAIN, PROSE, Sheet, pages
from tests.ingest.trees import outline

TOP, FOOT = 50.0, 790.0


def read(data: bytes) -> str:
    return parse(data, "a.pdf", limits=Limits(ocr="off")).text


def with_lines(
    texts: Sequence[str], *, y: float = TOP, size: float = 11, font: str = PLAIN, x: float = 57
) -> bytes:
    """Return a page for each text, which stands at one place, and a sentence below it."""

    def draw(sheet: Sheet, number: int) -> None:
        if texts[number - 1]:
            sheet.line(texts[number - 1], x=x, y=y, size=size, font=font)
        sheet.line(PROSE[number % len(PROSE)], y=130 + number)

    return pages(len(texts), draw)


@pytest.mark.parametrize(
    "foot",
    ["Handbook {}", "Annual Report 2023 {}", "人事手册 {}", "Кадровая политика {}", "Seite: {}",
     "Page : {}/8", "Page no. {}", "Pg. {}", "Blatt {} von 8", "Side {} af 8",
     "Printed 2024-05-01 10:32 - {} of 8"],
)  # fmt: skip
def test_a_foot_that_counts_page_after_page_goes_whatever_stands_before(foot: str) -> None:
    text = read(with_lines([foot.format(number) for number in range(1, 9)], y=FOOT))
    assert not any(foot.format(number) in text for number in range(1, 9))
    assert "8" not in text


@pytest.mark.parametrize(
    ("texts", "looks"),
    [
        (("Invoice 4711", "Invoice 4712"), {}),
        (("Invoice no. 1", "Invoice no. 2", "Invoice no. 3"), {}),
        (("Amount due: 119 EUR", "Amount due: 238 EUR"), {"y": FOOT}),
        (("Rent in 2023: 120 EUR per month", "Rent in 2024: 150 EUR per month"), {"y": 60}),
        (("Price list 2023", "Price list 2024"), {"y": 72, "size": 16, "font": BOLD}),
        (("Article 1", "Article 2", "Article 3"), {"y": 72, "size": 16, "font": BOLD}),
        (("Week 1", "Week 2", "Week 3", "Week 4"), {}),
        (("Ward C", "Ward D", "Ward I"), {}),
        (("1 See annex 4, page 7.", "2 See annex 5, page 14."), {"y": FOOT, "size": 8}),
        (("Chapter 1", "", "", "", "Chapter 2", "", "", "", "Chapter 3"), {"y": 75, "size": 20}),
        (("350 EUR", "350 GBP", "475 EUR"), {}),
        (("107", "204", "391"), {"y": 120}),
    ],
)
def test_words_and_figures_that_do_not_count_the_pages_stay(
    texts: Sequence[str], looks: dict[str, Any]
) -> None:
    text = read(with_lines(texts, **looks))
    for said in texts:
        assert said in text


@pytest.mark.parametrize(
    ("texts", "looks"),
    [
        (("1", "2"), {"y": FOOT, "x": 290}),
        (("", "4711", "4712", "4713"), {"y": FOOT, "x": 290}),
        (("iii", "iv", "v", "vi"), {"y": FOOT, "x": 290}),
        (("- 3 -", "- 4 -", "- 5 -"), {"y": FOOT, "x": 290}),
        (("F-1", "F-2", "F-3"), {"y": FOOT, "x": 290}),
        (("1/3", "2/3", "3/3"), {"y": FOOT, "x": 290}),
        (("Page 1 of 2", "Page 2 of 2", "Page 1 of 1"), {"y": FOOT, "font": BOLD}),
        (("第1页", "第2页", "第3页"), {"y": FOOT, "font": "china-s"}),
        (("Annual report 2023 | 7", "Annual report 2023 | 8", "Annual report 2023 | 9"), {}),
        (("7 Annual report 2023", "8 Annual report 2023", "9 Annual report 2023"), {}),
        (tuple(f"Report of the tea board {number}" for number in (1, 2, 3)), {}),
        (("Tea Ltd., page 1 of 3", "Tea Ltd., page 2 of 3", "Tea Ltd., page 3 of 3"), {}),
        (("Confidential, May 2023",) * 3, {"font": BOLD}),
        (("Tea company",) * 3, {"size": 20}),
    ],
)
def test_heads_feet_and_page_numbers_go(texts: Sequence[str], looks: dict[str, Any]) -> None:
    text = read(with_lines(texts, **looks))
    assert text.split() == " ".join(PROSE[n % 4] for n in range(1, len(texts) + 1)).split()


def test_headings_of_chapters_at_the_top_of_pages_are_headings() -> None:
    def draw(sheet: Sheet, number: int) -> None:
        if number % 4 == 1:
            sheet.line(f"Chapter {number // 4 + 1}", y=75, size=20, font=BOLD)
        sheet.y = 110
        sheet.prose((PROSE[number % 4],))

    found = outline(parse(pages(12, draw), "a.pdf", limits=Limits(ocr="off")))
    assert [line for line in found if line.startswith("#")] == [
        "# Chapter 1",
        "# Chapter 2",
        "# Chapter 3",
    ]


def test_rows_of_a_list_at_the_top_of_pages_keep_all_their_cells() -> None:
    def draw(sheet: Sheet, number: int) -> None:
        for row in range(12):
            count = (number - 1) * 12 + row + 1
            cells = (f"Article {chr(64 + count)}x", str(100 + count * 7), "each", str(count))
            for x, text in zip((72, 300, 360, 430), cells, strict=True):
                sheet.line(text, x=x, y=60 + row * 16, size=10)

    text = read(pages(3, draw))
    assert [text.count(word) for word in (" 107 ", "each", " 191 ", " 275 ")] == [1, 36, 1, 1]
    assert "Article Mx" in text
    assert {"1", "13", "25"} <= set(text.replace("|", " ").split())


def test_pages_of_labels_alone_are_no_empty_file() -> None:
    def draw(sheet: Sheet, number: int) -> None:
        sheet.line(f"Room {100 + number}", y=60)

    text = read(pages(2, draw))
    assert "Room 101" in text
    assert "Room 102" in text


def test_a_chapter_of_a_book_begins_with_its_number_elsewhere_and_heads_have_one_word() -> None:
    def draw(sheet: Sheet, number: int) -> None:
        if number == 4:
            sheet.line(str(number), x=290, y=FOOT)
        elif number % 2:
            sheet.line(f"Tea {number}", x=400, y=TOP)
        else:
            sheet.line(f"{number} The book of drinks", y=TOP)
        sheet.y = 130
        sheet.prose((PROSE[number % 4],))

    text = read(pages(9, draw))
    assert not any(character.isdigit() for character in text)
    assert "Tea" not in text
