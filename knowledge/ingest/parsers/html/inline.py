"""The words below an element on one line, or verbatim: iterative, however deep the markup."""

from __future__ import annotations

import re

from .visibility import Element, Visibility

_BREAKING = frozenset((
    "br", "p", "div", "li", "tr", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote",
    "section", "article", "pre", "ul", "ol", "table",
))  # fmt: skip
_CELLS = frozenset(("td", "th"))
# No text of a page holds a NUL.
_LINE_END = "\0"


class InlineText:
    """Gathers visible text."""

    def __init__(self, visibility: Visibility) -> None:
        self._visibility = visibility

    def shows(self, element: Element) -> bool:
        """Return whether ``element`` itself is seen."""
        return self._visibility.is_shown(element, inside_main=True)

    def holds_place(self, element: Element) -> bool:
        """Return whether ``element`` takes its place on the page, be it seen or not."""
        return not self._visibility.is_removed(element)

    def of(self, element: Element) -> str:
        """Return the visible words below ``element``; blocks and breaks end a line."""
        text = self._gathered(element, verbatim=False)
        return re.sub(r" *\n\s*", "\n", text).strip()

    def verbatim(self, element: Element) -> str:
        """Return the visible text below ``element`` with its white space."""
        return self._gathered(element, verbatim=True)

    def _gathered(self, element: Element, *, verbatim: bool) -> str:
        parts: list[str] = []

        def put(text: str | None) -> None:
            if text:
                parts.append(text if verbatim else re.sub(r"[ \t\n\r\f]+", " ", text))

        put(element.text)
        # Each entry is an element to open, or the text that follows one.
        stack: list[Element | str] = list(reversed(_steps(element)))
        while stack:
            step = stack.pop()
            if isinstance(step, str):
                if step == _LINE_END:
                    parts.append("\n")
                else:
                    put(step)
                continue
            if not self.shows(step):
                continue
            tag = step.tag
            if tag == "br" or (not verbatim and tag in _BREAKING):
                parts.append("\n")
            elif tag in _CELLS and not verbatim:
                parts.append(", " if step.getprevious() is not None else "")
            put(step.text)
            after = [_LINE_END] if tag in _BREAKING and tag != "br" and not verbatim else []
            stack += [*after, *reversed(_steps(step))]
        return "".join(parts)


def _steps(element: Element) -> list[Element | str]:
    steps: list[Element | str] = []
    for child in element:
        steps.append(child)
        if child.tail:
            steps.append(child.tail)
    return steps
