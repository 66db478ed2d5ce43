"""Style sheets (CSS) taken apart: blocks, selectors, and the properties that are asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Of these alone the value is left open: in doubt text is seen, and a number with a line through it
# does not stand next to the one that holds.
HIDING = frozenset(("display", "visibility", "opacity", "font-size", "content-visibility"))
PROPERTIES = HIDING | {"float", "flex-direction", "position", "text-decoration", "vertical-align"}
_LONG_NAMES = {"text-decoration-line": "text-decoration", "flex-flow": "flex-direction"}
_IMPORTANT = re.compile(r"\s*!\s*important\Z")
_LEFT_OUT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
# As in '.md\\:block'.
_NAME = re.compile(r"[.#](?:[\w-]|\\.)+")
_TAG = re.compile(r"[a-z][a-z0-9]*", re.IGNORECASE)
_SIMPLE = re.compile(rf"(?:{_TAG.pattern})?(?:{_NAME.pattern})*\Z", re.IGNORECASE)
_LAST = re.compile(r"[^\s>+~]*\Z")
_PSEUDO_ELEMENT = re.compile(r"::|:(?:before|after|first-l)", re.IGNORECASE)
_DEEPEST = 20


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


def declarations(body: str) -> Iterator[tuple[str, str, int]]:
    """Yield (property, value, 1 if it is important) of the properties that are asked for."""
    for declaration in _LEFT_OUT.sub("", body).lower().split(";"):
        name, _, value = declaration.partition(":")
        name = name.strip()
        name = _LONG_NAMES.get(name, name)
        if name in PROPERTIES:
            value = value.strip()
            yield name, _IMPORTANT.sub("", value), int(_IMPORTANT.search(value) is not None)


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
    for written in _IN_BRACKETS.sub("()", prelude).split(","):
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
        )


def is_condition(media: str) -> bool:
    """Return whether a sheet for ``media`` may not hold for a screen."""
    kinds = {kind.strip() for kind in media.lower().split(",")}
    return kinds.isdisjoint(("", "all", "screen", "only screen"))


def is_for_paper(media: str) -> bool:
    """Return whether a sheet for ``media``, or a block behind these words, is for paper alone."""
    return re.search(r"\bprint\b", media, re.IGNORECASE) is not None and not re.search(
        r"\b(?:screen|all)\b|\bnot\b", media, re.IGNORECASE
    )
