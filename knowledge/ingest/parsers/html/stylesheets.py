"""What a page's own style sheets and style attributes say of an element.

The cascade (CSS 2.2, 6.4) over selectors of one compound of element, classes, ids and place, such
as 'em', '.gone', 'span.tip.off' and 'td:nth-child(2)'. A rule that may hold, since it stands in a
condition or asks more of the page than that, decides nothing by itself; it leaves open what a
weaker rule says otherwise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lxml import etree

from .css import (
    HIDING,
    Place,
    Selector,
    blocks,
    declarations,
    is_condition,
    is_for_paper,
    selectors,
)

Element = etree._Element

# Importance, ids, classes, elements, place in the page.
_Weight = tuple[int, int, int, int, int]

# Element, names, style attribute, and the places that are its own.
_Key = tuple[str, frozenset[str], str, frozenset[Place]]

_LONGEST_SHEET = 200_000
# Of one property and class.
_MOST_RULES = 200
_MOST_PLACES = 20
# A style attribute outweighs all ids.
_OWN = 100_000
_NOTHING: Mapping[str, Value] = {}


@dataclass(frozen=True, slots=True)
class Value:
    """What a property is set to, '' if unknown, and what rules that may hold set it to."""

    certain: str
    possible: frozenset[str]


_UNKNOWN = Value("", frozenset())


@dataclass(frozen=True, slots=True)
class _Rule:
    """What one selector sets a property to."""

    tag: str
    names: frozenset[str]
    value: str
    is_certain: bool
    place: Place | None

    def holds(self, tag: str, names: frozenset[str], places: frozenset[Place]) -> bool:
        """Return whether the rule is for such an element, or may be; ``places`` are its own."""
        if self.tag not in ("", tag):
            return False
        if self.is_certain and self.place is not None and self.place not in places:
            return False
        if self.is_certain or not self.names:
            return self.names <= names
        return not self.names.isdisjoint(names)


class StyleSheets:
    """The rules of one page."""

    def __init__(self, root: Element) -> None:
        # By class, id or element, and property; of equal rules the weightiest is kept.
        self._rules: dict[str, dict[str, dict[_Rule, _Weight]]] = {}
        self._values: dict[_Key, Mapping[str, Value]] = {}
        # What has rules for some children of a parent alone; for which of them each is.
        self._counted: set[str] = set()
        self._own_places: dict[Element, frozenset[Place]] = {}
        self._places: set[Place] = set()
        self._count = 0
        for sheet in root.iter("style"):
            media = sheet.get("media", "")
            is_open = is_condition(media) or any(
                True for _ in sheet.iterancestors("noscript", "template")
            )
            if not is_for_paper(media):
                self._read((sheet.text or "")[:_LONGEST_SHEET], is_open=is_open)

    def value(self, element: Element, name: str) -> str:
        """Return what the property ``name`` of ``element`` itself is set to, '' if unknown."""
        return self.of(element).get(name, _UNKNOWN).certain

    def of(self, element: Element) -> Mapping[str, Value]:
        """Return the properties of ``element`` itself that rules are for."""
        style = element.get("style", "")
        if not style and not self._rules:
            return _NOTHING
        tag = str(element.tag)
        names = frozenset(self._known(element, tag))
        if not names and not style:
            return _NOTHING
        is_counted = not self._counted.isdisjoint(names)
        key = (tag, names, style, self._places_of(element) if is_counted else frozenset())
        if key not in self._values:
            self._values[key] = self._cascade(*key)
        return self._values[key]

    def _known(self, element: Element, tag: str) -> Iterator[str]:
        if not self._rules:
            return
        classes, own = element.get("class"), element.get("id")
        if tag in self._rules:
            yield tag
        if classes:
            yield from (name for one in classes.split() if (name := f".{one}") in self._rules)
        if own and (name := f"#{own}") in self._rules:
            yield name

    def _places_of(self, element: Element) -> frozenset[Place]:
        parent = element.getparent()
        if element not in self._own_places and parent is not None:
            behind = len(parent) - 1
            for n, child in enumerate(parent):
                own = frozenset(one for one in self._places if one.holds(n, behind - n))
                self._own_places[child] = own
        return self._own_places.get(element, frozenset())

    def _cascade(
        self, tag: str, names: frozenset[str], style: str, places: frozenset[Place]
    ) -> Mapping[str, Value]:
        found: dict[str, list[tuple[_Weight, bool, str]]] = defaultdict(list)
        for one in names:
            for name, rules in self._rules[one].items():
                found[name] += [
                    (weight, rule.is_certain, rule.value)
                    for rule, weight in rules.items()
                    if rule.holds(tag, names, places)
                ]
        for place, (name, value, is_important) in enumerate(declarations(style)):
            found[name].append(((is_important, _OWN, 0, 0, place), True, value))
        return {name: _winner(name, rules) for name, rules in found.items()}

    def _read(self, sheet: str, *, is_open: bool) -> None:
        for around, body in blocks(sheet):
            *outer, prelude = around
            conditions = [one for one in outer if one.startswith("@")]
            if prelude.startswith("@") or any(map(is_for_paper, conditions)):
                continue
            nested = "".join(one for one in outer if not one.startswith("@"))
            for selector in selectors(prelude, nested):
                self._add(selector, body, is_open=bool(outer) or is_open)

    def _add(self, selector: Selector, body: str, *, is_open: bool) -> None:
        is_certain = selector.is_simple and not is_open
        keys = selector.names or ({selector.tag} - {""})
        if selector.place is not None:
            # Each is looked at for each child.
            if len(self._places) < _MOST_PLACES:
                self._places.add(selector.place)
            is_certain &= selector.place in self._places
            self._counted |= keys
        for name, value, is_important in declarations(body):
            self._count += 1
            weight = (is_important, *selector.weight, self._count)
            rule = _Rule(selector.tag, selector.names, value, is_certain, selector.place)
            for one in keys:
                known = self._rules.setdefault(one, {}).setdefault(name, {})
                if rule in known or len(known) < _MOST_RULES:
                    known[rule] = max(weight, known.get(rule, weight))


def _winner(name: str, found: list[tuple[_Weight, bool, str]]) -> Value:
    certain = max((one for one in found if one[1]), default=None)
    weight, _, value = certain or ((), True, "")
    possible = frozenset(other[2] for other in found if not other[1] and other[0] > weight)
    is_open = name in HIDING and not possible <= {value}
    return Value("" if is_open else value, possible)
