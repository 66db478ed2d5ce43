"""What a page's own style sheets and style attributes say of an element.

The cascade (CSS 2.2, 6.4) over selectors of one compound of classes and ids, such as '.gone' and
'span.tip.off'. A rule that may hold, since it stands in a condition or asks more of the page than
that, decides nothing by itself; it leaves open what a weaker rule says otherwise.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

Element = etree._Element

# Importance, ids, classes, elements, place in the page.
_Weight = tuple[int, int, int, int, int]

# Of these alone the value is left open: in doubt text is seen, and a number with a line through it
# does not stand next to the one that holds.
_HIDING = frozenset(("display", "visibility", "opacity", "font-size", "content-visibility"))
_PROPERTIES = _HIDING | {"text-decoration", "vertical-align"}
_IMPORTANT = re.compile(r"\s*!\s*important\Z")
_LEFT_OUT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
# As in '.md\\:block'.
_NAME = re.compile(r"[.#](?:[\w-]|\\.)+")
_SIMPLE = re.compile(rf"([a-z][a-z0-9]*)?(?:{_NAME.pattern})+\Z", re.IGNORECASE)
_LAST = re.compile(r"[^\s>+~]*\Z")
_PSEUDO_ELEMENT = re.compile(r"::|:(?:before|after|first-l)", re.IGNORECASE)
_LONGEST_SHEET = 200_000
_DEEPEST = 20
# Of one property and class.
_MOST_RULES = 200
# A style attribute outweighs all ids.
_OWN = 100_000


@dataclass(frozen=True, slots=True)
class _Rule:
    """What one selector sets a property to; ``names`` are the classes and ids it asks for."""

    tag: str
    names: frozenset[str]
    value: str
    is_certain: bool

    def holds(self, tag: str, names: set[str]) -> bool:
        """Return whether the rule is for such an element, or may be."""
        if self.tag not in ("", tag):
            return False
        return self.names <= names if self.is_certain else not self.names.isdisjoint(names)


class StyleSheets:
    """The rules of one page."""

    def __init__(self, root: Element) -> None:
        # By property and class or id; of equal rules the weightiest is kept.
        self._rules: dict[tuple[str, str], dict[_Rule, _Weight]] = defaultdict(dict)
        self._values: dict[tuple[str, ...], dict[str, str]] = {}
        self._count = 0
        for sheet in root.iter("style"):
            is_open = _is_condition(sheet.get("media", "")) or any(
                True for _ in sheet.iterancestors("noscript", "template")
            )
            if not _is_for_paper(sheet.get("media", "")):
                self._read((sheet.text or "")[:_LONGEST_SHEET], is_open=is_open)

    def value(self, element: Element, name: str) -> str:
        """Return what the property ``name`` of ``element`` itself is set to, '' if unknown."""
        attributes = [element.get(key, "") for key in ("class", "id", "style")]
        if not any(attributes):
            return ""
        key = (str(element.tag), *attributes)
        if key not in self._values:
            names = {f".{one}" for one in attributes[0].split()} | {f"#{attributes[1]}"}
            self._values[key] = {
                one: self._winner(one, str(element.tag), names, attributes[2])
                for one in _PROPERTIES
            }
        return self._values[key][name]

    def _winner(self, name: str, tag: str, names: set[str], style: str) -> str:
        found = [
            (weight, rule.is_certain, rule.value)
            for one in names
            for rule, weight in self._rules.get((name, one), {}).items()
            if rule.holds(tag, names)
        ]
        found += [
            ((is_important, _OWN, 0, 0, place), True, value)
            for place, (key, value, is_important) in enumerate(_declarations(style))
            if key == name
        ]
        certain = max((one for one in found if one[1]), default=None)
        if certain is None:
            return ""
        weight, _, value = certain
        if name not in _HIDING:
            return value
        is_open = any(other[0] > weight and other[2] != value for other in found if not other[1])
        return "" if is_open else value

    def _read(self, sheet: str, *, is_open: bool) -> None:
        for around, body in _blocks(_STRING.sub('""', _LEFT_OUT.sub(" ", sheet))):
            *outer, prelude = around
            conditions = [one for one in outer if one.startswith("@")]
            if prelude.startswith("@") or any(map(_is_for_paper, conditions)):
                continue
            # What is nested may be for what the rule around it is for.
            nested = "".join(one for one in outer if not one.startswith("@"))
            for selector in _IN_BRACKETS.sub("()", prelude).split(","):
                self._add(nested + selector.strip(), body, is_certain=not outer and not is_open)

    def _add(self, selector: str, body: str, *, is_certain: bool) -> None:
        if _PSEUDO_ELEMENT.search(selector):
            return
        simple = _SIMPLE.match(selector)
        last = _LAST.search(selector)
        names = frozenset(name.replace("\\", "") for name in _NAME.findall(last[0] if last else ""))
        for name, value, is_important in _declarations(body):
            self._count += 1
            weight = (
                is_important,
                selector.count("#"),
                len(re.findall(r"[.\[]|(?<!:):(?!:)", selector)),
                len(re.findall(r"(?<![\w.#:\[-])[a-z]", selector, re.IGNORECASE)),
                self._count,
            )
            tag = (simple[1] or "").lower() if simple else ""
            rule = _Rule(tag, names, value, is_certain and simple is not None)
            for one in names:
                known = self._rules[name, one]
                if rule in known or len(known) < _MOST_RULES:
                    known[rule] = max(weight, known.get(rule, weight))


def _declarations(body: str) -> Iterator[tuple[str, str, int]]:
    """Yield (property, value, 1 if it is important) of the properties that are asked for."""
    for declaration in _LEFT_OUT.sub("", body).lower().split(";"):
        name, _, value = declaration.partition(":")
        name = name.strip().removesuffix("-line")
        if name in _PROPERTIES:
            value = value.strip()
            yield name, _IMPORTANT.sub("", value), int(_IMPORTANT.search(value) is not None)


def _blocks(sheet: str) -> Iterator[tuple[list[str], str]]:
    """Yield what stands in front of each block and of those around it, and its declarations."""
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


def _is_condition(media: str) -> bool:
    kinds = {kind.strip() for kind in media.lower().split(",")}
    return kinds.isdisjoint(("", "all", "screen", "only screen"))


def _is_for_paper(media: str) -> bool:
    return re.search(r"\bprint\b", media, re.IGNORECASE) is not None and not re.search(
        r"\b(?:screen|all)\b|\bnot\b", media, re.IGNORECASE
    )
