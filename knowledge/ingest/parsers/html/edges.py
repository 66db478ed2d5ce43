"""Where the edges of an element part the words at both sides, and text put together over them.

What is a block by its style ends a line as one by its name does. What stands in its own place in a
line, as the columns of a row or a price that floats to the right, is a word apart. Where that is
not sure, numbers are kept from becoming one.
"""

from __future__ import annotations

import re
from enum import IntEnum

from .stylesheets import Element, StyleSheets

_BLOCKS = re.compile(r"(?:block|flex|grid|list-item|flow-root|-webkit-box|table(?!-cell))\b")
_CONTAINERS = re.compile(r"(?:inline-|inline |block )?(?:-webkit-)?(flex|grid)\b")
_INLINE_BOXES = re.compile(r"inline-|inline \w")
# These end no word, and begin none.
_BEHIND_WORDS = ".,;:!?%)]}°€£¥"
_IN_FRONT_OF_WORDS = "([{$€£¥#"


class Edge(IntEnum):
    """What parts the words outside of an element from those inside."""

    NONE = 0
    # Between two digits only.
    NUMBER = 1
    WORD = 2
    LINE = 3


def edge_of(element: Element, styles: StyleSheets) -> Edge:
    """Return what the style of ``element`` and of the one it stands in make its edges."""
    own = styles.of(element)
    around = _edge_in(element, styles)
    if around is not Edge.NONE or not own:
        return around
    display = styles.value(element, "display")
    if _BLOCKS.match(display):
        return Edge.LINE
    if display == "table-cell" or _is_placed(element, styles):
        return Edge.WORD
    possible = own["display"].possible if "display" in own else ()
    if _INLINE_BOXES.match(display) or any(map(_parts, possible)):
        return Edge.NUMBER
    return Edge.NONE


def _edge_in(element: Element, styles: StyleSheets) -> Edge:
    """Return the edge that the children of a flexible box or grid have."""
    parent = element.getparent()
    if parent is None or not styles.of(parent):
        return Edge.NONE
    if not _CONTAINERS.match(styles.value(parent, "display")):
        return Edge.NONE
    is_column = styles.value(parent, "flex-direction").startswith("column")
    return Edge.LINE if is_column else Edge.WORD


def _is_placed(element: Element, styles: StyleSheets) -> bool:
    if styles.value(element, "position") in ("absolute", "fixed"):
        return True
    if styles.value(element, "float") not in ("left", "right", "inline-start", "inline-end"):
        return False
    # A letter that floats is the first of its word.
    text = "".join(map(str, element.itertext())).strip()
    return not (len(text) == 1 and text.isalpha())


def _parts(display: str) -> bool:
    return any(kind.match(display) for kind in (_BLOCKS, _CONTAINERS, _INLINE_BOXES))


class Words:
    """Text put together piece by piece, with a blank at edges between pieces that would fuse."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._last = ""
        self._edge = Edge.NONE

    def put(self, text: str | None) -> None:
        """Add ``text`` behind the last piece."""
        if not text:
            return
        if _fuses(self._last, text[0], self._edge):
            self._pieces.append(" ")
        self._pieces.append(text)
        self._last, self._edge = text[-1], Edge.NONE

    def part(self, edge: Edge) -> None:
        """Let ``edge`` stand between the pieces so far and the next one."""
        if edge > self._edge:
            self._edge = edge

    def taken(self) -> str:
        """Return the text so far, and begin anew."""
        text = "".join(self._pieces)
        self._pieces, self._last, self._edge = [], "", Edge.NONE
        return text


def _fuses(last: str, first: str, edge: Edge) -> bool:
    if edge is Edge.NUMBER:
        return last.isdecimal() and first.isdecimal()
    if edge is Edge.NONE or not last or last.isspace() or first.isspace() or "\0" in (last, first):
        return False
    return first not in _BEHIND_WORDS and last not in _IN_FRONT_OF_WORDS
