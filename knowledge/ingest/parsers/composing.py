"""Blocks of a format that is no plain text, composed into canonical text and a tree over it.

Blocks are parted by a blank line, a table is a Markdown table, an item of a list is a line with
its marker in front; every span indexes the composed text exactly.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import dropwhile

from knowledge.ingest.decoding import Decoded, canonical
from knowledge.ingest.language import detect_language
from knowledge.ingest.outline import Heading, assemble, is_seen
from knowledge.ingest.preflight import Limits, check_length, check_lines
from knowledge.ingest.tables import Grid, markdown_table
from knowledge.ingest.tree import Leaf, NodeKind, ParsedDocument, Row, Span

from .plain import document, line_spans, note_leaf, prose_leaf

# A list, or a run of numbered clauses, is cut at an item beyond this many characters.
_LONGEST_LIST = 4_000
# A longer "heading" is a paragraph that has the wrong style.
_LONGEST_TITLE = 300
# What no reader sees: soft hyphens, zero-width spaces, byte order marks inside text.
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")
# Letters that a font joins; typesetters leave them in the text.
_LIGATURES = str.maketrans(
    {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
)
_SPACE = re.compile("[\u00a0\u2007\u202f]")
STRUCK_OUT = "Struck-out text was left out."
"""The remark on a document that has words with a line through them."""
_NOTE = re.compile(r"\[\^(\d{1,4})\]")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(slots=True)
class _Block:
    kind: NodeKind
    span: Span
    parts: list[Span] = field(default_factory=list)
    rows: tuple[Row, ...] = ()
    note: bool = False


class Composer:
    """Takes blocks in reading order and gives the finished document.

    ``notes`` are the words of footnotes by their numbers: each becomes a paragraph of its own at
    the end of the section in which its mark is met first.
    """

    def __init__(self, notes: Mapping[str, str] | None = None) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._blocks: list[_Block | Heading] = []
        self._open_list: _Block | None = None
        self._notes = dict(notes or {})
        self._waiting: list[str] = []

    def heading(self, text: str, level: int, *, title: str = "", may_name: bool = True) -> None:
        """Add a heading; ``title`` when its lines say more than it ("9", "Error Handling")."""
        words = " ".join((title or text).split())
        if not is_seen(words):
            return
        if len(words) > _LONGEST_TITLE:
            self.paragraph(text)
            return
        self._settle_notes()
        span = self._add(text)
        self._blocks.append(Heading(" ".join(clean(words).split()), level, span, may_name))

    def paragraph(self, text: str) -> None:
        """Add paragraphs: one for each part of ``text`` between blank lines."""
        for part in re.split(r"\n[ \t]*\n", clean(text)):
            if part.strip():
                self._leaf(NodeKind.PARAGRAPH, part)

    def note(self, mark: str, text: str) -> None:
        """Add a footnote; ``mark`` is what stands in the text in square brackets."""
        words = " ".join(clean(text).split())
        span = self._add(f"[{mark}] {words}")
        self._blocks.append(_Block(NodeKind.PARAGRAPH, span, [span], note=True))

    def item(self, text: str, *, marker: str = "-", depth: int = 0) -> None:
        """Add an item to the list the last block is, or to a new one.

        ``marker`` is '' for one more paragraph of the item before.
        """
        body = " ".join(filter(None, map(str.strip, clean(text).split("\n"))))
        line = f"{'  ' * min(depth, 8)}{f'{marker} ' if marker else '  '}{body}"
        if not line.strip() or not body:
            return
        held = self._open_list
        if held is None or held.span.end - held.span.start > _LONGEST_LIST:
            # The first line of a leaf is not indented: spans begin and end with ink.
            span = self._add(line.strip())
            self._open_list = _Block(NodeKind.LIST, span, [span])
            self._blocks.append(self._open_list)
            return
        start = self._length + 1 + len(line) - len(line.lstrip())
        self._put("\n" + line)
        part = Span(start, self._length)
        held.parts.append(part)
        held.span = Span(held.span.start, part.end)

    def end_list(self) -> None:
        """Let the next item begin a list of its own."""
        self._open_list = None

    def figure(self, text: str) -> None:
        """Add a figure by the words that stand for it."""
        self._leaf(NodeKind.FIGURE, re.sub(r"\n[ \t]*\n+", "\n", clean(text)))

    def code(self, text: str) -> None:
        """Add a block of code, its white space kept."""
        lines = clean(text).split("\n")
        self._leaf(NodeKind.CODE, "\n".join(dropwhile(lambda line: not line.strip(), lines)))

    def table(self, grid: Grid | None) -> None:
        """Add a table; None, a table without words, adds nothing."""
        if grid is None:
            return
        # Before their places are counted: what is left out here would move the rows behind it.
        cells = tuple(tuple(clean(cell) for cell in row) for row in grid.cells)
        rendered = markdown_table(replace(grid, cells=cells))
        span = self._add(rendered.text)
        rows = tuple(Row(row.span.shifted(span.start), row.text) for row in rendered.rows)
        self._blocks.append(_Block(NodeKind.TABLE, span, rows=rows))

    def finish(
        self,
        *,
        filename: str,
        title: str,
        limits: Limits,
        parser: str,
        version: str,
        warnings: tuple[str, ...] = (),
        remarks: tuple[str, ...] = (),
    ) -> ParsedDocument:
        """Return the document; ``title`` names it where no single top heading does.

        Raises `Refused` for a document without words or with too many of them.
        """
        text = self._ended()
        check_length(text, limits)
        check_lines(text, limits)
        language = detect_language(text)
        blocks = [_finished(text, block, language) for block in self._blocks]
        named = assemble(text, blocks).title
        return document(
            Decoded(text, "utf-8", warnings),
            blocks,
            filename=filename,
            title="" if named else " ".join(clean(title).split()),
            language=language,
            parser=parser,
            version=version,
            remarks=remarks,
        )

    def composed(self, language: str) -> tuple[str, list[Heading | Leaf]]:
        """Return the text and what it is made of, as a part of a document in ``language``."""
        text = self._ended()
        return text, [_finished(text, block, language) for block in self._blocks]

    def _ended(self) -> str:
        # Those whose marks nobody sees, or stand in other notes, are not lost.
        self._waiting += sorted(self._notes.keys() - set(self._waiting), key=int)
        self._settle_notes()
        return "".join(self._pieces)

    def _leaf(self, kind: NodeKind, text: str) -> None:
        if text.strip():
            span = self._add(text)
            self._blocks.append(_Block(kind, span, [span]))

    def _add(self, text: str) -> Span:
        self._open_list = None
        body = clean(text)
        body = body.rstrip() if body[:1].strip() else body.strip("\n").rstrip()
        if self._length:
            self._put("\n\n")
        inked = len(body) - len(body.lstrip())
        start = self._length
        self._put(body)
        return Span(start + inked, self._length)

    def _settle_notes(self) -> None:
        # Notes may refer to others, which then wait behind them.
        while self._waiting:
            number = self._waiting.pop(0)
            self.note(f"^{number}", self._notes.pop(number))

    def _put(self, text: str) -> None:
        if self._notes and "[^" in text:
            for number in _NOTE.findall(text):
                if number in self._notes and number not in self._waiting:
                    self._waiting.append(number)
        self._pieces.append(text)
        self._length += len(text)


def clean(text: str) -> str:
    """Return ``text`` without what no reader sees, blanks as plain ones, ligatures as letters."""
    seen = _INVISIBLE.sub("", text).translate(_LIGATURES)
    return canonical(_SURROGATE.sub("\ufffd", _SPACE.sub(" ", seen)))


def _finished(text: str, block: _Block | Heading, language: str) -> Heading | Leaf:
    if isinstance(block, Heading):
        return block
    if block.kind is NodeKind.TABLE:
        return Leaf(block.kind, block.span, rows=block.rows)
    if block.kind is NodeKind.CODE:
        return Leaf(block.kind, block.span, line_spans(text, block.span))
    if block.note:
        return note_leaf(text, block.span, language)
    sentences: list[Span] = []
    for part in block.parts:
        sentences += prose_leaf(block.kind, text, part, language).sentences
    return Leaf(block.kind, block.span, tuple(sentences))
