"""The numbers Word shows in front of paragraphs, counted as ECMA-376 part 1, 17.9 says."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from knowledge.ingest.parsers.numerals import numeral

from .names import Element, W, toggle, value, whole
from .symbols import glyph

_MOST_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_BULLET = "-"


@dataclass(slots=True)
class _Level:
    """One level of a list as numbering.xml defines it."""

    start: int = 1
    form: str = "decimal"
    text: str = ""
    legal: bool = False
    restart: int | None = None
    style: str = ""


@dataclass(slots=True)
class _List:
    abstract: str
    levels: dict[int, _Level]
    restarts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """The lists of a document; `label` counts on with each call."""

    def __init__(self, root: Element | None) -> None:
        self._lists: dict[int, _List] = {}
        self._counts: dict[str, list[int | None]] = {}
        self._begun: set[int] = set()
        if root is None:
            return
        abstracts = {
            item.get(W + "abstractNumId", ""): item for item in root.iter(W + "abstractNum")
        }
        linked = {value(item, "styleLink"): key for key, item in abstracts.items()}
        for item in root.iter(W + "num"):
            key = value(item, "abstractNumId") or ""
            style = value(abstracts.get(key), "numStyleLink")
            if style:
                key = linked.get(style, key)
            self._lists[whole(item.get(W + "numId"))] = _list(key, abstracts.get(key), item)

    def level_of_style(self, number: int, style: str) -> int:
        """Return the level of list ``number`` that a paragraph style is tied to, else 0."""
        found = self._lists.get(number)
        levels = found.levels.items() if found else ()
        return next((level for level, rule in levels if style and rule.style == style), 0)

    def label(self, number: int, level: int) -> str | None:
        """Return the label of the next paragraph of a list ("1.2", "-"), None for no such list.

        '' is a paragraph of a list whose level shows nothing.
        """
        found = self._lists.get(number)
        if found is None or not 0 <= level < _MOST_LEVELS:
            return None
        rule = found.levels.get(level, _Level(text=f"%{level + 1}."))
        counts = self._counts.setdefault(found.abstract, [None] * _MOST_LEVELS)
        self._begin(number, found, counts)
        current = counts[level]
        counts[level] = rule.start if current is None else current + 1
        for deeper in range(level + 1, _MOST_LEVELS):
            below = found.levels.get(deeper)
            if below is None or below.restart is None or 0 < below.restart > level:
                counts[deeper] = None
        if rule.form == "bullet":
            return _BULLET if not rule.text.strip() or len(rule.text) < 3 else glyph(rule.text)
        if rule.form == "none" and not _PLACE.search(rule.text):
            return rule.text.strip()
        return " ".join(self._filled(rule, found, counts).split())

    def _begin(self, number: int, found: _List, counts: list[int | None]) -> None:
        if number in self._begun:
            return
        self._begun.add(number)
        for level, start in found.restarts.items():
            counts[level] = start - 1

    def _filled(self, rule: _Level, found: _List, counts: list[int | None]) -> str:
        def number(match: re.Match[str]) -> str:
            place = int(match[1]) - 1
            other = found.levels.get(place, _Level())
            count = counts[place]
            if count is None:
                # A level nobody used yet shows its first number.
                count = other.start
                counts[place] = count
            return numeral(count, "decimal" if rule.legal else other.form)

        return _PLACE.sub(number, rule.text)


def _list(key: str, abstract: Element | None, item: Element) -> _List:
    found = _List(key, {})
    for element in abstract.iterchildren(W + "lvl") if abstract is not None else ():
        found.levels[whole(element.get(W + "ilvl"))] = _level(element)
    for override in item.iterchildren(W + "lvlOverride"):
        level = whole(override.get(W + "ilvl"))
        own = override.find(W + "lvl")
        if own is not None:
            found.levels[level] = _level(own)
        start = value(override, "startOverride")
        if start and 0 <= level < _MOST_LEVELS:
            found.restarts[level] = whole(start, 1)
    return found


def _level(element: Element) -> _Level:
    restart = value(element, "lvlRestart")
    return _Level(
        start=whole(value(element, "start"), 1),
        form=value(element, "numFmt") or "decimal",
        text=value(element, "lvlText") or "",
        legal=bool(toggle(element, "isLgl")),
        restart=None if restart is None else whole(restart),
        style=value(element, "pStyle") or "",
    )
