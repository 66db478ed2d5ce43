"""A cited quote on the card below the answer: table rows as a table, emphasis as emphasis.

The card is a link, so links in the quote lose theirs. Nothing in a quote is trusted.
"""

import re
from collections.abc import Sequence

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from markdown_it import MarkdownIt

from knowledge.ingest.note_marks import without_marks
from knowledge.ingest.tree import NodeKind
from knowledge.reading.leaves import MOST_BRACKETS, Markup, literal_words
from retrieval.agent.tables import cells_of

LONGEST = 150
"""Characters of running text on a card."""

MOST_ROWS, MOST_CELLS = 3, 8

_TAGS = {"code", "em", "s", "strong", "table", "tbody", "td", "th", "thead", "tr"}
_RULE = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*\Z")
_MARKDOWN = (
    MarkdownIt("commonmark", {"html": False})
    .enable("strikethrough")
    .disable(["image", "autolink", "html_inline"])
)
_LITERAL = literal_words(MarkdownIt("commonmark", {"html": False}))


def quote_html(quote: str, kind: str, markup: Markup, table: str = "") -> SafeString:
    """Return the quote as HTML without links.

    `kind` is that of the leaf it comes from, '' if that is gone; `table` is the beginning of its
    text if it is a table, whose first line then heads the columns.
    """
    if kind == NodeKind.TABLE and quote.lstrip().startswith("|"):
        return _rows(quote, _header(table), markup)
    if kind == NodeKind.CODE or quote.count("[") > MOST_BRACKETS:
        html = str(escape(" ".join(quote.split())))
    else:
        html = _inline(" ".join(quote.split()), markup)
    return mark_safe(Truncator(html).chars(LONGEST, html=True))  # noqa: S308  escaped or cleaned


def _inline(text: str, markup: Markup) -> str:
    parser = _MARKDOWN if markup is Markup.MARKDOWN else _LITERAL
    return nh3.clean(str(parser.renderInline(without_marks(text))), tags=_TAGS, attributes={})


def _rows(quote: str, header: Sequence[str], markup: Markup) -> SafeString:
    lines = [line for line in quote.splitlines() if line.strip() and not _RULE.match(line)]
    rows = [cells_of(line)[:MOST_CELLS] for line in lines[:MOST_ROWS]]
    rows = [row for row in rows if row != list(header)]
    head = f"<thead>{_row('th', header, markup)}</thead>" if header else ""
    body = "".join(_row("td", row, markup) for row in rows)
    html = f"<table>{head}<tbody>{body}</tbody></table>"
    return mark_safe(nh3.clean(html, tags=_TAGS, attributes={}))  # noqa: S308  cleaned


def _row(tag: str, cells: Sequence[str], markup: Markup) -> str:
    return "<tr>" + "".join(f"<{tag}>{_inline(cell, markup)}</{tag}>" for cell in cells) + "</tr>"


def _header(table: str) -> list[str]:
    lines = table.splitlines()
    if len(lines) > 1 and lines[0].lstrip().startswith("|") and _RULE.match(lines[1]):
        return cells_of(lines[0])[:MOST_CELLS]
    return []
