"""A page walked in reading order: headings, paragraphs, lists, tables, code, figures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from knowledge.ingest.parsers.composing import Composer
from knowledge.ingest.preflight import Refused, Verdict
from knowledge.ingest.table_parts import table_parts
from knowledge.ingest.tables import grid_of

from .edges import Edge, Words
from .inline import LINE_END, InlineText
from .markers import marker_of
from .tables import is_layout, parts_of, pictures_beside_words, table_rows
from .visibility import Element, Visibility, is_main

_BLOCKS = frozenset((
    "html", "head", "body", "address", "article", "aside", "blockquote", "center", "dd", "details",
    "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
    "header", "hgroup", "hr", "legend", "li", "main", "menu", "ol", "p", "pre",
    "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
    "h1", "h2", "h3", "h4", "h5", "h6", "caption",
))  # fmt: skip
# Blocks that are no part of the definition they may stand in.
_WHOLE = ("pre", "ul", "ol", "table", "figure")
_HEADING = re.compile(r"h([1-6])\Z")
# Each stands on a line of its own.
_CHOICES = ("option", "optgroup")
_LINE_ENDS = re.compile(rf"[ \n{LINE_END}]+")
# Deeper markup is read as plain text: recursion stays bounded and no word is lost.
_DEEPEST = 120


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an element stands; ``item`` is the depth of its list from 1, 0 outside of lists."""

    depth: int = 0
    inside_main: bool = False
    item: int = 0


