"""What of a page a reader sees: hidden text must not become evidence."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from .edges import Edge, edge_of
from .stylesheets import StyleSheets
from .unseen import WHOLE, is_box_unseen, unseen_below

Element = etree._Element

PROGRAMS = frozenset(("script", "style", "template"))
"""What no document shows as text."""
_DROPPED_IN_PARTS = PROGRAMS | {"meta", "link", "base", "area", "annotation", "annotation-xml"}
# What no reader of a page sees either: the way around a site, and what stands for scripts, frames
# and media where these do not work.
_DROPPED = _DROPPED_IN_PARTS | {
    "nav", "dialog", "datalist", "title", "noscript", "iframe", "frameset", "frame", "noframes",
    "canvas", "audio", "video",
}  # fmt: skip
_STRUCK = frozenset(("del", "s", "strike"))
_PAGE_FURNITURE = frozenset(("header", "footer", "aside"))
_FURNITURE_ROLES = frozenset(
    ("navigation", "banner", "contentinfo", "complementary", "search", "menu", "menubar", "dialog")
)
_SECTIONING = (
    "article", "aside", "blockquote", "dd", "details", "dialog", "fieldset", "figure", "main",
    "section", "td",
)  # fmt: skip


class Visibility:
    """Tells the elements of one page that a reader sees from those that are left out.

    ``left_out_struck`` says whether words were met that have a line through them. A part of a
    document (``is_part``) is no page with its navigation, forms and programs: all of its words are
    seen but those of programs and what it hides itself.
    """

    def __init__(self, root: Element, *, keep_deleted: bool = False, is_part: bool = False) -> None:
        self.styles = StyleSheets(root)
        self._unseen = unseen_below(root, self.styles)
        self._keep_deleted = keep_deleted
        self.left_out_struck = False
        self._is_part = is_part
        self._has_main = any(True for _ in _mains(root))

    def is_shown(self, element: Element, *, inside_main: bool) -> bool:
        """Return whether ``element`` itself is shown, its ancestors being so."""
        if self.drops(element):
            return False
        # One that copies code is no part of it.
        if element.tag == "button" and any(True for _ in element.iterancestors("pre")):
            return False
        if not self._keep_deleted and self._is_struck(element):
            self.left_out_struck |= any(text.strip() for text in element.itertext())
            return False
        if not self._is_part and self._is_of_site(element, inside_main=inside_main):
            return False
        return not self._is_hidden(element)

    def drops(self, element: Element) -> bool:
        """Return whether what ``element`` holds is no text by its name."""
        if element.tag == "dialog" and element.get("open") is not None:
            return False
        return element.tag in (_DROPPED_IN_PARTS if self._is_part else _DROPPED)

    def shown_below(self, element: Element, tag: str = "") -> Iterator[Element]:
        """Yield the elements named ``tag`` below a shown ``element`` that a reader sees, in order.

        Without a ``tag`` all of them are. What is page furniture elsewhere is part of it.
        """
        stack = [*reversed(element)]
        while stack:
            one = stack.pop()
            if self.is_shown(one, inside_main=True):
                if tag in ("", one.tag):
                    yield one
                stack += reversed(one)

    def edge(self, element: Element) -> Edge:
        """Return what parts the words in ``element`` from those around by its style."""
        return edge_of(element, self.styles)

    def _is_of_site(self, element: Element, *, inside_main: bool) -> bool:
        """Return whether ``element`` is for finding one's way in a site, around its page's text."""
        role = element.get("role", "").strip().lower()
        if role == "navigation" or inside_main:
            return role == "navigation"
        if self._has_main:
            return element.tag in _PAGE_FURNITURE or role in _FURNITURE_ROLES
        return _is_foot_of_page(element)

    def is_removed(self, element: Element) -> bool:
        """Return whether ``element`` takes no place on the page (CSS 2.2, 9.2.4), seen or not."""
        hidden = element.get("hidden")
        if hidden is not None and hidden.strip().lower() != "until-found":
            return True
        return self.styles.value(element, "display") == "none"

    def is_collapsed(self, column: Element) -> bool:
        """Return whether a <col> or <colgroup> hides its column (CSS 2.2, 17.5.5)."""
        return self.styles.value(column, "visibility") == "collapse"

    def _is_struck(self, element: Element) -> bool:
        if element.tag in _STRUCK:
            return True
        return "line-through" in self.styles.value(element, "text-decoration").split()

    def _is_hidden(self, element: Element) -> bool:
        if element.tag in WHOLE:
            return False
        return (
            element in self._unseen
            or self.is_removed(element)
            or is_box_unseen(self.styles.of(element), element.tag)
        )


def is_main(element: Element) -> bool:
    """Return whether ``element`` holds the content proper of its page."""
    return element.tag in ("main", "article") or element.get("role", "").strip() in (
        "main",
        "article",
    )


def _is_foot_of_page(element: Element) -> bool:
    """Return whether ``element`` is a footer of the whole page rather than of a part of it.

    Footers belong to their nearest sectioning element (HTML, 4.3.8); what stands in a part of the
    page is content.
    """
    role = element.get("role", "").strip().lower()
    if element.tag != "footer" and role != "contentinfo":
        return False
    return not any(True for _ in element.iterancestors(*_SECTIONING))


def _mains(root: Element) -> Iterator[Element]:
    for element in root.iter():
        if is_main(element):
            yield element
