"""Markdown (CommonMark with tables and front matter) through the block rules of markdown-it-py.

Only blocks at the top level make nodes: a heading inside a quotation or a list is no section of
the document. Inline rules run on headings and table cells alone, since they are quadratic on some
inputs ("[[[[") and nothing else needs them. Nothing is fetched and no markup is executed.
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
from knowledge.ingest.preflight import Limits, check_lines
from knowledge.ingest.tables import searchable_rows
from knowledge.ingest.tree import Leaf, NodeKind, ParsedDocument, Row, Span

from .frontmatter import fenced_lines, front_matter_lines, front_matter_title
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
    reader = _Reader(decoded.text)
    return document(
        decoded,
        list(reader.blocks()),
        filename=filename,
        title=reader.title,
        language=reader.language,
        parser=NAME,
        version=f"1 markdown-it-py {__version__}",
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
    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = Lines(text)
        self._skipped = front_matter_lines(text)
        # Prose over a fence that was meant to close front matter is no heading.
        self._fenced = fenced_lines(text)
        head = self._lines.span(0, self._skipped) if self._skipped else Span(0, 0)
        self.title = front_matter_title(head.of(text))
        self.language = detect_language(text[head.end :])

    def blocks(self) -> Iterator[Heading | Leaf]:
        """Yield the headings and leaves of the text in order."""
        body = self._lines.span(self._skipped, len(self._lines)).of(self._text)
        tokens = _block_rules().parse(body)
        start = 0
        while start < len(tokens):
            stop = _end_of_block(tokens, start)
            yield from self._block(tokens[start:stop])
            start = stop

    def _block(self, tokens: list[Token]) -> Iterator[Heading | Leaf]:
        first = tokens[0]
        if first.map is None or first.type == "hr":
            return
        span = self._lines.trimmed(self._skipped + first.map[0], self._skipped + first.map[1])
        if not len(span):
            return
        if first.type == "heading_open" and self._skipped + first.map[1] == self._fenced:
            yield prose_leaf(NodeKind.PARAGRAPH, self._text, span, self.language)
        elif first.type == "heading_open":
            yield from self._heading(int(first.tag[1:]), tokens[1].content, span)
        elif first.type in ("fence", "code_block"):
            yield Leaf(NodeKind.CODE, span, _code_lines(self._text, span))
        elif first.type == "table_open":
            yield self._table(tokens, span)
        elif first.type in ("bullet_list_open", "ordered_list_open"):
            yield list_leaf(self._text, span, self.language)
        elif self._is_figure(first, span):
            yield Leaf(NodeKind.FIGURE, span, (span,))
        elif first.type == "paragraph_open" and MARK.match(self._text, span.start):
            yield note_leaf(self._text, span, self.language)
        else:
            yield prose_leaf(NodeKind.PARAGRAPH, self._text, span, self.language)

    def _heading(self, level: int, content: str, span: Span) -> Iterator[Heading | Leaf]:
        fits = len(content) <= _LONGEST_TITLE
        title = self._plain(_ATTRIBUTES.sub("", content)) if fits else ""
        if title:
            yield Heading(title, level, span)
        elif content.strip():
            # Too long for a title, or nothing but tags and anchors.
            yield prose_leaf(NodeKind.PARAGRAPH, self._text, span, self.language)

    def _table(self, tokens: list[Token], span: Span) -> Leaf:
        places: list[int] = []
        rows: list[list[str]] = []
        for token in tokens:
            if token.type == "inline":
                rows[-1].append(self._plain(token.content) or token.content.strip())
            elif token.type == "tr_open":
                rows.append([])
                places.append(self._skipped + (token.map[0] if token.map else 0))
        header, *body = rows
        spans = [self._lines.trimmed(place, place + 1) for place in places[1:]]
        lines = zip(spans, searchable_rows(header, body), strict=True)
        # A row of empty cells alone is found by its bars.
        found = tuple(Row(where, text or where.of(self._text)) for where, text in lines)
        return Leaf(NodeKind.TABLE, span, rows=found)

    def _is_figure(self, first: Token, span: Span) -> bool:
        if len(span) > _LONGEST_INLINE:
            return False
        content = span.of(self._text)
        if first.type == "html_block":
            return "<img" in content.lower() and not _TAG.sub("", content).strip()
        return first.type == "paragraph_open" and bool(_ONLY_IMAGES.match(content))

    def _plain(self, content: str) -> str:
        """Return inline Markdown as the words a reader sees, on one line; '' if there are none."""
        if len(content) > _LONGEST_INLINE or not re.search(r"[\\`*_\[<&!\n]", content):
            return " ".join(content.split())
        words = "".join(_visible(_inline_rules().parseInline(content)))
        return " ".join(words.split())


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
        elif token.type in ("text", "code_inline", "text_special"):
            yield token.content
