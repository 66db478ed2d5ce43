"""Drawings (SVG) in a page: their labels are words that a reader sees."""

from __future__ import annotations

from .stylesheets import Element

ALT = "alt"
"""The attribute of a picture with the words that stand for it."""
# What a drawing says about itself is not drawn.
_UNDRAWN = ("title", "desc", "metadata")


def write_labels(root: Element) -> None:
    """Make each label of the drawings below ``root`` a block, and part its lines.

    The title of one without labels is the words that stand for it, as those of an image.
    """
    inner: set[Element] = set()
    for drawing in root.iter("svg"):
        if drawing in inner:
            continue
        inner.update(drawing.iter("svg"))
        title = next(drawing.iter("title"), None)
        if title is not None and next(drawing.iter("text"), None) is None:
            drawing.set(ALT, title.text or "")
        for part in drawing.iter(*_UNDRAWN):
            for child in list(part):
                part.remove(child)
            part.text = None
        for line in drawing.iter("tspan"):
            if line.get("y") or line.get("dy"):
                line.text = f" {line.text or ''}"
        for label in list(drawing.iter("text")):
            label.tag = "div"


def words_for(element: Element) -> str:
    """Return the words that stand for a picture or a sign without words, '' if there are none."""
    names = ("aria-label", "title") if element.get("aria-hidden", "") != "true" else ()
    if element.tag in ("img", "svg"):
        names = (ALT, *names)
    elif element.tag not in ("i", "span") and element.get("role", "") != "img":
        return ""
    found = (" ".join(element.get(name, "").split()) for name in names)
    return next(filter(None, found), "")
