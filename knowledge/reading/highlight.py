"""Highlighting a span of Markdown source in the HTML made from it.

Two sentinels, new for each span, go around it before rendering and become `<mark>` afterwards. They
can get into the way of markup (`_` next to a letter no longer opens emphasis), so the result is
compared with the rendering without them: either the text looks exactly as it does unmarked, or the
boundaries move past the markup, or the whole leaf is marked.
"""

import re
from collections.abc import Callable, Iterator

from knowledge.ingest.tree import Span
from knowledge.reading.sentinels import sentinel

_TAG = re.compile(r"(<[^>]*>)")
_BLOCK_PREFIX = re.compile(r"[ \t]*(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+|#{1,6}[ \t]+)*")
_DELIMITERS = "*_~`"


def marked(text: str, span: Span, render: Callable[[str], str]) -> str:
    """Return `render(text)` with the part that comes from `span` in `<mark>` elements.

    `render` gives HTML in which `>` is escaped outside of tags.
    """
    plain = render(text)
    opening, closing = sentinel(), sentinel()
    for start, end in _boundaries(text, span):
        html = render(f"{text[:start]}{opening}{text[start:end]}{closing}{text[end:]}")
        parts = _around(html, opening, closing)
        if parts is not None and "".join(parts) == plain:
            before, inside, after = parts
            return f"{before}{_all_marked(inside)}{after}"
    return _all_marked(plain)


def _around(html: str, opening: str, closing: str) -> tuple[str, str, str] | None:
    """Return what is before, between and after the sentinels, None unless each is there once."""
    if html.count(opening) != 1 or html.count(closing) != 1:
        return None
    before, _, rest = html.partition(opening)
    inside, _, after = rest.partition(closing)
    in_tag = any(part.rfind("<") > part.rfind(">") for part in (before, inside))
    return None if in_tag or closing in before else (before, inside, after)


def _all_marked(html: str) -> str:
    """Return the HTML with `<mark>` elements around its text only, so that none crosses a tag."""
    return "".join(
        piece if piece.startswith("<") or not piece.strip() else f"<mark>{piece}</mark>"
        for piece in _TAG.split(html)
    )


def _boundaries(text: str, span: Span) -> Iterator[tuple[int, int]]:
    """Yield the span, then the spans a reader would take for the same, past adjacent markup."""
    start, end = span.start, span.end
    starts = (start, _after_prefix(text, start), _left(text, start), _right(text, start))
    ends = (end, _right(text, end), _left(text, end))
    for start in dict.fromkeys(starts):
        for end in dict.fromkeys(ends):
            if start < end:
                yield start, end


def _after_prefix(text: str, position: int) -> int:
    """Return the position after a list marker, quote sign or heading sign that starts there."""
    match = _BLOCK_PREFIX.match(text, position)
    return match.end() if match else position


def _left(text: str, position: int) -> int:
    while position > 0 and text[position - 1] in _DELIMITERS:
        position -= 1
    return position


def _right(text: str, position: int) -> int:
    while position < len(text) and text[position] in _DELIMITERS:
        position += 1
    return position
