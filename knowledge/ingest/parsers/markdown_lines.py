"""The lines of a Markdown file with its HTML read, and where each line of the file went."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from knowledge.ingest.outline import Heading
from knowledge.ingest.tree import Leaf

from .markdown_html import Markup
from .markdown_xml import xml_lines
from .plain import Lines

_WITH_TAGS = ("paragraph_open", "heading_open", "tr_open")
_MARKER = re.compile(r"[^>\s]")
# What a table has that lays a page out.
_SECTIONS = ("heading_open", "table_open")
# Inline rules are quadratic on some inputs.
_LONGEST_INLINE = 1_000


@dataclass(frozen=True, slots=True)
class ReadLines:
    """``text`` after its HTML was read; ``places`` are the new numbers of its old lines.

    ``blocks`` are what blocks of HTML hold by their first old line, their spans counted from the
    beginning of the text that stands for them. ``kept`` are the old lines whose tags are none.
    """

    text: str
    places: list[int]
    blocks: dict[int, list[Heading | Leaf]]
    kept: frozenset[int] = frozenset()


def with_html_read(
    text: str, tokens: Sequence[Token], skipped: int, markup: Markup, language: str
) -> ReadLines:
    """Return ``text`` with words in place of its HTML.

    ``tokens`` are those of the text behind its first ``skipped`` lines.
    """
    lines = Lines(text)
    if "<" not in text:
        return ReadLines(text, list(range(len(lines) + 1)), {})
    kept = xml_lines(tokens)
    file = _File(lines, skipped, markup, language)
    run: list[Token] = []
    for number, token in enumerate(tokens):
        is_kept = token.map is not None and token.map[0] in kept
        if token.type == "html_block" and token.level == 0 and not is_kept:
            run.append(token)
            continue
        file.read_blocks(run)
        run = []
        if token.map is None or is_kept:
            continue
        if token.type == "html_block":
            file.read_inner_block(token)
        elif token.type == "paragraph_open" and token.level == 0:
            file.read_paragraph(token, tokens[number + 1].content)
        elif token.type in _WITH_TAGS:
            file.read_inline(token)
    file.read_blocks(run)
    file.read_tables()
    file.read_hidden()
    return replace(file.read_lines(), kept=frozenset(line + skipped for line in kept))


@dataclass(slots=True)
class _File:
    lines: Lines
    skipped: int
    markup: Markup
    language: str
    # By first line: the line behind the last one, and the lines that stand for them.
    changes: dict[int, tuple[int, list[str]]] = field(default_factory=dict)
    blocks: dict[int, list[Heading | Leaf]] = field(default_factory=dict)
    # Where blocks of HTML of the top level stand, those together that nothing stands between.
    runs: list[tuple[int, int]] = field(default_factory=list)

    def read_blocks(self, run: Sequence[Token]) -> None:
        """Read blocks of the top level that nothing stands between, as parts of one table may."""
        if not run:
            return
        first, stop = self._range(run[0])[0], self._range(run[-1])[1]
        self.runs.append((first, stop))
        if not self._put_block(first, stop, self._source(first, stop)):
            for token in run if len(run) > 1 else ():
                self._put_block(*self._range(token), token.content)

    def read_hidden(self) -> None:
        """Read what an element hides from one block to another as parts of that element."""
        sources = [self._source(*run) for run in self.runs]
        for opened, closed in self.markup.hidden(sources):
            first, stop = self.runs[opened][0], self.runs[closed][1]
            self._put_block(first, stop, self._source(first, stop))

    def read_tables(self) -> None:
        """Read tables of HTML with Markdown in their cells, which parts them into many blocks."""
        sources = [self._source(*run) for run in self.runs]
        for opened, closed in self.markup.tables(sources):
            first, stop = self.runs[opened][0], self.runs[closed][1]
            rendered = _rendered(self._source(first, stop))
            if rendered is not None:
                self._put_block(first, stop, rendered)

    def read_paragraph(self, token: Token, content: str) -> None:
        """Read a paragraph of the top level; one of pictures alone is a block."""
        first, stop = self._range(token)
        if self.markup.is_pictures(content):
            self._put_block(first, stop, content)
        else:
            self._put_inline(first, stop, "\n")

    def read_inline(self, token: Token) -> None:
        first, stop = self._range(token)
        self._put_inline(first, stop, " ")

    def read_inner_block(self, token: Token) -> None:
        """Put the words of a block in a list or a quotation behind the signs of that."""
        first, stop = self._range(token)
        opening = token.content.split("\n", 1)[0]
        is_behind = self.lines[first].endswith(opening)
        found = self.markup.composed(token.content, self.language) if is_behind else None
        if found is None:
            return
        before = self.lines[first].removesuffix(opening)
        words = found[0].split("\n") if found[0] else []
        inside = _MARKER.sub(" ", before)
        said = [f"{inside if number else before}{line}" for number, line in enumerate(words)]
        self.changes[first] = (stop, said or ([before.rstrip()] if inside != before else []))

    def read_lines(self) -> ReadLines:
        result: list[str] = []
        places: list[int] = []
        number = 0
        while number < len(self.lines):
            stop, said = self.changes.get(number, (number + 1, [self.lines[number]]))
            is_block = number in self.blocks and said
            if is_block and result and result[-1].strip():
                result.append("")
            places.append(len(result))
            result += said
            places += [len(result)] * (stop - number - 1)
            if is_block and stop < len(self.lines) and self.lines[stop].strip():
                result.append("")
            number = stop
        return ReadLines("\n".join(result), [*places, len(result)], self.blocks)

    def _range(self, token: Token) -> tuple[int, int]:
        first, stop = token.map or (0, 0)
        return first + self.skipped, stop + self.skipped

    def _source(self, first: int, stop: int) -> str:
        return self.lines.span(first, stop).of(self.lines.text)

    def _put_block(self, first: int, stop: int, source: str) -> bool:
        found = self.markup.composed(source, self.language)
        if found is not None:
            text, self.blocks[first] = found
            self.changes[first] = (stop, text.split("\n") if text else [])
        return found is not None

    def _put_inline(self, first: int, stop: int, line_end: str) -> None:
        source = "\n".join(self.lines[number] for number in range(first, stop))
        said = self.markup.without_tags(source, line_end)
        if said != source:
            self.changes[first] = (stop, said.split("\n") if said else [])


@cache
def _rules(*disabled: str) -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table").disable(disabled)


def _rendered(source: str) -> str | None:
    """Return Markdown as HTML, None where it has sections or very long paragraphs."""
    tokens = _rules("reference", "inline").parse(source)
    if any(token.type in _SECTIONS for token in tokens):
        return None
    if any(token.type == "inline" and len(token.content) > _LONGEST_INLINE for token in tokens):
        return None
    return str(_rules("reference").render(source))


def moved(blocks: Sequence[Heading | Leaf], offset: int) -> Iterator[Heading | Leaf]:
    """Yield blocks with their spans ``offset`` characters further on."""
    for block in blocks:
        span = block.span.shifted(offset)
        if isinstance(block, Heading):
            yield replace(block, span=span)
            continue
        yield replace(
            block,
            span=span,
            sentences=tuple(one.shifted(offset) for one in block.sentences),
            rows=tuple(replace(row, span=row.span.shifted(offset)) for row in block.rows),
        )
