"""A leaf's text as words to be compared: without the Markdown that only lays it out."""

import re
from bisect import bisect
from collections.abc import Sequence

from knowledge.ingest.note_marks import MARK
from knowledge.ingest.parsers.code_spans import code_spans
from knowledge.ingest.readable_rows import cells_of, rule_line
from knowledge.ingest.tree import NodeKind, Span
from knowledge.reading.flow import flowed
from knowledge.reading.leaves import Markup

BETWEEN_CELLS = "\u00a0· "
"""Hangs at the end of a line that is too narrow, rather than to begin the next."""

RAISED = "¹²³⁴⁵⁶⁷⁸⁹⁰ⁱᵛˣˡᶜ"
_RAISED = str.maketrans("1234567890ivxlc", RAISED)
_BULLET = re.compile(r"^([ \t]*)- ", re.MULTILINE)


def readable(kind: str, text: str, markup: Markup) -> str:
    """Return the text of a leaf as it is compared and shown.

    A row of a table is a line with its cells one after the other, the mark of a footnote is
    raised where it is none of code, and lines that only a width broke are joined. The words of a
    Markdown file stay as they were written; elsewhere the signs of lists are Cairn's own and become
    bullets.
    """
    if kind == NodeKind.TABLE and text.lstrip().startswith("|"):
        lines = text.split("\n")
        rule = rule_line(lines)
        text = "\n".join(_row(line) for place, line in enumerate(lines) if place != rule)
    if kind == NodeKind.CODE:
        return text
    if kind in (NodeKind.PARAGRAPH, NodeKind.LIST):
        text = "".join(flowed(text))
    if markup is Markup.PLAIN:
        return text
    if kind == NodeKind.LIST and markup is Markup.COMPOSED:
        text = _BULLET.sub(r"\1• ", text)
    code = list(code_spans(text)) if markup is Markup.MARKDOWN else []
    return MARK.sub(lambda mark: mark[0] if _is_in(code, mark.start()) else _raised(mark[0]), text)


def _raised(mark: str) -> str:
    return mark[2:-1].translate(_RAISED)


def _is_in(spans: Sequence[Span], position: int) -> bool:
    at = bisect(spans, position, key=lambda span: span.start)
    return at > 0 and position < spans[at - 1].end


def _row(line: str) -> str:
    return BETWEEN_CELLS.join(cell for cell in cells_of(line) if cell)
