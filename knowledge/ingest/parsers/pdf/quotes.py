"""Where a quote stands on its page, so that it can be drawn over the page's picture."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from knowledge.ingest.note_marks import MARK
from knowledge.ingest.preflight import Limits

from .damage import DAMAGE
from .lines import Box, rounded, union
from .pages import turn_of, turned
from .rtl import is_rtl, reversed_line
from .source import open_document

_NOT_WORD = re.compile(r"[\W_]+")
# At least this share of a quote must stand on the page, or nothing is drawn.
_LEAST_SHARE = 0.5
_MOST_DIGITS = 12
"""Of the marks of notes between two words: three of them, of four digits."""


def quote_boxes(data: bytes, page: int, quote: str, *, limits: Limits) -> tuple[Box, ...]:
    """Return one box per line of ``quote`` on ``page`` (from 1), () when it cannot be found there.

    Letters and digits alone are compared, so hyphens at line ends, ligatures and spacing do not
    matter. A quote that begins or ends on another page is drawn as far as it stands here, when
    that is half of it. Boxes are in points of the displayed page. Raises `preflight.Refused`.
    """
    document, _ = open_document(data, limits)
    try:
        if not 1 <= page <= document.page_count:
            return ()
        shown = document[page - 1]
        turn = turn_of(shown)
        words = [
            (word[4], turned(word[:4], turn) if turn else word[:4])
            for word in shown.get_text("words")
        ]
    except DAMAGE:
        return ()
    finally:
        document.close()
    said = [_folded(part) for part in MARK.split(quote)]
    for visual in (False, True):
        if visual and not is_rtl(quote):
            break
        texts = [_folded(reversed_line(word) if visual else word) for word, _ in words]
        span = _find("".join(texts), said)
        if span:
            return _boxes(texts, [box for _, box in words], span)
    return ()


def _find(text: str, parts: Sequence[str]) -> tuple[int, int] | None:
    """Return the range of ``text`` that is ``parts``, or the half of them that stands here.

    Between the parts are marks of notes, which may have other numbers on the page.
    """
    wanted = "".join(parts)
    if found := _whole(text, [part for part in parts if part]):
        return found
    least = max(8, int(len(wanted) * _LEAST_SHARE))
    if len(wanted) < 16:
        return None
    # The end of the page, with the quote's beginning; its beginning, with the quote's end.
    start = text.rfind(wanted[:least])
    if start >= 0 and wanted.startswith(text[start:]):
        return start, len(text)
    start = text.find(wanted[-least:])
    if start >= 0 and wanted.endswith(text[: start + least]):
        return 0, start + least
    return None


def _whole(text: str, parts: Sequence[str]) -> tuple[int, int] | None:
    """Return the first range that is all of ``parts``, with a few digits or none between them.

    Step by step: a regular expression tries the digits of twelve marks in every way there is.
    """
    if not parts:
        return None
    starts = (found.start() for found in re.finditer(re.escape(parts[0]), text))
    ends = {start + len(parts[0]): start for start in starts}
    for part in parts[1:]:
        ends = {
            after + len(part): start
            for end, start in ends.items()
            for after in _behind_digits(text, end)
            if text.startswith(part, after)
        }
    return min(((start, end) for end, start in ends.items()), default=None)


def _behind_digits(text: str, position: int) -> Iterator[int]:
    yield position
    for after in range(position, min(position + _MOST_DIGITS, len(text))):
        if not text[after].isdigit():
            return
        yield after + 1


def _boxes(
    texts: list[str], boxes: list[tuple[float, ...]], span: tuple[int, int]
) -> tuple[Box, ...]:
    lines: list[list[Box]] = []
    position = 0
    for text, box in zip(texts, boxes, strict=True):
        if text and position < span[1] and position + len(text) > span[0]:
            own = (box[0], box[1], box[2], box[3])
            last = lines[-1][-1] if lines else None
            if last and last[1] <= (own[1] + own[3]) / 2 <= last[3]:
                lines[-1].append(own)
            else:
                lines.append([own])
        position += len(text)
    return tuple(rounded(union(line)) for line in lines)


def _folded(text: str) -> str:
    return _NOT_WORD.sub("", unicodedata.normalize("NFKC", text).casefold())
