"""Footnotes and endnotes: numbered as they are met, each read once."""

from __future__ import annotations

from knowledge.ingest.parsers.composing import STRUCK_OUT
from knowledge.ingest.parsers.numerals import numeral
from knowledge.ingest.parsers.scripts import scripted

from .items import Note
from .names import Element, M, W
from .package import Package
from .revisions import Policy, is_change, is_shown
from .styles import Styles


class Notes:
    """The notes of a document by kind ('footnote', 'endnote') and id."""

    def __init__(self, package: Package, policy: Policy, styles: Styles) -> None:
        self._styles = styles
        self._remarks = package.remarks
        self._policy: Policy = policy
        self._elements: dict[tuple[str, str], Element] = {}
        self._counts = {"footnote": 0, "endnote": 0}
        for kind in self._counts:
            root = package.related(kind + "s")
            for element in root.iterchildren(W + kind) if root is not None else ():
                self._elements[kind, element.get(W + "id", "")] = element

    def find(self, kind: str, identity: str, custom: str) -> Note | None:
        """Return the note a reference means, None when there is none, or it was met before.

        ``custom`` is a mark the author set in place of the number, or ''.
        """
        element = self._elements.pop((kind, identity), None)
        if element is None:
            return None
        text = " ".join(self._text(element).split())
        if custom:
            return Note(custom, text)
        self._counts[kind] += 1
        count = self._counts[kind]
        # A caret keeps a note's mark apart from the [1] of an answer's citation.
        return Note(f"^{count}" if kind == "footnote" else f"^{numeral(count, 'lowerRoman')}", text)

    def _text(self, element: Element) -> str:
        """Return the words below ``element`` whatever they stand in, changes by the policy."""
        parts: list[str] = []
        stack = [element]
        while stack:
            part = stack.pop()
            if part.tag in (W + "t", W + "delText", M + "t"):
                parts.append(self._words(part))
            elif part.tag in (W + "tab", W + "br", W + "p", W + "tc"):
                parts.append(" ")
            elif part.tag == W + "noBreakHyphen":
                parts.append("-")
            if is_change(part) and not is_shown(part, self._policy):
                continue
            if part.tag not in (W + "pPr", W + "rPr"):
                stack += reversed(part)
        return "".join(parts)

    def _words(self, part: Element) -> str:
        text = part.text or ""
        run = part.getparent()
        if run is None or run.tag != W + "r":
            return text
        look = self._styles.of_run(run)
        if look.struck and text.strip() and self._policy == "accepted":
            self._remarks.append(STRUCK_OUT)
            return " " if text != text.strip() else ""
        words = scripted(text, look.script)
        return f"[deleted: {words}]" if look.struck and self._policy == "marked" else words
