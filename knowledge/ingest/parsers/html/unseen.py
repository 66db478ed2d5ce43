"""What nobody sees by its style: no size, no ink, clipped to nothing, or placed out of sight."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import takewhile

from .stylesheets import Element, StyleSheets, Value

# Text this small is no text. What is set in parts of an unknown size is taken for usual.
_SMALLEST = {"": 0.0, "px": 1.5, "pt": 1.2, "em": 0.1, "rem": 0.1, "%": 10.0}
# Beyond the edge of any screen.
_FARTHEST = {"px": 900.0, "pt": 900.0, "em": 90.0, "rem": 90.0, "vw": 200.0, "vh": 200.0}
_LENGTH = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))([a-z]*|%)(?![\w.%])")
_RELATIVE = re.compile(r"[\d.]+(?:em|%)|smaller|larger")
# Opacity is what follows a slash, or the fourth of numbers with commas: rgb(0, 0, 0) is black.
_NO_INK = re.compile(
    r"transparent|#[0-9a-f]{3}0|#[0-9a-f]{6}00"
    r"|(?:rgb|hsl)a?\((?:[^(),/]*/|(?:[^(),/]*,){3})\s*(?:0(?:\.0*)?|\.0+)%?\s*\)"
)
_NO_SCALE = re.compile(r"\bscale(?:[xy]|3d)?\(\s*0(?:\.0*)?\s*[,)]")
_MOVED = re.compile(r"\btranslate(?:[xy]|3d)?\(([^()]*)\)")
_INSET = re.compile(r"inset\(\s*(?:[5-9]\d|100)(?:\.\d*)?%\s*\)|circle\(\s*0[a-z%]*\s*[) ]")
_NONE = re.compile(r"0(?:\.0*)?%?")
_INHERITED = ("visibility", "font-size", "color", "text-indent")
_OF_BOXES = frozenset((
    "opacity", "content-visibility", "clip", "clip-path", "height", "width", "transform", "left",
    "top", "margin-left", "margin-top",
))  # fmt: skip
# By these something is seen where the text has no ink.
_INKED = ("background-clip", "text-shadow", "-webkit-text-fill-color")
# By these a box of no height or width has room.
_GROWING = (
    "padding", "padding-top", "padding-bottom", "min-height", "min-width", "flex", "flex-grow",
)  # fmt: skip
_SIZED = ("block", "inline-block", "flex", "inline-flex", "grid", "inline-grid", "list-item",
          "flow-root")  # fmt: skip
_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "dd", "details", "div", "dl", "dt", "fieldset",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "li", "main", "nav",
    "ol", "p", "pre", "section", "ul",
))  # fmt: skip
# What hides all of a page is undone by the program that has loaded it.
WHOLE = ("html", "head", "body")


def is_box_unseen(values: Mapping[str, Value], tag: str) -> bool:
    """Return whether an element ``tag`` with these properties is not seen, whatever is in it."""
    if _OF_BOXES.isdisjoint(values):
        return False
    own = {name: value.certain for name, value in values.items()}
    if _NONE.fullmatch(own.get("opacity", "")) or own.get("content-visibility") == "hidden":
        return True
    return _is_clipped(own, tag) or _is_moved_away(own)


def _is_clipped(own: Mapping[str, str], tag: str) -> bool:
    if _INSET.search(own.get("clip-path", "")):
        return True
    is_placed = own.get("position") in ("absolute", "fixed")
    edges = _LENGTH.findall(own.get("clip", ""))
    if is_placed and len(edges) == 4:
        top, right, bottom, left = (float(number) for number, _ in edges)
        if bottom - top <= 1 or right - left <= 1:
            return True
    if not (is_placed or _has_size(own.get("display", ""), tag)):
        return False
    if any(_is_more_than_none(own.get(name, "")) for name in _GROWING):
        return False
    is_cut = own.get("overflow", "").split(" ")[0] in ("hidden", "clip")
    return is_cut and any(_is_small(own.get(name, "")) for name in ("height", "width"))


def _has_size(display: str, tag: str) -> bool:
    """Return whether height and width hold: parts of tables grow, words in a line have neither."""
    if display:
        return display in _SIZED
    return tag in _BLOCKS


def _is_moved_away(own: Mapping[str, str]) -> bool:
    transform = own.get("transform", "")
    if _NO_SCALE.search(transform):
        return True
    moved = [own.get("margin-left", ""), own.get("margin-top", ""), *_MOVED.findall(transform)]
    if own.get("position") in ("absolute", "fixed", "relative"):
        moved += [own.get("left", ""), own.get("top", "")]
    return any(map(_is_far, moved))


def _is_more_than_none(lengths: str) -> bool:
    return any(float(number) > 0 for number, _ in _LENGTH.findall(lengths))


def _is_small(length: str) -> bool:
    found = _LENGTH.fullmatch(length)
    return found is not None and (
        float(found[1]) == 0 or (found[2] == "px" and 0 <= float(found[1]) <= 1)
    )


def _is_far(lengths: str) -> bool:
    return any(
        float(number) <= -_FARTHEST.get(unit, float("inf"))
        for number, unit in _LENGTH.findall(lengths)
    )


def _is_unreadable(name: str, value: str) -> bool:
    if name == "visibility":
        return value in ("hidden", "collapse")
    if name == "color":
        return _NO_INK.fullmatch(value) is not None
    if name == "text-indent":
        return _is_far(value)
    size = _LENGTH.fullmatch(value)
    return size is not None and float(size[1]) <= _SMALLEST.get(size[2], 0.0)


def unseen_below(root: Element, styles: StyleSheets) -> set[Element]:
    """Return the elements that are not seen by what they inherit, with all that is in them.

    One in which others are seen again is none; its own text is taken out of the tree.
    """
    unseen: dict[Element, frozenset[str]] = {}
    opened: set[Element] = set()
    none: frozenset[str] = frozenset()
    for element in root.iter("*"):
        parent = element.getparent() if unseen else None
        above = unseen.get(parent, none) if parent is not None else none
        values = styles.of(element) if element.tag not in WHOLE else {}
        own = _inherited(above, values) if values else above
        if own:
            unseen[element] = own
        elif above:
            around = element.iterancestors()
            opened.update(list(takewhile(lambda one: one in unseen and one not in opened, around)))
    for element in opened:
        # A blank stays: what it parts is no one word.
        element.text = element.text and " "
        for child in element:
            child.tail = child.tail and " "
    return unseen.keys() - opened


def _inherited(above: frozenset[str], values: Mapping[str, Value]) -> frozenset[str]:
    """Return by which properties an element is not seen that stands in one with those ``above``."""
    own = set(above)
    for name in _INHERITED:
        value = values[name].certain if name in values else ""
        if _is_unreadable(name, value):
            own.add(name)
        elif name in values and value not in ("inherit", "unset"):
            is_part = name == "font-size" and _RELATIVE.fullmatch(value)
            own -= set() if is_part else {name}
    if any(name in values for name in _INKED):
        own.discard("color")
    return frozenset(own)
