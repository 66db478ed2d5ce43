"""Headings by their role (WAI-ARIA 1.2, heading) rather than by their name."""

from __future__ import annotations

import re

from .stylesheets import Element

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
# What holds one of these is no heading alone.
_WHOLE = (*_HEADINGS, "table", "ul", "ol", "dl", "pre", "figure")
# Where none is stated.
_LEVEL = 2


def write_headings(root: Element) -> None:
    """Put a heading of its level into each element below ``root`` whose role is to be one."""
    for element in list(root.iter("*")):
        if element.get("role", "").strip().lower() != "heading":
            continue
        if any(True for _ in element.iter(*_WHOLE)):
            continue
        if any(True for _ in element.iterancestors(*_HEADINGS)):
            continue
        level = re.match(r"\s*(\d{1,3})\s*\Z", element.get("aria-level", ""))
        depth = min(max(int(level[1]), 1), len(_HEADINGS)) if level else _LEVEL
        inner = element.makeelement(f"h{depth}")
        inner.text, element.text = element.text, None
        inner.extend(list(element))
        element.append(inner)
