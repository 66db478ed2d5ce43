"""Styles of a Word document: what each says of level, look and list, down its based-on chain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .names import Element, W, toggle, value, whole

# Built-in headings keep an English w:name in Word; other writers translate it, or the id alone.
_HEADING = re.compile(
    r"(?:heading|berschrift|überschrift|titre|titolo|título|titulo|ttulo|nagłówek|nagwek|kop"
    r"|rubrik|overskrift|otsikko|заголовок|nadpis|başlık|标题|標題|見出し|제목)\s?-?\s?([1-9])\Z"
)
# Publishers' templates: HeadA, Head 1, H2, A-Head, Head Level 3.
_TEMPLATE = re.compile(
    r"(?:h|head|heading|headline)[\s_-]?(?:level[\s_-]?)?([a-f1-6])(?:number)?\Z"
)
_LETTER_HEAD = re.compile(r"([a-f])[\s_-]?head(?:ing)?\Z")
_PART_TITLE = re.compile(r"(?:chapter|appendix|part|section)[\s_-]?(?:title|head(?:ing)?)\Z")
_PART_NUMBER = re.compile(r"(?:chapter|appendix|part)[\s_-]?(?:number|num|no|label)\Z")
_TITLE = re.compile(r"(?:title|titel|название|标题|표제|標題|doc(?:ument)?[\s_-]?title)\Z")
_CAPTION = re.compile(r"(?:caption|beschriftung|légende|legende|название объекта|题注|圖表標題)")
_CODE = re.compile(
    r"(?:html preformatted|plain text|macro text|source ?code|code|codeblock|code block|listing"
    r"|preformatted text|(?:box)?code(?:wide|annotated|first|last|single)?)\Z"
)
_TOC = re.compile(
    r"(?:toc|contents|table of figures|verzeichnis)\s?\d?\Z|toc heading\Z|toc überschrift"
)
_MOST_BASES = 30
_NO_LEVEL = 9


@dataclass(frozen=True, slots=True)
class Look:
    """How text looks; ``size`` in half-points, None where nothing states it.

    ``script`` is 'superscript', 'subscript', 'baseline' or '' where nothing states it; ``position``
    how many half-points it stands above its line.
    """

    bold: bool | None = None
    hidden: bool | None = None
    caps: bool | None = None
    size: int | None = None
    script: str = ""
    struck: bool | None = None
    position: int | None = None

    def over(self, base: Look) -> Look:
        """Return this look, what it leaves open taken from ``base``."""
        return Look(
            base.bold if self.bold is None else self.bold,
            base.hidden if self.hidden is None else self.hidden,
            base.caps if self.caps is None else self.caps,
            self.size or base.size,
            self.script or base.script,
            base.struck if self.struck is None else self.struck,
            base.position if self.position is None else self.position,
        )


def look_of(properties: Element | None) -> Look:
    """Return what a w:rPr states by itself."""
    if properties is None:
        return Look()
    hidden = toggle(properties, "vanish") or toggle(properties, "webHidden")
    return Look(
        toggle(properties, "b"),
        toggle(properties, "vanish") if not hidden else True,
        toggle(properties, "caps"),
        whole(value(properties, "sz")) or None,
        value(properties, "vertAlign") or "",
        _struck(properties),
        None if properties.find(W + "position") is None else whole(value(properties, "position")),
    )


def _struck(properties: Element) -> bool | None:
    stated = [toggle(properties, name) for name in ("strike", "dstrike")]
    return None if stated == [None, None] else any(stated)


@dataclass(frozen=True, slots=True)
class Style:
    """A style with its bases resolved.

    ``level`` counts from 1, None for no heading; ``numbering`` is (numId, ilvl) where stated.
    ``role`` is 'title', 'part-title', 'part-number', 'caption', 'code', 'toc', 'list' or ''.
    """

    level: int | None = None
    look: Look = Look()
    numbering: tuple[int, int | None] | None = None
    role: str = ""
    header_row: bool = False


class Styles:
    """The styles of a document by id; an unknown id is the default paragraph's style."""

    def __init__(self, root: Element | None) -> None:
        self._elements: dict[str, Element] = {}
        self._default: dict[str, str] = {}
        self._known: dict[tuple[str, str], Style] = {}
        self._base = Look(False, False, False, 20)
        if root is None:
            return
        for element in root.iter(W + "style"):
            identity = element.get(W + "styleId", "")
            self._elements[identity] = element
            if element.get(W + "default") in ("1", "true", "on"):
                self._default[element.get(W + "type", "")] = identity
        defaults = root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr")
        self._base = look_of(defaults).over(self._base)

    def paragraph(self, identity: str | None) -> Style:
        """Return a paragraph style, its look complete."""
        key = ("paragraph", identity or "")
        if key not in self._known:
            self._known[key] = self._resolved(identity, "paragraph", self._base)
        return self._known[key]

    def character(self, identity: str | None) -> Look:
        """Return what a character style adds to a paragraph's look."""
        if not identity:
            return Look()
        key = ("character", identity)
        if key not in self._known:
            self._known[key] = self._resolved(identity, "character", Look())
        return self._known[key].look

    def of_run(self, run: Element) -> Look:
        """Return what a w:r and its character style add to a paragraph's look."""
        properties = run.find(W + "rPr")
        return look_of(properties).over(self.character(value(properties, "rStyle")))

    def has_header_row(self, identity: str | None) -> bool:
        """Return whether a table style sets its first row off."""
        key = ("table", identity or "")
        if key not in self._known:
            self._known[key] = self._resolved(identity, "table", Look())
        return self._known[key].header_row

    def _resolved(self, identity: str | None, kind: str, base: Look) -> Style:
        if identity not in self._elements:
            identity = self._default.get(kind)
        look = Look()
        level: int | None = None
        numbering = None
        role = ""
        header_row = False
        for element in self._chain(identity):
            look = look.over(look_of(element.find(W + "rPr")))
            properties = element.find(W + "pPr")
            level = _level(element, properties) if level is None else level
            role = role or _role(element)
            numbering = numbering or numbering_of(properties)
            header_row = header_row or _has_header_row(element)
        if level == _NO_LEVEL or role in ("toc", "caption"):
            level = None
        return Style(level, look.over(base), numbering, role, header_row)

    def _chain(self, identity: str | None) -> Iterator[Element]:
        for _ in range(_MOST_BASES):
            element = self._elements.get(identity or "")
            if element is None:
                return
            yield element
            identity = value(element, "basedOn")


