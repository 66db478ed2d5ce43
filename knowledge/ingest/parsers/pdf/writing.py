"""Blocks written out as the canonical text of the document, with headings and leaves over it."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge.ingest.note_marks import without_marks
from knowledge.ingest.outline import Heading
from knowledge.ingest.parsers.plain import list_leaf, note_leaf, prose_leaf
from knowledge.ingest.tables import grid_of, markdown_table
from knowledge.ingest.tree import Leaf, NodeKind, Row, Span

from .joining import Joiner
from .lines import Box, Cells, Line, Picture, rounded, union
from .merged_cells import cell_rows
from .paragraphs import Block

_TITLE_LENGTH = 300


class Writer:
    """Collects text and blocks; ``text()`` and ``blocks`` are the result."""

    def __init__(self, joiner: Joiner, language: str) -> None:
        self._joiner = joiner
        self._language = language
        self._parts: list[str] = []
        self._length = 0
        self.blocks: list[Heading | Leaf] = []

    def text(self) -> str:
        """Return the canonical text so far."""
        return "".join(self._parts)

    def write(self, blocks: Sequence[Block]) -> None:
        """Append ``blocks``; items that follow each other become one list."""
        start = 0
        while start < len(blocks):
            block = blocks[start]
            stop = start + 1
            if block.level:
                self._heading(block)
            elif isinstance(block.first.content, Cells):
                self._table(block.first, block.first.content)
            elif isinstance(block.first.content, Picture):
                self._figure(block.first.content)
            else:
                while block.item and stop < len(blocks) and blocks[stop].is_item:
                    stop += 1
                self._prose(blocks[start:stop])
            start = stop

    def page_heading(self, title: str) -> None:
        """Start a section that no line of the text names."""
        position = self._length + (2 if self._length else 0)
        self.blocks.append(Heading(title, 1, Span(position, position), may_name=False))

    def _append(self, text: str) -> Span:
        if self._parts:
            self._parts.append("\n\n")
            self._length += 2
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        return Span(start, self._length)

    def _heading(self, block: Block) -> None:
        text = self._joiner.joined([line.text for line in block.lines])
        span = self._append(text)
        title = block.title or without_marks(text)
        self.blocks.append(Heading(title[:_TITLE_LENGTH].strip(), block.level, span))

    def _prose(self, blocks: Sequence[Block]) -> None:
        text = "\n".join(self._flow(block) for block in blocks)
        span = self._append(text)
        lines = [line for block in blocks for line in block.lines]
        if blocks[0].number:
            inner = note_leaf(text, Span(0, len(text)), self._language)
        elif blocks[0].item:
            inner = list_leaf(text, Span(0, len(text)), self._language)
        else:
            inner = prose_leaf(NodeKind.PARAGRAPH, text, Span(0, len(text)), self._language)
        sentences = tuple(sentence.shifted(span.start) for sentence in inner.sentences)
        page = lines[0].page
        self.blocks.append(Leaf(inner.kind, span, sentences, page=page, boxes=_boxes(lines)))

    def _flow(self, block: Block) -> str:
        """Return the text of a block, its author's own line breaks kept."""
        if block.number:
            words = self._joiner.joined([line.text for line in block.lines])
            return f"[^{block.number}] {words}"
        if not block.hard:
            return self._joiner.joined([line.text for line in block.lines])
        parts = []
        start = 0
        for end in sorted({*block.hard, len(block.lines) - 1}):
            parts.append(self._joiner.joined([x.text for x in block.lines[start : end + 1]]))
            start = end + 1
        return "\n".join(parts)

    def _table(self, line: Line, cells: Cells) -> None:
        grid = grid_of(cell_rows(cells), cells.header_rows)
        if grid is None:
            return
        rendered = markdown_table(grid)
        head = f"{cells.caption}\n\n" if cells.caption else ""
        span = self._append(head + rendered.text)
        offset = span.start + len(head)
        rows = tuple(Row(row.span.shifted(offset), row.text) for row in rendered.rows)
        boxes = tuple((float(page), *rounded(box)) for page, box in cells.parts)
        self.blocks.append(Leaf(NodeKind.TABLE, span, rows=rows, page=line.page, boxes=boxes))

    def _figure(self, picture: Picture) -> None:
        span = self._append(picture.caption)
        sentences = prose_leaf(
            NodeKind.FIGURE, picture.caption, Span(0, len(picture.caption)), self._language
        ).sentences
        self.blocks.append(
            Leaf(
                NodeKind.FIGURE,
                span,
                tuple(sentence.shifted(span.start) for sentence in sentences),
                page=picture.page,
                boxes=((float(picture.page), *rounded(picture.box)),),
            )
        )


def _boxes(lines: Sequence[Line]) -> tuple[tuple[float, ...], ...]:
    """Return one box per page and column that ``lines`` stand in."""
    boxes: list[tuple[float, ...]] = []
    group: list[Box] = []
    for number, line in enumerate(lines):
        before = lines[number - 1] if number else line
        if group and (line.page != before.page or line.y1 < before.y0):
            boxes.append((float(before.page), *rounded(union(group))))
            group = []
        if line.size >= 0:
            group.append(line.box)
    if group:
        boxes.append((float(lines[-1].page), *rounded(union(group))))
    return tuple(boxes)
