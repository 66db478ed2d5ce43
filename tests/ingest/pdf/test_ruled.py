"""Ruled tables are read as their page is displayed: cropped, clipped, turned, in small print."""

from __future__ import annotations

import pymupdf
import pytest

from knowledge.ingest.parsers import parse
from knowledge.ingest.parsers.pdf.lines import Line, PageText
from knowledge.ingest.parsers.pdf.tables import place_tables
from knowledge.ingest.preflight import Limits
from knowledge.ingest.tree import Leaf, NodeKind, ParsedDocument
from tests.ingest.pdf import builders
from tests.ingest.pdf.drawing import PROSE, Sheet, grid

NO_OCR = Limits(ocr="off")
YEARS = [["Item", "2021", "2022"], ["Tea", "10", "12"], ["Coffee", "7", "9"]]


def tables(document: ParsedDocument) -> list[Leaf]:
    return [leaf for leaf in document.root.leaves() if leaf.kind is NodeKind.TABLE]


def words(leaf: Leaf, document: ParsedDocument) -> str:
    return leaf.span.of(document.text)


def test_a_table_on_a_cropped_page_is_read_once_and_leaves_the_text_around_it_whole() -> None:
    sheet = Sheet()
    sheet.prose()
    grid(sheet, YEARS)
    sheet.prose()
    sheet.page.set_cropbox(pymupdf.Rect(40, 50, 560, 800))
    document = parse(sheet.bytes(), "a.pdf", limits=NO_OCR)
    assert [leaf.kind for leaf in document.root.leaves()] == [
        NodeKind.PARAGRAPH,
        NodeKind.TABLE,
        NodeKind.PARAGRAPH,
    ]
    assert document.text.count("Coffee") == 1
    assert [words(leaf, document) for leaf in document.root.leaves()][::2] == [" ".join(PROSE)] * 2
    ((_, x0, y0, _, _),) = tables(document)[0].boxes
    assert x0 == 72 - 40
    assert 150 - 50 <= y0 <= 160 - 50


def test_words_of_small_print_in_a_cell_stay_apart_without_blanks_between_them() -> None:
    sheet = Sheet()
    grid(sheet, [["", "2021", "2022"], ["", "10", "12"], ["", "7", "9"]])
    x = 76.0
    for word in ("My", "way", "of", "life"):
        sheet.page.insert_text((x, 124), word, fontsize=6)
        x += pymupdf.get_text_length(word, fontsize=6) + 1.8
    document = parse(sheet.bytes(), "a.pdf", limits=NO_OCR)
    assert "| My way of life | 10 | 12 |" in document.text


def test_a_ligature_in_a_cell_is_read_where_it_stands() -> None:
    sheet = Sheet()
    grid(sheet, [["Item", "2021"], ["", "10"], ["Coffee", "7"]])
    writer = pymupdf.TextWriter(sheet.page.rect)
    writer.append((76, 124), "re\ufb02ex and \ufb01ction", font=pymupdf.Font("helv"), fontsize=10)
    writer.write_text(sheet.page)
    document = parse(sheet.bytes(), "a.pdf", limits=NO_OCR)
    assert "| reflex and fiction | 10 |" in document.text


def test_rules_that_are_clipped_away_make_no_table_of_the_text_there() -> None:
    sheet = Sheet()
    sheet.prose()
    grid(sheet, YEARS)
    # A pattern is drawn so: whole tiles, seen through a window that leaves most of them out.
    rules = " ".join(
        f"60 {y} m 500 {y} l S {x} 770 m {x} 680 l S"
        for x, y in ((60, 770), (200, 740), (340, 710), (500, 680))
    )
    hidden = f"q 20 20 30 30 re W n {rules} Q".encode()
    xref = sheet.page.get_contents()[0]
    sheet.document.update_stream(xref, sheet.document.xref_stream(xref) + b"\n" + hidden)
    document = parse(sheet.bytes(), "a.pdf", limits=NO_OCR)
    assert document.text.startswith(" ".join(PROSE))
    assert len(tables(document)) == 1


def test_a_table_on_a_turned_page_is_read_as_it_is_displayed() -> None:
    sheet = Sheet()
    grid(sheet, YEARS)
    sheet.page.set_rotation(180)
    document = parse(sheet.bytes(), "a.pdf", limits=NO_OCR)
    ((_, x0, y0, x1, _),) = tables(document)[0].boxes
    assert (round(x0), round(x1)) == (595 - 72 - 330, 595 - 72)
    assert y0 > 842 / 2


@pytest.mark.parametrize("turn", [90, 270])
def test_a_wide_table_on_a_page_that_is_turned_to_be_read_is_read(turn: int) -> None:
    sheet = Sheet(width=842, height=595)
    sheet.prose()
    grid(sheet, YEARS)
    turned = pymupdf.open()
    page = turned.new_page(width=595, height=842)
    page.show_pdf_page(page.rect, sheet.document, 0, rotate=turn)
    page.set_rotation(turn)
    document = parse(turned.tobytes(), "a.pdf", limits=NO_OCR)
    assert "| Item | 2021 | 2022 |\n| --- | --- | --- |\n| Tea | 10 | 12 |" in document.text
    assert document.text.startswith(" ".join(PROSE))


def test_a_table_on_a_page_without_a_true_size_is_read() -> None:
    document = parse(builders.ruled_table_on_a_page_of_no_size(), "a.pdf", limits=NO_OCR)
    assert "| Coffee | 7 | 9 |" in document.text
    assert document.warnings == ()


def test_a_page_whose_rules_cannot_be_read_is_named_and_keeps_its_lines() -> None:
    page = PageText(2, 595, 842, [Line("Coffee", 2, 76, 100, 110, 112, 10)])
    page.vectors += [(72, y, 300, y) for y in (90, 110, 130)]
    page.vectors += [(x, 90, x, 130) for x in (72, 150, 300)]
    with pymupdf.open(stream=builders.ruled_table()) as document:
        assert place_tables([page], document) == (2,)
    assert [line.text for line in page.lines] == ["Coffee"]


def test_frames_rules_and_underlines_make_no_table_of_text() -> None:
    sheet = Sheet()
    sheet.page.draw_line((72, 60), (523, 60))
    sheet.page.draw_rect((60, 75, 535, 160))
    sheet.page.draw_rect((62, 77, 533, 158))
    sheet.prose()
    for _ in range(4):
        sheet.page.draw_line((72, sheet.y + 2), (300, sheet.y + 2))
        sheet.prose()
    document = parse(sheet.bytes(), "a.pdf", limits=NO_OCR)
    assert {leaf.kind for leaf in document.root.leaves()} == {NodeKind.PARAGRAPH}
