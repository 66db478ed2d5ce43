"""Highlighting a span of Markdown source in the HTML made from it.

Two private-use characters go around the span before rendering and become `<mark>` afterwards. They
can get into the way of markup (`_` next to a letter no longer opens emphasis), so the result is
compared with the rendering without them: either the text looks exactly as it does unmarked, or the
boundaries move past the markup, or the whole leaf is marked.
"""

import re
from collections.abc import Callable, Iterator

from knowledge.ingest.tree import Span

OPEN = "\ue000"
CLOSE = "\ue001"

_TAG = re.compile(r"(<[^>]*>)")
_SENTINEL = re.compile(f"([{OPEN}{CLOSE}])")
_BLOCK_PREFIX = re.compile(r"[ \t]*(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+|#{1,6}[ \t]+)*")
_DELIMITERS = "*_~`"


def without_sentinels(text: str) -> str:
    """Return text of the same length in which the sentinels do not occur."""
    return _SENTINEL.sub("\ufffd", text)


def marked(text: str, span: Span, render: Callable[[str], str]) -> str:
    """Return `render(text)` with the part that comes from `span` in `<mark>` elements.

    `text` holds no sentinels and `render` gives HTML in which `>` is escaped outside of tags.
    """
    plain = render(text)
    for start, end in _boundaries(text, span):
        html = render(f"{text[:start]}{OPEN}{text[start:end]}{CLOSE}{text[end:]}")
        if OPEN in html and CLOSE in html and _SENTINEL.sub("", html) == plain:
            return sentinels_to_marks(html)
    return sentinels_to_marks(f"{OPEN}{plain}{CLOSE}")


def sentinels_to_marks(html: str) -> str:
    """Replace the sentinels by `<mark>` elements around text only, so that none crosses a tag."""
    inside, parts = False, []
    for piece in _TAG.split(html):
        if piece.startswith("<"):
            parts.append(piece)
            continue
        for text in _SENTINEL.split(piece):
            if text in (OPEN, CLOSE):
                inside = text == OPEN
            else:
                parts.append(f"<mark>{text}</mark>" if inside and text.strip() else text)
    return "".join(parts)


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
