"""Markdown (CommonMark with tables and front matter) through the block rules of markdown-it-py.

Only blocks at the top level make nodes: a heading inside a quotation or a list is no section of
the document. Inline rules run on headings and table cells alone, since they are quadratic on some
inputs ("[[[[") and nothing else needs them. HTML is read by the parser of web pages. Nothing is
fetched and no markup is executed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from markdown_it import MarkdownIt, __version__
from markdown_it.ruler import RuleOptionsType
from markdown_it.token import Token

from knowledge.ingest.decoding import decode
from knowledge.ingest.language import detect_language
from knowledge.ingest.note_marks import MARK
from knowledge.ingest.outline import Heading
from knowledge.ingest.preflight import Limits, check_length, check_lines
from knowledge.ingest.tables import searchable_rows
from knowledge.ingest.tree import Leaf, NodeKind, ParsedDocument, Row, Span

from .composing import STRUCK_OUT
from .frontmatter import fenced_lines, front_matter_lines, front_matter_title
from .markdown_html import Markup
from .markdown_lines import moved, with_html_read
from .markdown_notes import ends_at_note, with_settled_notes
from .plain import Lines, document, line_spans, list_leaf, note_leaf, prose_leaf

NAME = "markdown"

# A longer "heading" is a paragraph that a rule happens to follow.
_LONGEST_TITLE = 300
_LONGEST_INLINE = 2_000
_ATTRIBUTES = re.compile(r"\s*\{\s*[#.:][^{}]*\}\s*\Z")
_TAG = re.compile(r"<[^<>]*>")
_IMAGE = r"!\[[^\[\]]*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)?(?:\s+[^()]*)?\)"
_ONLY_IMAGES = re.compile(
    rf"(?:\s*(?:{_IMAGE}|\[\s*{_IMAGE}\s*\]\([^()\s]*\)|!\[[^\[\]]*\]\[[^\[\]]*\]))+\s*\Z"
)
_FENCE = re.compile(r"(?:`{3,}|~{3,})[^`]*\Z")


def parse(data: bytes, filename: str, limits: Limits) -> ParsedDocument:
    """Return the tree of a Markdown file. Raises `preflight.Refused`."""
    decoded = decode(data, limits)
    check_lines(decoded.text, limits)
    if "[^" in decoded.text:
        decoded = replace(decoded, text=_with_settled_notes(decoded.text))
    reader = _Reader(decoded.text, limits)
    check_length(reader.text, limits)
    check_lines(reader.text, limits)
    return document(
        replace(decoded, text=reader.text),
        list(reader.blocks()),
        filename=filename,
        title=reader.title,
        language=reader.language,
        parser=NAME,
        version=f"3 markdown-it-py {__version__}",
        remarks=(STRUCK_OUT,) if reader.left_out_struck else (),
    )


def _with_settled_notes(text: str) -> str:
    skipped = front_matter_lines(text)
    lines = Lines(text)
    tokens = _block_rules().parse(lines.span(skipped, len(lines)).of(text))
    last = next((token for token in reversed(tokens) if token.map and not token.level), None)
    end = len(lines)
    if last is not None and last.map and last.type in ("fence", "html_block"):
        first = skipped + last.map[0]
        # What stands behind a fence or comment that nothing closes would be a line of it.
        is_open = len(_block_rules().parse(f"{lines.span(first, end).of(text)}\n\nx")) == 1
        end = first if is_open else end
    return with_settled_notes(text, tokens, skipped, end)


@cache
def _block_rules() -> MarkdownIt:
    # Without "reference" the definitions of links stay paragraphs, and their words in the tree.
    rules = MarkdownIt("commonmark").enable("table").disable(["reference", "inline"])
    interrupted: RuleOptionsType = {"alt": ["paragraph", "blockquote", "list"]}
    rules.block.ruler.before("paragraph", "note", ends_at_note, interrupted)
    return rules


@cache
def _inline_rules() -> MarkdownIt:
    return MarkdownIt("commonmark")


class _Reader:
    def __init__(self, source: str, limits: Limits) -> None:
        lines = Lines(source)
        self._skipped = front_matter_lines(source)
        # Prose over a fence that was meant to close front matter is no heading.
        self._fenced = fenced_lines(source)
        head = lines.span(0, self._skipped) if self._skipped else Span(0, 0)
        self.title = front_matter_title(head.of(source))
        self.language = detect_language(_TAG.sub(" ", source[head.end :]))
        self._tokens = _block_rules().parse(lines.span(self._skipped, len(lines)).of(source))
        self._markup = Markup(source, limits)
        self._read = with_html_read(
            source, self._tokens, self._skipped, self._markup, self.language
        )
        self.text = self._read.text
        self._lines = Lines(self.text)
        self.left_out_struck = self._markup.left_out_struck

    def blocks(self) -> Iterator[Heading | Leaf]:
        """Yield the headings and leaves of the text in order."""
        start = 0
        while start < len(self._tokens):
            stop = _end_of_block(self._tokens, start)
            yield from self._block(self._tokens[start:stop])
            start = stop

    def _span(self, first: int, stop: int) -> Span:
        """Return where lines of the file's body, so numbered, stand in the text."""
        places = self._read.places
        return self._lines.trimmed(places[self._skipped + first], places[self._skipped + stop])

    def _start(self, line: int) -> int:
        place = self._read.places[self._skipped + line]
        return self._lines.span(place, place + 1).start

    def _block(self, tokens: list[Token]) -> Iterator[Heading | Leaf]:
        first = tokens[0]
        if first.map is None or first.type == "hr":
            return
        span = self._span(*first.map)
        if not len(span):
            return
        html = self._read.blocks.get(self._skipped + first.map[0])
        if html is not None:
            yield from moved(html, self._start(first.map[0]))
        elif first.type == "heading_open" and self._skipped + first.map[1] == self._fenced:
            yield prose_leaf(NodeKind.PARAGRAPH, self.text, span, self.language)
        elif first.type == "heading_open":
            content = self._without_tags(tokens[1].content, first)
            yield from self._heading(int(first.tag[1:]), content, span)
        elif first.type in ("fence", "code_block"):
            yield Leaf(NodeKind.CODE, span, _code_lines(self.text, span))
        elif first.type == "table_open":
            yield self._table(tokens, span)
        elif first.type in ("bullet_list_open", "ordered_list_open"):
            yield list_leaf(self.text, span, self.language)
        elif self._is_figure(first, span):
            yield Leaf(NodeKind.FIGURE, span, (span,))
        elif first.type == "paragraph_open" and MARK.match(self.text, span.start):
            yield note_leaf(self.text, span, self.language)
        else:
            yield prose_leaf(NodeKind.PARAGRAPH, self.text, span, self.language)

    def _heading(self, level: int, content: str, span: Span) -> Iterator[Heading | Leaf]:
        fits = len(content) <= _LONGEST_TITLE
        title = self._plain(_ATTRIBUTES.sub("", content)) if fits else ""
        if title:
            yield Heading(title, level, span)
        elif content.strip():
            # Too long for a title, or nothing but tags and anchors.
            yield prose_leaf(NodeKind.PARAGRAPH, self.text, span, self.language)

    def _table(self, tokens: list[Token], span: Span) -> Leaf:
        spans: list[Span] = []
        rows: list[list[str]] = []
        for token in tokens:
            if token.type == "inline":
                content = self._without_tags(token.content, tokens[0])
                rows[-1].append(self._plain(content) or content.strip())
            elif token.type == "tr_open":
                rows.append([])
                spans.append(self._span(*token.map) if token.map else span)
        header, *body = rows
        lines = zip(spans[1:], searchable_rows(header, body), strict=True)
        # A row of empty cells alone is found by its bars.
        found = (Row(where, text or where.of(self.text)) for where, text in lines if len(where))
        return Leaf(NodeKind.TABLE, span, rows=tuple(found))

    def _without_tags(self, content: str, block: Token) -> str:
        is_kept = block.map is not None and self._skipped + block.map[0] in self._read.kept
        return content if is_kept else self._markup.without_tags(content)

    def _is_figure(self, first: Token, span: Span) -> bool:
        is_short = first.type == "paragraph_open" and len(span) <= _LONGEST_INLINE
        return is_short and _ONLY_IMAGES.match(span.of(self.text)) is not None

    def _plain(self, content: str) -> str:
        """Return inline Markdown as the words a reader sees, on one line; '' if there are none."""
        if len(content) > _LONGEST_INLINE or not re.search(r"[\\`*_\[<&!\n]", content):
            return " ".join(content.split())
        tokens = _inline_rules().parseInline(content)
        inside = tokens[0].children or []
        if all(token.type == "html_inline" or not token.content.strip() for token in inside):
            return ""
        return " ".join("".join(_visible(tokens)).split())


def _code_lines(text: str, span: Span) -> tuple[Span, ...]:
    """Return the lines of a code block that hold code, fences left out unless there is no other."""
    lines = line_spans(text, span)
    return tuple(line for line in lines if not _FENCE.match(line.of(text))) or lines


def _end_of_block(tokens: list[Token], start: int) -> int:
    """Return the index after the top-level block that starts at ``start``."""
    if tokens[start].nesting != 1:
        return start + 1
    stop = start + 1
    while tokens[stop].level > 0 or tokens[stop].nesting != -1:
        stop += 1
    return stop + 1


def _visible(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.children:
            yield from _visible(token.children)
        elif token.type in ("text", "code_inline", "text_special", "html_inline"):
            yield token.content
