"""The lines of a Markdown file of many blocks of HTML."""

from __future__ import annotations

from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from knowledge.ingest.parsers.markdown_html import Markup
from knowledge.ingest.parsers.markdown_lines import with_html_read
from knowledge.ingest.preflight import Limits


class Counted(list[Token]):
    """Tokens that count how many of them were handed out."""

    handed_out = 0

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        self.handed_out += len(found) if isinstance(key, slice) else 1
        return found


def test_every_block_is_looked_at_a_few_times_however_many_there_are() -> None:
    count = 500
    text = "<b>\n\nx\n\n" * count
    tokens = Counted(MarkdownIt("commonmark").parse(text))
    found = with_html_read(text, tokens, 0, Markup(text, Limits()), "en")
    assert found.text.split() == ["x"] * count
    assert tokens.handed_out <= 2 * len(tokens)


def test_blocks_that_nothing_stands_between_are_one_table_also_at_the_end() -> None:
    text = "x\n\n<table>\n<tr><td>a<td>b</tr>\n\n<tr><td>1<td>2</tr>\n</table>"
    tokens = MarkdownIt("commonmark").parse(text)
    found = with_html_read(text, tokens, 0, Markup(text, Limits()), "en")
    assert list(found.blocks) == [2]
    assert "| 1 | 2 |" in found.text