class Walker:
    """Walks one page into ``composer``; ``notes`` are its footnotes by number."""

    def __init__(self, visibility: Visibility, notes: Mapping[str, str]) -> None:
        self.composer = Composer(notes)
        self._visibility = visibility
        self._inline = InlineText(visibility)
        self._words = Words()
        self._figures: list[str] = []
        # What stands in front of the next paragraph: an item's marker, a term.
        self._marker: str | None = None
        self._term = ""

    def walk(self, root: Element) -> None:
        """Add everything below ``root`` to the composer."""
        self._children(root, _Place())
        self._flush(_Place())
        self._flush_term(_Place())

    def _children(self, parent: Element, place: _Place) -> None:
        self._text(parent.text)
        if not len(parent):
            return
        deeper = replace(place, depth=place.depth + 1)
        for child in parent:
            inside = deeper.inside_main or is_main(child)
            below = deeper if inside == deeper.inside_main else replace(deeper, inside_main=True)
            if self._visibility.is_shown(child, inside_main=place.inside_main):
                self._element(child, below)
            self._text(child.tail)

    def _element(self, element: Element, place: _Place) -> None:
        tag = element.tag
        if place.depth > _DEEPEST and tag != "img":
            self._words.put(f"\n{self._inline.of(element)}\n")
            self._images(element)
        elif tag not in _BLOCKS:
            self._styled(element, place)
        else:
            self._flush(place)
            self._block(element, tag, place)
            self._flush(place)

    def _styled(self, element: Element, place: _Place) -> None:
        """Add what is no block by its name."""
        edge = self._visibility.edge(element) if element.tag != "br" else Edge.NONE
        if edge is Edge.LINE:
            self._flush(place)
        self._words.part(edge)
        self._phrase(element, place)
        self._words.part(edge)
        if edge is Edge.LINE:
            self._flush(place)

    def _phrase(self, element: Element, place: _Place) -> None:
        if element.tag == "br":
            self._words.put("\n")
        elif element.tag == "img":
            self._image(element)
        elif element.tag == "math":
            self._words.put(f" {self._inline.of(element)} ")
        elif element.tag == "svg":
            self._figures.append(self._inline.of(element))
        elif element.tag in _CHOICES:
            self._words.put(LINE_END)
            self._children(element, place)
            self._words.put(LINE_END)
        else:
            self._children(element, place)

    def _block(self, element: Element, tag: str, place: _Place) -> None:
        heading = _HEADING.match(tag)
        if heading or tag in _WHOLE:
            self._flush_term(place)
        if heading:
            self._heading(element, int(heading[1]))
        elif tag == "pre":
            self._code(element)
        elif tag in ("ul", "ol", "menu", "dir"):
            self._list(element, place)
        elif tag == "table":
            self._table(element, place)
        elif tag == "figure":
            self._figure(element, place)
        elif tag == "dt" and place.item:
            self._definition_term(element, place)
        elif tag == "dl":
            self._children(element, replace(place, item=place.item + 1))
            self._flush(place)
            self._flush_term(place)
            self._end_list(place)
        else:
            self._children(element, place)

    def _definition_term(self, element: Element, place: _Place) -> None:
        self._flush_term(place)
        if any(True for _ in element.iterdescendants(*_BLOCKS)):
            # libxml2 puts a term inside the one before it whose end is not marked.
            self._marker = "-"
            self._children(element, place)
        else:
            self._term = " ".join(self._inline.of(element).split())
            self._images(element)

    def _heading(self, element: Element, level: int) -> None:
        text = " ".join(self._inline.of(element).split())
        if text:
            self.composer.heading(text, level)
        self._images(element)

    def _code(self, element: Element) -> None:
        text = self._inline.verbatim(element)
        self.composer.code(text)
        self._images(element)

    def _list(self, element: Element, place: _Place) -> None:
        number = _integer(element.get("start"), 1)
        step = -1 if element.get("reversed") is not None else 1
        if step < 0 and element.get("start") is None:
            number = sum(1 for _ in element.iterchildren("li"))
        below = replace(place, item=place.item + 1, depth=place.depth + 1)
        self._text(element.text)
        for child in element:
            if not self._visibility.is_shown(child, inside_main=place.inside_main):
                self._text(child.tail)
                continue
            if child.tag != "li":
                self._element(child, below)
                self._text(child.tail)
                continue
            number = _integer(child.get("value"), number)
            self._flush(below)
            self._marker = marker_of(child, number, self._visibility.styles)
            self._children(child, below)
            self._flush(below)
            self._marker = None
            number += step
            self._text(child.tail)
        self._flush(below)
        self._end_list(place)

    def _end_list(self, place: _Place) -> None:
        if not place.item:
            self.composer.end_list()

    def _table(self, element: Element, place: _Place) -> None:
        rows, headers = table_rows(element, self._inline)
        if is_layout(element, rows, self._inline):
            self._children(element, place)
            return
        for caption in parts_of(element):
            if caption.tag == "caption" and self._inline.shows(caption):
                self._children(caption, place)
                self._flush(place)
        try:
            grids = [grid_of(*part) for part in table_parts(rows, headers)]
        except ValueError as error:
            raise Refused(
                Verdict.TOO_LARGE, "A table of the page claims millions of cells."
            ) from error
        for grid in grids:
            self.composer.table(grid)
        for image in pictures_beside_words(element, self._inline):
            self._image(image)
        self._flush(place)

    def _figure(self, element: Element, place: _Place) -> None:
        """Add a figure of pictures with its caption; one with more in it as what it holds."""
        if any(True for _ in element.iterdescendants("figure")):
            self._children(element, place)
            return
        captions = self._visibility.shown_below(element, "figcaption")
        caption = "\n".join(" ".join(self._inline.of(part).split()) for part in captions)
        images = list(self._visibility.shown_below(element, "img"))
        if not images or self._inline.of(element).split() != caption.split():
            self._children(element, place)
            return
        words = [" ".join((image.get("alt") or "").split()) for image in images]
        lines = dict.fromkeys(line for line in (caption, *words) if line)
        self.composer.figure("\n".join(lines))

    def _images(self, element: Element) -> None:
        for image in self._visibility.shown_below(element, "img"):
            self._image(image)

    def _image(self, image: Element) -> None:
        """Keep the words for a shown image."""
        alt = " ".join((image.get("alt") or "").split())
        self._figures.append(alt)

    def _text(self, text: str | None) -> None:
        if text:
            self._words.put(re.sub(r"[ \t\n\r\f]+", " ", text))

    def _flush(self, place: _Place) -> None:
        """Add what was gathered as a paragraph, or as the item or definition it belongs to."""
        lines = _LINE_ENDS.sub(_one_line_end, self._words.taken()).split("\n")
        text = "\n".join(line.strip(" ") for line in lines).strip()
        figures, self._figures = self._figures, []
        if text and self._term:
            text, self._term = f"{self._term}: {text}", ""
            self.composer.item(text, depth=max(0, place.item - 1))
        elif text and place.item:
            marker, self._marker = self._marker, None
            self.composer.item(text, marker=marker or "", depth=max(0, place.item - 1))
        elif text:
            self.composer.paragraph(re.sub(r" {2,}", " ", text))
        for words in filter(None, figures):
            self.composer.figure(words)

    def _flush_term(self, place: _Place) -> None:
        """Add a term that no definition follows."""
        term, self._term = self._term, ""
        if term:
            self.composer.item(term, depth=max(0, place.item - 1))


def _one_line_end(blanks: re.Match[str]) -> str:
    return "\n" if LINE_END in blanks[0] else blanks[0]


def _integer(text: str | None, default: int) -> int:
    match = re.match(r"\s*([+-]?\d{1,9})", text or "")
    return int(match[1]) if match else default
