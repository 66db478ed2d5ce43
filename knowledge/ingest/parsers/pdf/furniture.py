"""Running heads, feet and page numbers: what stands at the same place of page after page.

They are equal, or differ in a number that counts with the pages. Other lines stay, for what two
pages have at one place may be two invoices, two prices or two rows of a table.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set

from .lines import UPRIGHT, Line, PageText
from .page_numbers import (
    Kind,
    Sameness,
    is_page_number,
    number_alone,
    samenesses,
)

# The outer parts of a page in which heads and feet stand, as shares of its height.
_ZONE = 0.1
# A number alone may stand nearer to the text.
_NUMBER_ZONE = 0.16
_LEAST_PAGES = 3
# So many without a gap count, whatever stands before the number.
_LEAST_RUNNING = 4
# Pages so far from each other are of one part.
_NEAR = 4
_LONGEST = 300
# Positions are equal within so many points.
_TOLERANCE = 4.0
# A line so many times as large as the text is a heading; a page number may be a little larger.
_LARGER = 1.17
_LARGEST_NUMBER = 1.5

_Found = list[tuple[PageText, Line]]
_Places = dict[tuple[Sameness, int], _Found]


def without_furniture(pages: Sequence[PageText], body: float) -> int:
    """Take heads, feet and page numbers out of ``pages``; return how many lines these were.

    ``body`` is the usual size of the text, in points.
    """
    if len(pages) < 2:
        return 0
    places = _places(pages)
    doomed: dict[int, tuple[PageText, Line]] = {}
    sure = _page_numbers(pages, body)
    for same, found in _repeated(places, body, len(pages)):
        for page, line in found:
            doomed[id(line)] = (page, line)
            if same.kind is Kind.NAMED or (same.kind is Kind.ALONE and len(found) >= _LEAST_PAGES):
                sure.add(id(line))
    doomed |= _numbered_like(places, sure | doomed.keys(), body)
    gone = sure | doomed.keys()
    kept = {
        key
        for key, (page, line) in doomed.items()
        if key not in sure and _has_more(page, line, gone)
    }
    gone -= kept
    if all(id(line) in gone for page in pages for line in page.lines) and not any(
        page.images for page in pages
    ):
        return 0
    for page in pages:
        page.lines = [line for line in page.lines if id(line) not in gone]
    return len(gone)


def _places(pages: Sequence[PageText]) -> _Places:
    """Return the lines at the edges by what may come back and where."""
    places: _Places = defaultdict(list)
    for page in pages:
        for line in _edge_lines(page):
            # Odd and even pages, and different sheets, shift things a little.
            place = round(_place(line, page) / _TOLERANCE)
            for same in samenesses(line.text, page.number, len(pages)):
                places[same, place].append((page, line))
    return places


def _repeated(places: _Places, body: float, pages: int) -> Iterator[tuple[Sameness, _Found]]:
    """Yield what comes back at one place often enough, with the lines that do."""
    for (same, place), found in places.items():
        near = found + places.get((same, place + 1), []) + places.get((same, place - 1), [])
        if _is_furniture(same.kind, near, body, pages):
            yield same, found


def _numbered_like(
    places: _Places, gone: Set[int], body: float
) -> dict[int, tuple[PageText, Line]]:
    """Return lines with page numbers on pages that have none yet, but their neighbours do.

    The first page of a chapter has it elsewhere, left pages may have it behind their head, and a
    number alone may start from 1 again where the others stand.
    """
    numbered: dict[int, set[int]] = defaultdict(set)
    for (same, _), found in places.items():
        if same.offset is not None:
            numbered[same.offset].update(page.number for page, line in found if id(line) in gone)
    have = {number for found in numbered.values() for number in found}
    spots = _spots(places, gone)
    result = {}
    for (same, _), found in places.items():
        near = numbered.get(same.offset, set()) if same.offset is not None else set()
        for page, line in found:
            if page.number in have or line.size >= _LARGEST_NUMBER * body:
                continue
            counts = len(near) >= _LEAST_PAGES and any(
                abs(page.number - number) <= _NEAR for number in near
            )
            if same.kind is Kind.ALONE:
                x, y = _spot(page, line)
                counts |= sum(spots[x + step, y] for step in (-1, 0, 1)) >= _LEAST_PAGES
            elif len(found) < _LEAST_PAGES:
                counts = False
            if counts:
                result[id(line)] = (page, line)
    return result


def _spots(places: _Places, gone: Set[int]) -> Counter[tuple[int, int]]:
    """Return how many pages have their number, alone, where on the page."""
    spots: Counter[tuple[int, int]] = Counter()
    for (same, _), found in places.items():
        if same.kind is Kind.ALONE:
            spots.update(_spot(page, line) for page, line in found if id(line) in gone)
    return spots


def _spot(page: PageText, line: Line) -> tuple[int, int]:
    return (round((line.x0 + line.x1) / 16), round(_place(line, page) / _TOLERANCE))


def _page_numbers(pages: Sequence[PageText], body: float) -> set[int]:
    """Return the ids of first and last lines that count the pages, wherever they stand.

    A page printed from a long one has its number where the text ends.
    """
    offsets: dict[int, list[Line]] = defaultdict(list)
    for page in pages:
        upright = [line for line in page.lines if line.direction == UPRIGHT]
        if upright:
            edges = (min(upright, key=lambda x: x.y0), max(upright, key=lambda x: x.y1))
            for line in edges:
                number = number_alone(line.text)
                if number is not None and line.size < _LARGEST_NUMBER * body:
                    offsets[number - page.number].append(line)
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


def _is_furniture(kind: Kind, found: _Found, body: float, pages: int) -> bool:
    numbers = {page.number for page, _ in found}
    if len(numbers) < 2 or (kind is Kind.LABELLED and not _counts_at_foot(found, numbers)):
        return False
    if kind is Kind.NAMED:
        return True
    large = any(line.size >= _LARGER * body for _, line in found)
    if kind is Kind.ALONE:
        if any(line.size >= _LARGEST_NUMBER * body for _, line in found):
            return False
        counted = all(0 < (number_alone(line.text) or 0) <= pages for _, line in found)
        return len(numbers) >= _LEAST_PAGES or counted
    if len(numbers) < min(_LEAST_PAGES, pages):
        return False
    if kind in (Kind.COUNTED, Kind.LABELLED):
        return not large
    # What is set like a heading is a head only if it is on page after page.
    if large:
        return len(numbers) * 2 >= pages
    # Enough in all, or close together: the head of one chapter.
    spread = max(numbers) - min(numbers) + 1
    return len(numbers) * 4 >= spread or len(numbers) * 5 >= pages


def _counts_at_foot(found: _Found, numbers: Set[int]) -> bool:
    """Return whether the number counts on page after page below the text: "Handbook 7".

    Above it, it is as often that of what the page is about: "Week 7".
    """
    running = len(numbers) >= _LEAST_RUNNING and max(numbers) - min(numbers) < len(numbers)
    return running and all(_place(line, page) < 0 for page, line in found)


def _has_more(page: PageText, line: Line, gone: set[int]) -> bool:
    """Return whether something that stays stands beside ``line``: it is a row of a table then."""
    if line.direction != UPRIGHT:
        return False
    middle = (line.y0 + line.y1) / 2
    return any(
        other.y0 < middle < other.y1 and other.direction == UPRIGHT and id(other) not in gone
        for other in page.lines
        if other is not line
    )
