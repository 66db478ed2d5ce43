"""Footnotes and endnotes: numbered as they are met, each read once and as the body is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from knowledge.ingest.parsers.numerals import numeral
from knowledge.ingest.tables import plain_rows

from .items import Item, Note, Paragraph, Table
from .names import Element, W
from .package import Package

BlockReader = Callable[[Element], Iterator[Item]]


class Notes:
    """The notes of a document by kind ('footnote', 'endnote') and id.

    ``reader_of`` gives what reads the blocks of a part; notes are parts with pictures of their own.
    """

    def __init__(self, package: Package, reader_of: Callable[[Package], BlockReader]) -> None:
        self._elements: dict[tuple[str, str], Element] = {}
        self._readers: dict[str, BlockReader] = {}
        self._counts = {"footnote": 0, "endnote": 0}
        for kind in self._counts:
            root = package.related(kind + "s")
            if root is None:
                continue
            self._readers[kind] = reader_of(package.seen_from(kind + "s"))
            for element in root.iterchildren(W + kind):
                self._elements[kind, element.get(W + "id", "")] = element

    def find(self, kind: str, identity: str, custom: str) -> Note | None:
        """Return the note a reference means, None when there is none, or it was met before.

        ``custom`` is a mark the author set in place of the number, or ''.
        """
        element = self._elements.pop((kind, identity), None)
        if element is None:
            return None
        words = [text for item in self._readers[kind](element) for text in _texts(item)]
        text = " ".join(" ".join(words).split())
        if custom:
            return Note(custom, text)
        self._counts[kind] += 1
        count = self._counts[kind]
        # A caret keeps a note's mark apart from the [1] of an answer's citation.
        return Note(f"^{count}" if kind == "footnote" else f"^{numeral(count, 'lowerRoman')}", text)


def _texts(item: Item) -> Iterator[str]:
    if isinstance(item, Paragraph):
        yield item.labelled
    elif isinstance(item, Table):
        yield from plain_rows(item.rows)
    elif not isinstance(item, Note):
        yield item.words
