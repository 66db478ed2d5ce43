"""The words below an element on one line, or verbatim: iterative, however deep the markup."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .drawings import words_for
from .edges import Edge, Words
from .visibility import Element, Visibility

_BREAKING = frozenset((
    "hr", "p", "div", "li", "tr", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6",
    "blockquote", "section", "article", "pre", "ul", "ol", "dl", "table", "caption", "address",
    "aside", "center", "details", "fieldset", "figcaption", "figure", "footer", "form", "header",
    "hgroup", "legend", "main", "menu", "optgroup", "option", "summary",
))  # fmt: skip
_CELLS = frozenset(("td", "th"))
# No text of a page holds a NUL.
LINE_END = "\0"
"""The end of a line that may be one already."""
_BLANKS = re.compile(rf"[\s{LINE_END}]+")


class InlineText:
    """Gathers visible text."""

    def __init__(self, visibility: Visibility) -> None:
        self._visibility = visibility

    def shows(self, element: Element) -> bool:
        """Return whether ``element`` itself is seen."""
        return self._visibility.is_shown(element, inside_main=True)

    def drops(self, element: Element) -> bool:
        """Return whether ``element`` shows nothing by its name."""
        return self._visibility.drops(element)

    def holds_place(self, element: Element) -> bool:
        """Return whether ``element`` takes its place on the page, be it seen or not."""
        return not self._visibility.is_removed(element)

    def is_collapsed(self, column: Element) -> bool:
        """Return whether a <col> or <colgroup> hides its column."""
        return self._visibility.is_collapsed(column)

    def of(self, element: Element) -> str:
        """Return the visible words below ``element``; blocks and breaks end a line."""
        text = self._gathered(element, verbatim=False).replace(LINE_END, "\n")
        lines = (line.lstrip().rstrip(" ") for line in text.split("\n"))
        return "\n".join(filter(None, lines)).strip()

    def images(self, element: Element) -> Iterator[Element]:
        """Yield the images below ``element`` that a reader sees."""
        return self._visibility.shown_below(element, "img")

    def pictured(self, element: Element) -> str:
        """Return the words that stand for the pictures below ``element`` that a reader sees."""
        words = map(words_for, self._visibility.shown_below(element))
        return ", ".join(dict.fromkeys(filter(None, words)))

    def verbatim(self, element: Element, *, line_end: str = "\n", ink: int = 0) -> str:
        """Return the visible text below ``element`` with its white space.

        ``line_end`` stands between blocks where white space does not part them. Of both ends of
        the text ``ink`` characters are left out.
        """
        text = self._gathered(element, verbatim=True).strip(LINE_END)
        text = text[ink : len(text) - ink]

        def parted(blanks: re.Match[str]) -> str:
            written = blanks[0].replace(LINE_END, "")
            is_at_end = blanks.start() == 0 or blanks.end() == len(text)
            if written == blanks[0] or is_at_end or "\n" in written:
                return written
            if line_end == " " and written:
                return written
            return line_end + blanks[0].rpartition(LINE_END)[2]

        return _BLANKS.sub(parted, text)

    def _gathered(self, element: Element, *, verbatim: bool) -> str:
        """Return the visible text, a `LINE_END` for each beginning and end of a block."""
        words = Words()

        def put(text: str | None) -> None:
            words.put(text if verbatim else re.sub(r"[ \t\n\r\f]+", " ", text or ""))

        put(element.text)
        # Each entry is an element to open, or the text or edge that follows one.
        stack: list[Element | str | Edge] = list(reversed(_steps(element)))
        while stack:
            step = stack.pop()
            if isinstance(step, str):
                put(step)
                continue
            if isinstance(step, Edge):
                words.part(step)
                continue
            if not self.shows(step):
                continue
            edge = self._edge(step)
            if step.tag == "br":
                words.put("\n")
            elif edge is Edge.LINE:
                words.put(LINE_END)
            elif step.tag in _CELLS and step.getprevious() is not None:
                words.put(" " if verbatim else ", ")
            words.part(edge)
            put(step.text)
            stack += [LINE_END if edge is Edge.LINE else edge, *reversed(_steps(step))]
        return words.taken()

    def _edge(self, element: Element) -> Edge:
        if element.tag == "br":
            return Edge.NONE
        return Edge.LINE if element.tag in _BREAKING else self._visibility.edge(element)


def _steps(element: Element) -> list[Element | str | Edge]:
    steps: list[Element | str | Edge] = []
    for child in element:
        steps.append(child)
        if child.tail:
            steps.append(child.tail)
    return steps