def outline_level(properties: Element | None) -> int | None:
    """Return the level from 1 that a w:pPr states, 9 for body text, None when it states none."""
    said = value(properties, "outlineLvl")
    if said is None:
        return None
    number = whole(said, _NO_LEVEL)
    return number + 1 if 0 <= number < _NO_LEVEL - 1 else _NO_LEVEL


def numbering_of(properties: Element | None) -> tuple[int, int | None] | None:
    """Return (numId, ilvl) of a w:pPr, ilvl None where it is not stated."""
    found = properties.find(W + "numPr") if properties is not None else None
    identity = value(found, "numId")
    if identity is None:
        return None
    level = value(found, "ilvl")
    return whole(identity), whole(level) if level else None


def _names(element: Element) -> tuple[str, str]:
    name = (value(element, "name") or "").strip().casefold()
    return name, element.get(W + "styleId", "").strip().casefold()


def _level(element: Element, properties: Element | None) -> int | None:
    for name in _names(element):
        match = _HEADING.match(name) or _TEMPLATE.match(name) or _LETTER_HEAD.match(name)
        if match:
            return int(match[1]) if match[1].isdigit() else ord(match[1]) - ord("a") + 1
    return outline_level(properties)


def _role(element: Element) -> str:
    roles = (
        (_TOC, "toc"),
        (_TITLE, "title"),
        (_PART_TITLE, "part-title"),
        (_PART_NUMBER, "part-number"),
        (_CAPTION, "caption"),
        (_CODE, "code"),
    )
    names = _names(element)
    return next((role for rule, role in roles if any(map(rule.match, names))), "")


def _has_header_row(element: Element) -> bool:
    return any(part.get(W + "type") == "firstRow" for part in element.iter(W + "tblStylePr"))
