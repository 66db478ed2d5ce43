"""Style sheets (CSS) taken apart: blocks, selectors, and the properties that are asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Of these alone the value is left open: in doubt text is seen, and a number with a line through it
# does not stand next to the one that holds.
HIDING = frozenset((
    "display", "visibility", "opacity", "font-size", "content-visibility", "color", "text-indent",
    "background-clip", "text-shadow", "-webkit-text-fill-color", "position", "left", "top",
    "margin-left", "margin-top", "transform", "clip", "clip-path", "overflow", "height", "width",
    "padding", "padding-top", "padding-bottom", "min-height", "min-width", "flex", "flex-grow",
))  # fmt: skip
PROPERTIES = HIDING | {"float", "flex-direction", "list-style-type", "text-decoration"}
PROPERTIES |= {"vertical-align"}
_LONG_NAMES = {
    "text-decoration-line": "text-decoration",
    "flex-flow": "flex-direction",
    "list-style": "list-style-type",
    "overflow-x": "overflow",
    "overflow-y": "overflow",
    "-webkit-transform": "transform",
    "-webkit-clip-path": "clip-path",
    "-webkit-background-clip": "background-clip",
    # Of what these say of several, see `_PART`.
    "font": "font-size",
    "background": "background-clip",
}
_PART = {
    "font": re.compile(r"(?:^|\s)(0(?:\.0*)?|[\d.]+(?:[a-z]+|%))(?=\s*/|\s)"),
    "background": re.compile(r"(?:^|\s)(text)(?=\s|$)"),
}
_IMPORTANT = re.compile(r"\s*!\s*important\Z")
_LEFT_OUT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
# As in '.md\\:block'.
_NAME = re.compile(r"[.#](?:[\w-]|\\.)+")
# The only arguments in brackets that are looked at.
_PLACE = re.compile(
    r":(?:(nth|nth-last)-child\(\s*([+-]?\d*n?(?:\s*[+-]\s*\d+)?|odd|even)\s*\)"
    r"|(first|last)-child\b)",
    re.IGNORECASE,
)
_STEP = re.compile(r"(?:([+-]?)(\d*)n)?([+-]?\d+)?\Z")
_TAG = re.compile(r"[a-z][a-z0-9]*", re.IGNORECASE)
_SIMPLE = re.compile(rf"(?:{_TAG.pattern})?(?:{_NAME.pattern})*(?::nth\d+)?\Z", re.IGNORECASE)
_COUNTED = re.compile(r":nth(\d+)\Z")
_LAST = re.compile(r"[^\s>+~]*\Z")
_PSEUDO_ELEMENT = re.compile(r"::|:(?:before|after|first-l)", re.IGNORECASE)
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Place:
    """Which children are meant: those at ``step`` * n + ``offset`` (Selectors 4, 14.3)."""

    step: int
    offset: int
    from_end: bool

    def holds(self, before: int, behind: int) -> bool:
        """Return whether one is meant that has so many children before and behind it."""
        beyond = (behind if self.from_end else before) + 1 - self.offset
        return beyond == 0 if not self.step else beyond % self.step == 0 <= beyond // self.step


@dataclass(frozen=True, slots=True)
class Selector:
    """What a selector asks of an element itself; ``is_simple`` when it asks nothing more.

    ``names`` are classes and ids with their signs, ``weight`` counts ids, classes and elements (CSS
    2.2, 6.4.3).
    """

    tag: str
    names: frozenset[str]
    weight: tuple[int, int, int]
    is_simple: bool
    place: Place | None = None


def declarations(body: str) -> Iterator[tuple[str, str, int]]:
    """Yield (property, value, 1 if it is important) of the properties that are asked for."""
    for declaration in _LEFT_OUT.sub("", body).lower().split(";"):
        name, _, value = declaration.partition(":")
        name = name.strip()
        value = value.strip()
        is_important = int(_IMPORTANT.search(value) is not None)
        value = _IMPORTANT.sub("", value)
        if name in _PART:
            part = _PART[name].search(value)
            value = part[1] if part else ""
        name = _LONG_NAMES.get(name, name)
        if name in PROPERTIES and value:
            yield name, value, is_important


def blocks(sheet: str) -> Iterator[tuple[list[str], str]]:
    """Yield what stands in front of each block and of those around it, and its declarations."""
    sheet = _STRING.sub('""', _LEFT_OUT.sub(" ", sheet))
    opened: list[tuple[str, list[str]]] = []
    start = 0
    for match in re.finditer(r"[{};]", sheet):
        part = sheet[start : match.start()].strip()
        start = match.end()
        if match[0] == "{":
            opened.append((part, []))
            continue
        if opened and part:
            opened[-1][1].append(part)
        if match[0] == "}" and opened:
            if len(opened) <= _DEEPEST:
                yield [prelude for prelude, _ in opened], ";".join(opened[-1][1])
            opened.pop()


def selectors(prelude: str, nested: str = "") -> Iterator[Selector]:
    """Yield those of elements, not of what is put in front of them or behind.

    ``nested`` is what stands in front of the blocks around: what is in them may be for the same.
    """
    places: list[Place] = []

    def kept(match: re.Match[str]) -> str:
        places.append(_place(match))
        return f":nth{len(places) - 1}"

    for written in _IN_BRACKETS.sub("()", _PLACE.sub(kept, prelude)).split(","):
        selector = nested + written.strip()
        if _PSEUDO_ELEMENT.search(selector):
            continue
        last = _LAST.search(selector)
        compound = last[0] if last else ""
        tag = None if nested else _TAG.match(compound)
        yield Selector(
            tag[0].lower() if tag else "",
            frozenset(name.replace("\\", "") for name in _NAME.findall(compound)),
            (
                selector.count("#"),
                len(re.findall(r"[.\[]|(?<!:):(?!:)", selector)),
                len(re.findall(r"(?<![\w.#:\[-])[a-z]", selector, re.IGNORECASE)),
            ),
            _SIMPLE.match(selector) is not None,
            places[int(counted[1])] if (counted := _COUNTED.search(compound)) else None,
        )


def _place(match: re.Match[str]) -> Place:
    end = (match[1] or match[3]).lower() in ("nth-last", "last")
    if match[3]:
        return Place(0, 1, end)
    written = "".join(match[2].lower().split())
    if written in ("odd", "even"):
        return Place(2, int(written == "odd"), end)
    step = _STEP.match(written)
    if step is None or step[2] is None:
        return Place(0, int(written) if written.strip("+-") else 0, end)
    return Place(int(f"{step[1]}{step[2] or 1}"), int(step[3] or 0), end)


def is_condition(media: str) -> bool:
    """Return whether a sheet for ``media`` may not hold for a screen."""
    kinds = {kind.strip() for kind in media.lower().split(",")}
    return kinds.isdisjoint(("", "all", "screen", "only screen"))


def is_for_paper(media: str) -> bool:
    """Return whether a sheet for ``media``, or a block behind these words, is for paper alone."""
    return re.search(r"\bprint\b", media, re.IGNORECASE) is not None and not re.search(
        r"\b(?:screen|all)\b|\bnot\b", media, re.IGNORECASE
    )
