"""Running heads, feet and page numbers: what stands at the same place of page after page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from .lines import UPRIGHT, Line, PageText

# The outer parts of a page in which heads and feet stand, as shares of its height.
_ZONE = 0.1
# A number alone may stand nearer to the text.
_NUMBER_ZONE = 0.16
_LEAST_PAGES = 3
_LONGEST = 300
_LONGEST_NUMBER = 16
# Positions are equal within so many points.
_TOLERANCE = 4.0

_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"(?<!\w)[ivxlc]{1,7}(?!\w)", re.IGNORECASE)
_NUMBER_ONLY = re.compile(
    r"\W*(?:(?:page|seite|p\.|стр\.?|страница|página|pagina|第|sheet)\s*)?(\d{1,4}|[ivxlc]{1,7})\W*"
    r"(?:\s*(?:of|von|/|из|de|sur)\s*\d{1,4})?\s*(?:页|頁|ページ)?\W*\Z",
    re.IGNORECASE,
)


def without_furniture(pages: Sequence[PageText]) -> int:
    """Take heads, feet and page numbers out of ``pages``; return how many lines these were."""
    if len(pages) < 2:
        return 0
    places: dict[tuple[str, int], list[tuple[int, Line]]] = defaultdict(list)
    for page in pages:
        for line in _edge_lines(page):
            key = _folded(line.text)
            # Odd and even pages, and different sheets, shift things a little.
            places[key, round(_place(line, page) / _TOLERANCE)].append((page.number, line))
    doomed: set[int] = set()
    for (key, place), found in places.items():
        near = found + places.get((key, place + 1), []) + places.get((key, place - 1), [])
        if _is_repeated(key, [number for number, _ in near], len(pages)):
            doomed.update(id(line) for _, line in found)
    doomed |= _page_numbers(pages)
    for page in pages:
        page.lines = [line for line in page.lines if id(line) not in doomed]
    return len(doomed)


def is_page_number(text: str) -> bool:
    """Return whether ``text`` reads like a page number and nothing else."""
    return len(text) < _LONGEST_NUMBER and bool(_NUMBER_ONLY.match(text))


def _page_numbers(pages: Sequence[PageText]) -> set[int]:
    """Return the ids of first and last lines that count the pages, wherever they stand.

    A page printed from a long one has its number where the text ends.
    """
    offsets: dict[int, list[Line]] = defaultdict(list)
    for page in pages:
        upright = [line for line in page.lines if line.direction == UPRIGHT]
        if upright:
            edges = (min(upright, key=lambda x: x.y0), max(upright, key=lambda x: x.y1))
            for line in edges:
                match = _NUMBER_ONLY.match(line.text) if len(line.text) < _LONGEST_NUMBER else None
                if match and match[1].isdigit():
                    offsets[int(match[1]) - page.number].append(line)
    return {id(line) for found in offsets.values() if len(found) >= _LEAST_PAGES for line in found}


def _edge_lines(page: PageText) -> list[Line]:
    """Return the lines at the edges; turned ones at the sides count too."""
    zones = {
        alone: (page.height * zone, page.height * (1 - zone))
        for alone, zone in ((False, _ZONE), (True, _NUMBER_ZONE))
    }
    found = []
    for line in page.lines:
        top, bottom = zones[is_page_number(line.text)]
        turned = line.direction != UPRIGHT
        if (turned or line.y1 <= top or line.y0 >= bottom) and len(line.text) < _LONGEST:
            found.append(line)
    return found


def _place(line: Line, page: PageText) -> float:
    """Return the distance from the nearer edge, feet as negative numbers."""
    y = line.box[1]
    return y if y < page.height / 2 else y - page.height


def _is_repeated(key: str, numbers: list[int], pages: int) -> bool:
    distinct = set(numbers)
    if len(distinct) < 2:
        return False
    if _NUMBER_ONLY.match(key.replace("#", "1")):
        return True
    if len(distinct) < min(_LEAST_PAGES, pages):
        return False
    # Enough in all, or close together: the head of one chapter.
    spread = max(distinct) - min(distinct) + 1
    return len(distinct) * 4 >= spread or len(distinct) * 5 >= pages


def _folded(text: str) -> str:
    """Return ``text`` with every number as '#', so that 'Page 3 of 9' and 'xii' repeat."""
    folded = _DIGITS.sub("#", text.casefold())
    if len(folded) <= 12:
        folded = _ROMAN.sub("#", folded)
    return folded
