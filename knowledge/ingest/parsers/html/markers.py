"""What stands in front of the items of a list: numbers in the form that the list shows, or dashes.

The form is that of the item's or its list's style, else of its attribute. Without one by its style
a list may be counted by what the sheet puts in front of its items, and keeps its numbers.
"""

from __future__ import annotations

from knowledge.ingest.parsers.numerals import numeral

from .stylesheets import Element, StyleSheets

_DASH = "-"
_BULLETS = frozenset(("disc", "circle", "square", "disclosure-open", "disclosure-closed"))
# In the words of `numeral`.
_FORMS = {
    "decimal": "decimal",
    "decimal-leading-zero": "decimalZero",
    "lower-alpha": "lowerLetter",
    "lower-latin": "lowerLetter",
    "upper-alpha": "upperLetter",
    "upper-latin": "upperLetter",
    "lower-roman": "lowerRoman",
    "upper-roman": "upperRoman",
    "cjk-ideographic": "chineseCounting",
    "cjk-decimal": "chineseCounting",
    "trad-chinese-informal": "chineseCounting",
    "simp-chinese-informal": "chineseCounting",
    "japanese-informal": "japaneseCounting",
}
_ATTRIBUTES = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}


def marker_of(item: Element, number: int, styles: StyleSheets) -> str:
    """Return the marker of an item, the ``number``-th of its list."""
    around = item.getparent()
    lists = [item] if around is None else [item, around]
    for one in lists:
        for name in styles.value(one, "list-style-type").split():
            if name in _BULLETS:
                return _DASH
            if name in _FORMS:
                return f"{numeral(number, _FORMS[name])}."
    if around is None or around.tag != "ol":
        return _DASH
    form = item.get("type") or around.get("type") or ""
    return f"{numeral(number, _ATTRIBUTES.get(form, 'decimal'))}."
