"""Plain text: numbered, underlined and upper-case headings; paragraphs between blank lines."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.ingest.decoding import decode
from knowledge.ingest.language import detect_language
from knowledge.ingest.outline import Heading
from knowledge.ingest.preflight import Limits
from knowledge.ingest.tokens import trimmed
from knowledge.ingest.tree import Leaf, NodeKind, ParsedDocument, Span

from .headings import HeadingFinder
from .numbering import ITEM, RULE
from .plain import Lines, document, list_leaf, prose_leaf

NAME = "text"
VERSION = "3"

# A line this long was not wrapped by hand: it is a paragraph of its own.
_UNWRAPPED = 160
# Logs and lists without blank lines are cut at a line end beyond this many characters.
_LONGEST_PARAGRAPH = 4_000


def parse(data: bytes, filename: str, limits: Limits) -> ParsedDocument:
    """Return the tree of a plain-text file. Raises `preflight.Refused`."""
    decoded = decode(data, limits)
    reader = _Reader(decoded.text)
    return document(
        decoded,
        list(reader.blocks()),
        filename=filename,
        title="",
        language=reader.language,
        parser=NAME,
        version=VERSION,
    )


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = Lines(text)
        self.language = detect_language(text)

    def blocks(self) -> Iterator[Heading | Leaf]:
        """Yield headings and leaves in order; a list with blank lines between its items is one."""
        finder = HeadingFinder(self._lines)
        held: Span | None = None
        for block in self._blocks(finder):
            if isinstance(block, Span):
                joined = held is not None and block.end - held.start <= _LONGEST_PARAGRAPH
                if held is not None and not joined:
                    yield list_leaf(self._text, held, self.language)
                held = Span(held.start, block.end) if held is not None and joined else block
                continue
            if held is not None:
                yield list_leaf(self._text, held, self.language)
                held = None
            yield block
        if held is not None:
            yield list_leaf(self._text, held, self.language)

    def _blocks(self, finder: HeadingFinder) -> Iterator[Heading | Leaf | Span]:
        """Yield headings, paragraphs, and the bare spans of lists."""
        number = 0
        while number < len(self._lines):
            if self._is_blank(number):
                number += 1
                continue
            found = finder.at(number)
            if found:
                yield found.heading
                number = found.stop
                continue
            stop = self._end_of_block(number, finder)
            yield from self._block(number, stop, finder)
            number = stop

    def _end_of_block(self, first: int, finder: HeadingFinder) -> int:
        """Return the line after the block that starts at ``first``, which is no heading."""
        stop = first + 1
        is_item = self._is_item(first)
        while stop < len(self._lines) and not self._is_blank(stop):
            size = len(self._lines.span(first, stop))
            unwrapped = len(self._lines.span(stop - 1, stop)) > _UNWRAPPED
            if unwrapped or size > _LONGEST_PARAGRAPH or (not is_item and self._is_item(stop)):
                break
            if self._lines.head(stop, 2) == "\u3000\u3000" or finder.breaks_at(stop):
                break
            stop += 1
        return stop

    def _block(self, first: int, stop: int, finder: HeadingFinder) -> Iterator[Leaf | Span]:
        span = self._lines.trimmed(first, stop)
        if stop == first + 1 and RULE.match(self._lines.head(first, 400)):
            return
        if self._is_item(first):
            for number in range(first, stop):
                finder.saw_item(self._lines.head(number, 40))
            yield span
        else:
            yield prose_leaf(NodeKind.PARAGRAPH, self._text, span, self.language)

    def _is_item(self, number: int) -> bool:
        return bool(ITEM.match(self._lines.head(number, 40)))

    def _is_blank(self, number: int) -> bool:
        return not len(trimmed(self._text, self._lines.span(number, number + 1)))
