"""HTML in Markdown, read as a page of its own is: visible words, tables and headings, no tags.

In a line of text a tag is one of HTML's elements that is closed in the same block, or an empty one
with an attribute, or a break; other things in angle brackets ('<name>', '<input>', 'List<String>',
a lone '<b>') stay as they are written, and so do code and elements that HTML does not have. Words
in HTML's elements are kept, also those a browser shows in their turn or never does, as of dialogs
and beside media: of programs alone (scripts, styles, templates), of comments and of what an element
hides or strikes nothing is. A comment, or a program, that nothing closes stays too: the rest of the
file stands in it.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import escape
from itertools import chain, pairwise

from lxml import html
from lxml.html import defs

from knowledge.ingest.outline import Heading
from knowledge.ingest.preflight import Limits, Refused, Verdict
from knowledge.ingest.tree import Leaf, Span

from .html import inline_text, read_part
from .html.controls import shown_value
from .html.visibility import PROGRAMS
from .markdown_tags import COMMENT, ELEMENTS, VERBATIM, Tag, all_tags
from .markdown_xml import merged, xml_elements

_NOTE = re.compile(r"\[\^(\d{1,4})\]")
_COMMENT_END = "-->"
_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)")
# Up to the next bracket: what may be a tag with a fault in it.
_OPENED = re.compile(r"<[^<>]*>?")
_VALUE = re.compile(r"=\s?[\"']")
_DECLARATION = re.compile(r"<(?:!doctype\b|\?[a-z])", re.IGNORECASE)
_SELECTED = re.compile(r"\b(?:class|id)\s*=", re.IGNORECASE)
# They are read again with each block.
_LONGEST_STYLES = 1_000
_VOID = defs.empty_tags | {COMMENT}
# Without an attribute these say nothing, so that their names are what an author meant.
_NAMES = defs.empty_tags - {"br", "hr", "wbr"}
# What a page has for its use a file shows, as words or as blocks.
_SHOWN = {"title": "span", "textarea": "span", "iframe": "span", "option": "div"}
# No tag in these is one.
_RAW = ("script", "style")


class Markup:
    """Reads the HTML of the file ``text``; ``left_out_struck``: whether words of it were."""

    def __init__(self, text: str, limits: Limits) -> None:
        self._keep_deleted = limits.tracked_changes != "accepted"
        self._notes = set(_NOTE.findall(text))
        # Those of the blocks so far hold for the next ones.
        self._styles: list[str] = []
        self.left_out_struck = False

    def without_tags(self, text: str, line_end: str = " ") -> str:
        """Return the lines of one block without comments and tags, ``line_end`` for each <br>.

        Lines of which nothing is left are left out.
        """
        tags = _tags(text)
        if all(tag.name == VERBATIM for tag in tags):
            return text
        paired = _paired(tags)
        parts: list[str] = []
        end = 0
        for tag in tags:
            parts.append(escape(text[end : tag.span.start], quote=False))
            end = tag.span.end
            if tag in paired:
                parts.append(_markup(text, tag))
            elif tag.name in _VOID or (tag.name == "p" and _is_at_edge(text, tag.span)):
                parts.append(escape(_void(text, tag, line_end), quote=False))
                # Of the blanks around a comment one is left.
                end += tag.name == COMMENT and _around(text, tag.span) == (" ", " ")
            else:
                parts.append(escape(tag.span.of(text), quote=False))
        parts.append(escape(text[end:], quote=False))
        try:
            words, struck = inline_text("".join(parts), line_end, keep_deleted=self._keep_deleted)
        except Refused:
            return text
        self.left_out_struck |= struck
        return "\n".join(line for line in words.split("\n") if line.strip(" \t>"))

    def composed(self, source: str, language: str) -> tuple[str, list[Heading | Leaf]] | None:
        """Return the text of a block of HTML and what is in it, None where it is to stay."""
        tags = _tags(source, code=False)
        if all(tag.name == VERBATIM for tag in tags) or _is_open(source, tags):
            return None
        self._gather_styles(source, tags)
        styles = "".join(self._styles) if _SELECTED.search(source) else ""
        try:
            page = read_part(
                styles + _known(source, tags), keep_deleted=self._keep_deleted, others=self._notes
            )
        except Refused as refusal:
            return ("", []) if refusal.verdict is Verdict.EMPTY else None
        self.left_out_struck |= page.left_out_struck
        text, blocks = page.composer.composed(language)
        self._notes.update(_NOTE.findall(text))
        return text, blocks

    def hidden(self, sources: Sequence[str]) -> list[tuple[int, int]]:
        """Return the first and last of blocks that hide or strike what stands between them."""
        over = list(_over_blocks(sources))
        each = (
            f"<div>{tag.span.of(sources[first])}{number}</{tag.name}></div>"
            for number, (first, _, tag) in enumerate(over)
        )
        markup = "".join([*self._styles, *each])
        try:
            words, _ = inline_text(markup, " ", keep_deleted=self._keep_deleted)
        except Refused:
            return []
        seen = set(words.split())
        return merged(
            (first, last) for number, (first, last, _) in enumerate(over) if str(number) not in seen
        )

    def tables(self, sources: Sequence[str]) -> list[tuple[int, int]]:
        """Return the first and last of blocks that open and close a table."""
        over = _over_blocks([one if "table" in one.lower() else "" for one in sources])
        return list(merged((first, last) for first, last, tag in over if tag.name == "table"))

    def is_pictures(self, text: str) -> bool:
        """Return whether a paragraph is nothing but pictures of HTML, in links or not."""
        tags = _tags(text) if "<img" in text.lower() else []
        ends = chain([0], (tag.span.end for tag in tags))
        starts = chain((tag.span.start for tag in tags), [len(text)])
        names = {tag.name for tag in tags}
        return "img" in names - {VERBATIM} == names and not any(
            text[end:start].strip() for end, start in zip(ends, starts, strict=True)
        )

    def _gather_styles(self, source: str, tags: list[Tag]) -> None:
        for opened, closed in pairwise(tags):
            if opened.name == closed.name == "style" and closed.closes:
                sheet = source[opened.span.start : closed.span.end]
                if sum(map(len, [*self._styles, sheet])) <= _LONGEST_STYLES:
                    self._styles.append(sheet)


def _tags(text: str, *, code: bool = True) -> list[Tag]:
    """Return HTML's tags and comments, and what stays as it is written although they are in it.

    A block of HTML may have no spans of ``code``, and have columns of a table.
    """
    found = all_tags(text, code=code)
    elements, alone = xml_elements(found)
    opening = next((tag.span for tag in alone if not tag.closes), None)
    if opening is not None and not code and not text[: opening.start].strip():
        return [Tag(Span(0, len(text)), VERBATIM)]
    tags = list(_outside(found, elements, opening))
    valued = {tag.name for tag in tags if tag.has_value}
    names = _NAMES if code else _NAMES - {"col"}
    return [
        tag
        for tag in tags
        if tag.name not in names or tag.has_value or (tag.closes and tag.name in valued)
    ]


def _outside(found: list[Tag], elements: list[Span], opening: Span | None) -> Iterator[Tag]:
    """Yield HTML's tags outside of ``elements``, which it does not have, and those as they are.

    So are programs behind the tag at ``opening`` that nothing closes: they may be in its element.
    """
    at = {element.start: element for element in elements}
    closing: dict[str, list[int]] = defaultdict(list)
    for tag in found:
        if tag.closes and tag.name in PROGRAMS:
            closing[tag.name].append(tag.span.start)
    end = 0
    for tag in found:
        start = tag.span.start
        if start < end:
            continue
        if start in at:
            end = at[start].end
            yield Tag(at[start], VERBATIM)
        elif tag.name in PROGRAMS and not tag.closes:
            place = bisect(closing[tag.name], start)
            close = next(iter(closing[tag.name][place : place + 1]), tag.span.end)
            is_inside = opening is not None and opening.start < start
            end = close if is_inside or tag.name in _RAW else end
            yield Tag(Span(start, close), VERBATIM) if is_inside else tag
        elif tag.is_html:
            yield tag


def _paired(tags: list[Tag]) -> set[Tag]:
    """Return the tags that open what another one closes, and those others."""
    open_: dict[str, list[Tag]] = defaultdict(list)
    pairs: set[Tag] = set()
    for tag in tags:
        if not tag.closes:
            open_[tag.name].append(tag)
        elif open_[tag.name] and tag.name not in defs.empty_tags:
            pairs |= {tag, open_[tag.name].pop()}
    return pairs


def _void(text: str, tag: Tag, line_end: str) -> str:
    """Return what stands for a comment or an element without content."""
    if tag.name == "img" and not tag.closes:
        return " ".join((html.fragment_fromstring(tag.span.of(text)).get("alt") or "").split())
    if tag.name == "input" and not tag.closes:
        return shown_value(html.fragment_fromstring(tag.span.of(text)))
    # To a browser </br> is a break too.
    if tag.name != "br" and (tag.name not in ("hr", "p") or tag.closes):
        return ""
    beside_blank = any(character.isspace() for character in _around(text, tag.span))
    return "" if line_end == " " and beside_blank else line_end


def _markup(text: str, tag: Tag) -> str:
    """Return a tag as libxml2 is to read it."""
    if tag.name == COMMENT:
        return ""
    written = tag.span.of(text)
    start = 1 + tag.closes
    return f"{written[:start]}{_SHOWN.get(tag.name, tag.name)}{written[start + len(tag.name) :]}"


def _around(text: str, span: Span) -> tuple[str, str]:
    return text[max(0, span.start - 1) : span.start], text[span.end : span.end + 1]


def _over_blocks(sources: Sequence[str]) -> Iterator[tuple[int, int, Tag]]:
    """Yield which of ``sources`` opens an element, which other one closes it, and the tag."""
    opened: dict[str, list[tuple[int, Tag]]] = defaultdict(list)
    for number, source in enumerate(sources):
        tags = _tags(source, code=False)
        paired = _paired(tags)
        for tag in tags:
            if tag in paired or tag.name in {*_VOID, *PROGRAMS, VERBATIM}:
                continue
            if not tag.closes:
                opened[tag.name].append((number, tag))
            elif opened[tag.name]:
                first, opening = opened[tag.name].pop()
                yield first, number, opening


def _is_at_edge(text: str, span: Span) -> bool:
    """Return whether a line or a cell begins or ends at ``span``; a paragraph need no end."""
    before = text[max(0, span.start - 8) : span.start].rstrip(" \t")[-1:]
    after = text[span.end : span.end + 8].lstrip(" \t")[:1]
    return before in ("", "\n", "|", "#") or after in ("", "\n", "|")


def _is_open(source: str, tags: list[Tag]) -> bool:
    """Return whether ``source`` has a comment or hidden element that nothing closes."""
    if source.rfind("<!--") > source.rfind(_COMMENT_END):
        return True
    opened = [tag for tag in tags if tag.name in PROGRAMS and not tag.closes]
    return bool(opened) and not _paired(tags).issuperset(opened)


def _known(source: str, tags: list[Tag]) -> str:
    """Return ``source`` with what is no tag of HTML as the text it is."""
    parts: list[str] = []
    end = 0
    for tag in tags:
        is_kept = tag.name == VERBATIM
        own = escape(tag.span.of(source), quote=False) if is_kept else _markup(source, tag)
        parts += (_OPENED.sub(_written, source[end : tag.span.start]), own)
        end = tag.span.end
    return "".join([*parts, _OPENED.sub(_written, source[end:])])


def _written(match: re.Match[str]) -> str:
    """Return what begins with '<' so that it is text, unless browsers take it for markup."""
    text = match[0]
    name = _NAME.match(text)
    is_tag = name is not None and name[1].lower() in ELEMENTS and _VALUE.search(text)
    is_markup = text.endswith(">") and (is_tag or _DECLARATION.match(text))
    return text if is_markup else f"&lt;{text[1:]}"
