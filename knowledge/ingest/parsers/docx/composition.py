"""Items of a Word document put into canonical text, in order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from knowledge.ingest.parsers.composing import Composer, clean
from knowledge.ingest.preflight import Refused, Verdict
from knowledge.ingest.table_parts import table_parts
from knowledge.ingest.tables import grid_of

from .headings import Outline, outline_of
from .items import Item, Note, Paragraph, Picture, Table

_FIGURE = re.compile(
    r"\s*(?:figure|fig\.|abbildung|abb\.|рисунок|рис\.|figura|图|圖|図)\s*[A-Z]?\d", re.IGNORECASE
)
_UNDESCRIBED = "Image"
_LONGEST_NUMBER = 12
_LONGEST_CAPTION = 200


class Composition:
    """Composes ``items``; ``title`` is what the style Title says, ``figures`` one a FIGURE leaf."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.composer = Composer()
        self.figures: list[Picture] = []
        self.title = ""
        self._items = items
        self._outline: Outline = outline_of(items)
        # Notes wait until their list is complete, or they would cut it in two.
        self._notes: list[Note] = []
        # The place of the caption that the picture before it took.
        self._used = -1
        place = 0
        while place < len(items):
            place = self._item(place)
        self._flush_notes()

    def _item(self, place: int) -> int:
        """Add the item at ``place`` and those that belong to it; return the place after them."""
        item = self._items[place]
        if isinstance(item, Note):
            self._notes.append(item)
            if not self._goes_on(place + 1):
                self._flush_notes()
            return place + 1
        if isinstance(item, Picture):
            return self._figure(item, place)
        if isinstance(item, Table):
            self._table(item)
            return place + 1
        return self._paragraph(item, place)

    def _goes_on(self, place: int) -> bool:
        following = self._items[place] if place < len(self._items) else None
        if isinstance(following, Note):
            return True
        return (
            isinstance(following, Paragraph)
            and following.label is not None
            and place not in self._outline.levels
        )

    def _paragraph(self, item: Paragraph, place: int) -> int:
        if place in self._outline.titles:
            return self._title(place)
        if place in self._outline.levels:
            self._heading(item, self._outline.levels[place])
            return place + 1
        if item.style.role == "part-number" and self._is_part_number(item, place):
            title = self._text(place + 1)
            level = self._outline.levels[place + 1]
            self.composer.heading(f"{_words(item.labelled)}\n{title}", level, title=title)
            return place + 2
        if item.style.role == "code":
            return self._code(place)
        if item.label:
            self.composer.item(_words(item.text), marker=item.label, depth=item.depth)
            return place + 1
        if self._is_caption(place) and self._has_picture(place + 1):
            return place + 1  # taken by the picture
        self.composer.paragraph(_words(item.text))
        return place + 1

    def _title(self, place: int) -> int:
        lines = [self._items[n] for n in self._outline.titles]
        texts = [_words(item.text) for item in lines if isinstance(item, Paragraph)]
        self.title = " ".join(texts)
        self.composer.heading("\n".join(texts), 1, title=self.title)
        return place + len(texts)

    def _heading(self, item: Paragraph, level: int) -> None:
        self.composer.heading(_words(item.labelled).replace("\n", " "), level)

    def _is_part_number(self, item: Paragraph, place: int) -> bool:
        return len(_words(item.labelled)) <= _LONGEST_NUMBER and place + 1 in self._outline.levels

    def _code(self, place: int) -> int:
        lines = []
        while place < len(self._items):
            item = self._items[place]
            if not isinstance(item, Paragraph) or item.style.role != "code":
                break
            lines.append(item.text)
            place += 1
        self.composer.code("\n".join(lines))
        return place

    def _table(self, item: Table) -> None:
        try:
            grids = [grid_of(*part) for part in table_parts(item.rows, item.header_rows)]
        except ValueError as error:
            raise Refused(
                Verdict.TOO_LARGE, "A table of the document claims millions of cells."
            ) from error
        for grid in grids:
            self.composer.table(grid)

    def _figure(self, picture: Picture, place: int) -> int:
        """Add a picture with its caption: the line below it, else the one above."""
        caption, taken = "", 1
        if self._is_caption(place - 1) and place - 1 != self._used:
            caption = self._text(place - 1)
        elif self._is_caption(place + 1):
            caption, taken, self._used = self._text(place + 1), 2, place + 1
        words = "\n".join(filter(None, (caption, picture.words)))
        self.composer.figure(words if clean(words).strip() else _UNDESCRIBED)
        self.figures.append(picture)
        return place + taken

    def _is_caption(self, place: int) -> bool:
        item = self._items[place] if 0 <= place < len(self._items) else None
        if not isinstance(item, Paragraph) or item.label or place in self._outline.levels:
            return False
        if item.style.role:
            return item.style.role == "caption"
        return len(item.text) <= _LONGEST_CAPTION and bool(_FIGURE.match(item.text))

    def _text(self, place: int) -> str:
        item = self._items[place]
        return _words(item.labelled) if isinstance(item, Paragraph) else ""

    def _has_picture(self, place: int) -> bool:
        return place < len(self._items) and isinstance(self._items[place], Picture)

    def _flush_notes(self) -> None:
        for note in self._notes:
            self.composer.note(note.mark, note.text)
        self._notes = []


def _words(text: str) -> str:
    """Return ``text`` with blanks folded, its line breaks kept."""
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.split("\n"))))
