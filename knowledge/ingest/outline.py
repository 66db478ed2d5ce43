"""Headings and leaves in reading order, nested into sections; shared by every parser."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .tree import Leaf, NodeKind, Section, Span

# Deeper headings are kept as siblings at this level: paths and recursion stay bounded.
MAX_LEVEL = 12
# Control characters, and the marks that turn the direction of what stands around a title.
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_UNSEEN_KINDS = ("Cc", "Cf", "Zs", "Zl", "Zp")
# Fillers of Korean syllables and the blank of Braille are letters and signs without ink.
_BLANK_LETTERS = "\u115f\u1160\u3164\uffa0\u2800"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading as a parser meets it; ``level`` counts from 1 and may skip numbers.

    ``may_name`` is whether it could be the document's title: "1. Scope" could not.
    """

    title: str
    level: int
    span: Span
    may_name: bool = True


@dataclass(slots=True)
class _Open:
    title: str
    level: int
    heading: Span | None
    start: int
    children: list[Section | Leaf] = field(default_factory=list)

    def close(self, end: int) -> Section:
        span = Span(self.start, end)
        return Section(self.title, self.level, self.heading, span, tuple(self.children))


def assemble(text: str, blocks: Sequence[Heading | Leaf], *, title: str = "") -> Section:
    """Return the root section over all of ``text``.

    A heading closes every open one of its level or deeper. ``title`` is one the document states
    elsewhere (front matter, properties). A single top heading before all else becomes the root's
    heading and title rather than a level of its own, unless ``title`` says something different.
    A heading of which a reader sees nothing is none. The root's title is '' when nothing names the
    document.
    """
    blocks = [one for one in blocks if isinstance(one, Leaf) or is_seen(one.title)]
    title = title if is_seen(title) else ""
    top = _document_heading(text, blocks, title)
    root = _Open(_shown(title or (top.title if top else "")), 0, top.span if top else None, 0)
    stack = [root]
    for block in blocks:
        if block is top:
            continue
        if isinstance(block, Leaf):
            stack[-1].children.append(block)
            continue
        level = min(max(1, block.level), MAX_LEVEL)
        _close(stack, level, block.span.start)
        stack.append(_Open(_shown(block.title), level, block.span, block.span.start))
    _close(stack, 1, len(text))
    return root.close(len(text))


def is_seen(text: str) -> bool:
    """Return whether a reader sees more of ``text`` than blanks and marks of direction."""
    return any(
        unicodedata.category(letter) not in _UNSEEN_KINDS and letter not in _BLANK_LETTERS
        for letter in text
    )


def _close(stack: list[_Open], level: int, end: int) -> None:
    while len(stack) > 1 and stack[-1].level >= level:
        section = stack.pop().close(end)
        stack[-1].children.append(section)


def _document_heading(text: str, blocks: Sequence[Heading | Leaf], title: str) -> Heading | None:
    """Return the heading that names the whole document, if one does.

    It is shallower than every other and nothing readable stands before it: pictures may (badges),
    and markup such as the licence comments that open many files.
    """
    headings = [block for block in blocks if isinstance(block, Heading)]
    if not headings or any(other.level <= headings[0].level for other in headings[1:]):
        return None
    first = headings[0]
    if not first.may_name or (title and _folded(title) != _folded(first.title)):
        return None
    return None if any(_is_prose(text, leaf) for leaf in _before(blocks, first)) else first


def _before(blocks: Iterable[Heading | Leaf], heading: Heading) -> Iterable[Leaf]:
    for block in blocks:
        if block is heading:
            return
        if isinstance(block, Leaf):
            yield block


def _is_prose(text: str, leaf: Leaf) -> bool:
    return leaf.kind is not NodeKind.FIGURE and not text.startswith("<", leaf.span.start)


def _shown(title: str) -> str:
    """Return a title without control characters and without marks that turn the text around it."""
    return _UNSEEN.sub("", title)


def _folded(title: str) -> str:
    return " ".join(title.casefold().split())
