"""HTML in Markdown, read as a page of its own is: visible words, tables and headings, no tags.

In a line of text a tag is one of HTML's elements that is closed in the same block, or an empty one
with an attribute, or a break; other things in angle brackets ('<name>', '<input>', 'List<String>',
a lone '<b>') stay as they are written, and so does code. A comment, or a script, that nothing
closes stays too: the rest of the file stands in it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain, pairwise

from lxml import html
from lxml.html import defs
from markdown_it.common.html_re import close_tag, open_tag

from knowledge.ingest.outline import Heading
from knowledge.ingest.preflight import Limits, Refused, Verdict
from knowledge.ingest.tree import Leaf, Span

from .code_spans import code_spans, is_escaped
from .html import inline_text, read_page
from .html.visibility import DROPPED

_TAG = re.compile(f"{open_tag}|{close_tag}")
_NOTE = re.compile(r"\[\^(\d{1,4})\]")
_TARGET = re.compile(r"\]\((?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)")
# The sign of a quotation, which would end the tag that it stands in.
_QUOTED = re.compile(r"\n[ \t]*>")
_COMMENT_END = "-->"
_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)")
# Up to the next bracket: what may be a tag with a fault in it.
_OPENED = re.compile(r"<[^<>]*>?")
_VALUE = re.compile(r"=\s?[\"']")
_DECLARATION = re.compile(r"<(?:!doctype\b|\?[a-z])", re.IGNORECASE)
_SELECTED = re.compile(r"\b(?:class|id)\s*=", re.IGNORECASE)
# They are read again with each block.
_LONGEST_STYLES = 1_000
_ELEMENTS = defs.tags | {"bdi", "data", "dialog", "main", "picture", "search", "slot", "template"}
_VOID = defs.empty_tags | {"!"}
# Without an attribute these say nothing, so that their names are what an author meant.
_NAMES = defs.empty_tags - {"br", "hr", "wbr"}
# What a page has for its use a file shows, as words or as blocks.
_SHOWN = {"title": "span", "textarea": "span", "select": "span", "option": "div"}
# One that nothing closes would take what stands behind it along.
_HIDING = DROPPED - defs.empty_tags - _SHOWN.keys()


@dataclass(frozen=True, slots=True)
class _Tag:
    """A tag or comment in a text; ``name`` is in small letters, '!' for a comment."""

    span: Span
    name: str
    closes: bool = False
    has_value: bool = False


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
        if not tags:
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
                end += tag.name == "!" and _around(text, tag.span) == (" ", " ")
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
        if not tags or _is_open(source, tags):
            return None
        self._gather_styles(source, tags)
        styles = "".join(self._styles) if _SELECTED.search(source) else ""
        try:
            page = read_page(
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
        return _merged(
            (first, last) for number, (first, last, _) in enumerate(over) if str(number) not in seen
        )

    def is_pictures(self, text: str) -> bool:
        """Return whether a paragraph is nothing but pictures of HTML, in links or not."""
        tags = _tags(text)
        ends = chain([0], (tag.span.end for tag in tags))
        starts = chain((tag.span.start for tag in tags), [len(text)])
        return any(tag.name == "img" for tag in tags) and not any(
            text[end:start].strip() for end, start in zip(ends, starts, strict=True)
        )

    def _gather_styles(self, source: str, tags: list[_Tag]) -> None:
        for opened, closed in pairwise(tags):
            if opened.name == closed.name == "style" and closed.closes:
                sheet = source[opened.span.start : closed.span.end]
                if sum(map(len, [*self._styles, sheet])) <= _LONGEST_STYLES:
                    self._styles.append(sheet)


def _tags(text: str, *, code: bool = True) -> list[_Tag]:
    """Return the tags of HTML's elements and the comments, those in spans of ``code`` left out."""
    if "<" not in text:
        return []
    found = list(_found(text, _literal(text) if code else [], escapes=code))
    elements = {tag.name for tag in found if tag.has_value}
    # A block may have columns of a table.
    names = _NAMES if code else _NAMES - {"col"}
    return [
        tag
        for tag in found
        if tag.name not in names or tag.has_value or (tag.closes and tag.name in elements)
    ]


def _literal(text: str) -> list[Span]:
    """Return the code and the targets of links in lines of Markdown, in the order they begin."""
    targets = (Span(*target.span()) for target in _TARGET.finditer(text))
    return sorted([*code_spans(text), *targets], key=lambda span: span.start)


