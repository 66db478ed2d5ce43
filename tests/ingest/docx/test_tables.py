"""Rows of Word's tables: which are seen, and which of them name columns."""

from __future__ import annotations

from knowledge.ingest.parsers import parse
from tests.ingest.docx.making import docx, p, tbl, tr


def test_a_hidden_row_is_no_part_of_a_table() -> None:
    table = tbl(tr("a", "b"), tr("secret", "9", about="<w:hidden/>"), tr("c", "d"))
    text = parse(docx(p("Before") + table), "a.docx").text
    assert text == "Before\n\n|  |  |\n| --- | --- |\n| a | b |\n| c | d |"
