"""A document's own outline, found again in the text of its pages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pymupdf

from .damage import DAMAGE
from .lines import Line
from .sections import without_number

_LONGEST = 400
_MOST_ROWS = 6
# Fewer bookmarks than one in so many pages name parts at most; the text is asked as well.
_SPARSE = 25
_NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the outline: page from 1 or None where it leads nowhere, ``y`` from the top."""

    level: int
    title: str
    page: int | None
    y: float | None


def read_bookmarks(document: pymupdf.Document) -> list[Bookmark]:
    """Return the outline in order; entries that lead out of the document are left out.

    MuPDF's own items are asked: `get_toc` counts the heights of named destinations from below, and
    resolves all names of the document in Python.
    """
    marks = []
    try:
        for level, item in _items(document):
            shown = " ".join((item.title or "").replace("\x00", "").split())[:_LONGEST]
            if any(map(str.isalnum, shown)) and not item.is_external:
                page = _page(document, item)
                inside = 1 <= page <= document.page_count
                y = float(item.y)
                # Not a number where only the page is named.
                marks.append(Bookmark(level, shown, page if inside else None, y if y > 0 else None))
    except DAMAGE:
        return []
    return marks


def decide(marks: Sequence[Bookmark], pages: int) -> bool:
    """Return whether the bookmarks are enough to be the headings."""
    return len(marks) >= 2 and len(marks) * _SPARSE >= pages


def place(marks: Sequence[Bookmark], pages: dict[int, list[list[Line]]]) -> None:
    """Mark the rows that bookmarks name; ``pages`` holds the runs of rows by page.

    A title that no row holds becomes a row of its own, where the bookmark leads to. One without a
    page is looked for between its neighbours, and left out when it is not there.
    """
    taken: set[int] = set()
    for number, mark in enumerate(marks):
        # Some programs name the page before.
        candidates = [mark.page, mark.page + 1] if mark.page else _between(marks, number, pages)
        found = any(_mark_rows(mark, pages.get(page, []), taken) for page in candidates)
        if not found and mark.page is not None:
            _insert(mark, pages.setdefault(mark.page, []), mark.page, taken)


def _items(document: pymupdf.Document) -> Iterator[tuple[int, Any]]:
    """Yield the items of the outline with their levels, from 1."""
    waiting = [(1, document.outline)]
    while waiting:
        level, item = waiting.pop()
        # An outline without items is an empty item.
        if item and item.this.m_internal:
            yield level, item
            waiting += [(level, item.next), (level + 1, item.down)]


def _page(document: pymupdf.Document, item: Any) -> int:
    """Return the page of ``item``, from 1; 0 when it leads nowhere."""
    page = item.page
    if page < 0 and item.uri:
        page = document.resolve_link(item.uri)[0]
    return int(page) + 1


def _between(
    marks: Sequence[Bookmark], number: int, pages: Mapping[int, list[list[Line]]]
) -> list[int]:
    before = next((mark.page for mark in reversed(marks[:number]) if mark.page), 1)
    after = next((mark.page for mark in marks[number + 1 :] if mark.page), max(pages, default=1))
    return list(range(before, after + 1))


def _mark_rows(mark: Bookmark, runs: Sequence[list[Line]], taken: set[int]) -> bool:
    """Mark the rows whose text is the title; return whether there were any."""
    wanted = folded(mark.title)
    bare = folded(without_number(mark.title))
    best: tuple[float, list[Line]] | None = None
    for run in runs:
        for start, row in enumerate(run):
            if row.content or id(row) in taken:
                continue
            rows = _match(run, start, wanted, bare)
            if rows and not any(id(found) in taken for found in rows):
                distance = abs(row.box[1] - mark.y) if mark.y is not None else 0.0
                exact = folded(" ".join(line.text for line in rows)) == wanted
                score = (0 if exact else 1_000) + distance - row.size
                if best is None or score < best[0]:
                    best = (score, rows)
    if best is None:
        return False
    for number, row in enumerate(best[1]):
        row.mark = (0, "") if number else (mark.level, mark.title)
        taken.add(id(row))
    return True


def _match(run: Sequence[Line], start: int, wanted: str, bare: str) -> list[Line]:
    """Return the rows from ``start`` that together say the title, [] when they do not."""
    text = ""
    for stop in range(start, min(start + _MOST_ROWS, len(run))):
        if run[stop].content:
            break
        text += folded(run[stop].text)
        if text == wanted or (
            len(bare) > 2 and folded(without_number(run[stop].text)) == bare and stop == start
        ):
            return list(run[start : stop + 1])
        if len(text) > len(wanted) + 40:
            break
        # "CHAPTER THIRTEEN: Eldred" for "13: Eldred".
        if len(bare) > 4 and text.endswith(bare) and len(text) <= len(bare) + 24:
            return list(run[start : stop + 1])
        # A title cut short in the outline.
        if wanted.endswith("…") and text.startswith(wanted[:-1]):
            return list(run[start : stop + 1])
        if not wanted.startswith(text[: len(wanted)]) and bare not in text + bare[:1]:
            break
    return []


def _insert(mark: Bookmark, runs: list[list[Line]], page: int, taken: set[int]) -> None:
    y = mark.y if mark.y is not None else 0.0
    row = Line(mark.title, page, 0.0, y, 0.0, y, 0.0, mark=(mark.level, mark.title))
    row.size = -1.0  # no text of the page
    taken.add(id(row))
    for run in runs:
        for number, line in enumerate(run):
            if line.box[1] >= y - 6 and id(line) not in taken and line.mark is None:
                run.insert(number, row)
                return
    runs.append([row])


def folded(text: str) -> str:
    """Return the letters and digits of ``text`` alone, without case."""
    plain = _NOT_WORD.sub("", unicodedata.normalize("NFKC", text).casefold())
    return plain + "…" if text.rstrip().endswith(("...", "…")) else plain