def _found(text: str, spans: list[Span], *, escapes: bool) -> Iterator[_Tag]:
    inside = iter(spans)
    span = next(inside, None)
    last_end = text.rfind(_COMMENT_END)
    start = text.find("<")
    while start >= 0:
        while span is not None and span.end <= start:
            span = next(inside, None)
        stop = start + 1
        if span is not None and span.start <= start:
            stop = span.end
        elif escapes and is_escaped(text, start):
            pass
        elif text.startswith("<!--", start) and start < last_end:
            stop = text.index(_COMMENT_END, start) + len(_COMMENT_END)
            yield _Tag(Span(start, stop), "!")
        elif (found := _TAG.match(text, start)) and not (escapes and _QUOTED.search(found[0])):
            name = _NAME.match(found[0])
            if name and name[1].lower() in _ELEMENTS:
                stop = found.end()
                closes = found[0].startswith("</")
                yield _Tag(Span(start, stop), name[1].lower(), closes, "=" in found[0])
        start = text.find("<", stop)


def _paired(tags: list[_Tag]) -> set[_Tag]:
    """Return the tags that open what another one closes, and those others."""
    open_: dict[str, list[_Tag]] = defaultdict(list)
    pairs: set[_Tag] = set()
    for tag in tags:
        if not tag.closes:
            open_[tag.name].append(tag)
        elif open_[tag.name] and tag.name not in defs.empty_tags:
            pairs |= {tag, open_[tag.name].pop()}
    return pairs


def _void(text: str, tag: _Tag, line_end: str) -> str:
    """Return what stands for a comment or an element without content."""
    if tag.name == "img" and not tag.closes:
        return " ".join((html.fragment_fromstring(tag.span.of(text)).get("alt") or "").split())
    # To a browser </br> is a break too.
    if tag.name != "br" and (tag.name not in ("hr", "p") or tag.closes):
        return ""
    beside_blank = any(character.isspace() for character in _around(text, tag.span))
    return "" if line_end == " " and beside_blank else line_end


def _markup(text: str, tag: _Tag) -> str:
    """Return a tag as libxml2 is to read it."""
    written = tag.span.of(text)
    start = 1 + tag.closes
    return f"{written[:start]}{_SHOWN.get(tag.name, tag.name)}{written[start + len(tag.name) :]}"


def _around(text: str, span: Span) -> tuple[str, str]:
    return text[max(0, span.start - 1) : span.start], text[span.end : span.end + 1]


def _over_blocks(sources: Sequence[str]) -> Iterator[tuple[int, int, _Tag]]:
    """Yield which of ``sources`` opens an element, which other one closes it, and the tag."""
    opened: dict[str, list[tuple[int, _Tag]]] = defaultdict(list)
    for number, source in enumerate(sources):
        tags = _tags(source, code=False)
        paired = _paired(tags)
        for tag in tags:
            if tag in paired or tag.name in _VOID or tag.name in DROPPED:
                continue
            if not tag.closes:
                opened[tag.name].append((number, tag))
            elif opened[tag.name]:
                first, opening = opened[tag.name].pop()
                yield first, number, opening


def _merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ``ranges`` in order, those that have a place in common as one."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged


def _is_at_edge(text: str, span: Span) -> bool:
    """Return whether a line or a cell begins or ends at ``span``; a paragraph need no end."""
    before = text[max(0, span.start - 8) : span.start].rstrip(" \t")[-1:]
    after = text[span.end : span.end + 8].lstrip(" \t")[:1]
    return before in ("", "\n", "|", "#") or after in ("", "\n", "|")


def _is_open(source: str, tags: list[_Tag]) -> bool:
    """Return whether ``source`` has a comment or hidden element that nothing closes."""
    if source.rfind("<!--") > source.rfind(_COMMENT_END):
        return True
    opened = [tag for tag in tags if tag.name in _HIDING and not tag.closes]
    return bool(opened) and not _paired(tags).issuperset(opened)


def _known(source: str, tags: list[_Tag]) -> str:
    """Return ``source`` with what is no tag of HTML as the text it is."""
    parts: list[str] = []
    end = 0
    for tag in tags:
        parts += (_OPENED.sub(_written, source[end : tag.span.start]), _markup(source, tag))
        end = tag.span.end
    return "".join([*parts, _OPENED.sub(_written, source[end:])])


def _written(match: re.Match[str]) -> str:
    """Return what begins with '<' so that it is text, unless browsers take it for markup."""
    text = match[0]
    name = _NAME.match(text)
    is_tag = name is not None and name[1].lower() in _ELEMENTS and _VALUE.search(text)
    is_markup = text.endswith(">") and (is_tag or _DECLARATION.match(text))
    return text if is_markup else f"&lt;{text[1:]}"
