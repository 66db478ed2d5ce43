"""Drawings (SVG) in a page: their labels are words that a reader sees."""

from __future__ import annotations

from .stylesheets import Element

# What a drawing says about itself is not drawn.
_UNDRAWN = ("title", "desc", "metadata")


def write_labels(root: Element) -> None:
    """Make each label of the drawings below ``root`` a block, and part its lines."""
    inner: set[Element] = set()
    for drawing in root.iter("svg"):
        if drawing in inner:
            continue
        inner.update(drawing.iter("svg"))
        for part in drawing.iter(*_UNDRAWN):
            for child in list(part):
                part.remove(child)
            part.text = None
        for line in drawing.iter("tspan"):
            if line.get("y") or line.get("dy"):
                line.text = f" {line.text or ''}"
        for label in list(drawing.iter("text")):
            label.tag = "div"
