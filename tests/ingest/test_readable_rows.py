"""Rows of Markdown tables as a reader understands them."""

from __future__ import annotations

import pytest

from knowledge.ingest.readable_rows import readable_row
from knowledge.ingest.tree import NodeKind
from knowledge.reading.leaves import Markup
from knowledge.reading.readable import readable
from tests.ingest.trees import read

RULES = ["| - | - |", "|:-:|:-:|", "-|-", "| :- | -: |", "|-|---|", "| --- | --- |"]


@pytest.mark.parametrize("rule", RULES)
def test_the_header_is_found_above_a_rule_of_any_length(rule: str) -> None:
    table = f"| A | B |\n{rule}\n| x | 5 |\n| - | - |"
    document = read(table)
    (leaf,) = document.root.leaves()
    text = leaf.span.of(document.text)
    rows = [readable_row(text, row.span.of(document.text)) for row in leaf.rows]
    assert rows == ["A: x; B: 5", "A: -; B: -"]
    assert readable(NodeKind.TABLE, text, Markup.MARKDOWN).split("\n") == [
        "A\u00a0· B",
        "x\u00a0· 5",
        "-\u00a0· -",
    ]


@pytest.mark.parametrize("dashes", ["| - | - |", "| -- | -- |"])
def test_a_row_of_dashes_makes_no_header_of_the_row_above(dashes: str) -> None:
    assert readable_row(f"| x | 5 |\n| y | 6 |\n{dashes}\n| z | 7 |", "| z | 7 |") == "z; 7"
    assert readable_row("| A | B |\n| - |\n| z | 7 |", "| z | 7 |") == "z; 7"


def test_a_table_of_one_column_has_its_header() -> None:
    assert readable_row("| A |\n| - |\n| 5 |", "| 5 |") == "A: 5"
