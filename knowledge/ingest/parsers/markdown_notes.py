"""Footnotes of Markdown ('[^1]' and '[^1]: words'): numbered, each at the end of its section.

The definitions mostly stand at the end of a file, below a heading they have nothing to do with.

- Marks are read in paragraphs, headings and tables alone; code and HTML stay as they are.
- A label that is defined several times, as in chapters put together, means the definition of its
  section, the next one below the mark before the last one above it; where its section has none, the
  next one below, else the last one above.
- A note in a quotation belongs to the marks in it, and to others only where they have none.
- A note that an item of a list begins with stays there if the item goes on behind it.
- A label without a definition stays as it is written, and no note gets the number it shows.
- A note that nothing refers to stays where it is.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from .code_spans import code_spans
from .plain import Lines

_DEFINITION = re.compile(r" {0,3}\[\^([^\[\]\s^]{1,60})\]:[ \t]*(.*)")
_MARK = re.compile(r"(?<!\\)\[\^([^\[\]\s^]{1,60})\]")
_SHOWN_NUMBER = re.compile(r"(\\?)\[\^(\d{1,4})\]")
_BARE_QUOTE = re.compile(r"[ \t]*>[ \t>]*\Z")
_CODE = re.compile(r"`{3}|~{3}| {4}|\t", re.MULTILINE)
_WITH_MARKS = ("paragraph_open", "heading_open", "tr_open")


@dataclass(slots=True)
class _Note:
    line: int
    words: list[str]
    # The words of a note are put on one line; its blocks of code follow as they are.
    code: list[str] = field(default_factory=list)
    number: int = 0


def ends_at_note(state: StateBlock, line: int, _end: int, silent: bool) -> bool:
    """Return whether the definition of a note in ``line`` ends the block above it.

    A block rule of markdown-it that makes no tokens: so a note right below a table, list or
    quotation is a paragraph, not a row of it or the words of its last item.
    """
    return (
        silent and _DEFINITION.match(state.src, state.bMarks[line], state.eMarks[line]) is not None
    )


def with_settled_notes(text: str, tokens: Sequence[Token], skipped: int, end: int) -> str:
    """Return ``text`` with its notes as paragraphs '[^1] words' at the ends of their sections.

    ``tokens`` are those of the text behind its first ``skipped`` lines. The notes of the last
    section go in front of line ``end``. A text without notes comes back as it is.
    """
    file = _File(text, tokens, skipped)
    return file.settled(end) if file.notes else text


class _File:
    """The notes of one file by label, in order, and what becomes of its lines."""

    def __init__(self, text: str, tokens: Sequence[Token], skipped: int) -> None:
        self._lines = Lines(text)
        # The first line of each block, and the line behind its last one.
        self._blocks = [
            (token, token.map[0] + skipped, token.map[1] + skipped) for token in tokens if token.map
        ]
        self._sections = [first for token, first, _ in self._blocks if _is_section(token)]
        self._quotations = _outermost(self._spans("blockquote_open"))
        self._items = dict(reversed(self._spans("list_item_open")))
        self._taken_out: set[int] = set()
        self.notes: dict[str, list[_Note]] = defaultdict(list)
        # Also by the line that the quotation around them begins in, -1 outside of any.
        self._own: dict[tuple[str, int], list[_Note]] = defaultdict(list)
        self._find_notes()
        self._shown = set(self._numbers_that_stay(text))
        self._count = 0

    def settled(self, end: int) -> str:
        """Return the text of the file with its notes in their places."""
        changed: dict[int, str] = {}
        ends: dict[int, list[_Note]] = {}
        waiting: list[_Note] = []
        for token, first, stop in self._blocks:
            if _is_section(token):
                self._settle(waiting)
                ends[first], waiting = waiting, []
            if token.type in _WITH_MARKS:
                kept = [line for line in range(first, stop) if line not in self._taken_out]
                said = self._numbered("\n".join(self._lines[line] for line in kept), first, waiting)
                changed |= zip(kept, said.split("\n"), strict=False)
        self._settle(waiting)
        ends[end] = waiting
        for note in sorted(chain.from_iterable(self.notes.values()), key=lambda note: note.line):
            if not note.number:
                alone = [self._with_number(note)]
                self._settle(alone)
                ends.setdefault(note.line, []).extend(alone)
        return self._written(changed, ends)

    def _spans(self, kind: str) -> list[tuple[int, int]]:
        return [(first, stop) for token, first, stop in self._blocks if token.type == kind]

    def _find_notes(self) -> None:
        held: _Note | None = None
        level = 0
        for place, (token, first, stop) in enumerate(self._blocks):
            if token.type == "code_block" and held and token.level == level:
                # An indented block behind a note is its next paragraph.
                held_lines = token.content.rstrip("\n").split("\n")
                is_code = _CODE.search("\n".join(held_lines))
                (held.code if is_code else held.words).extend(held_lines)
                self._take_out(first, stop)
            elif token.type == "paragraph_open":
                held, level = self._notes_in(place), token.level
            elif token.type != "inline":
                held = None

    def _notes_in(self, place: int) -> _Note | None:
        """Take the notes out of a paragraph; return its last one."""
        _, first, stop = self._blocks[place]
        if self._begins_item(place):
            return None
        held: _Note | None = None
        for number, line in enumerate(self._blocks[place + 1][0].content.split("\n"), first):
            found = _DEFINITION.match(line)
            if found:
                if held is None:
                    self._take_out(number, stop)
                held = _Note(number, [found[2]])
                self.notes[found[1]].append(held)
                self._own[found[1], self._quotation(number)].append(held)
            elif held:
                held.words.append(line)
        return held

    def _begins_item(self, place: int) -> bool:
        """Return whether a note stands behind the marker of an item that has more than it."""
        token, first, _ = self._blocks[place]
        stop = self._items.get(first, first)
        behind = self._blocks[place + 2 : place + 4]
        if behind and behind[0][0].type == "code_block" and behind[0][0].level == token.level:
            del behind[0]
        goes_on = bool(behind) and behind[0][1] < stop
        return goes_on and _DEFINITION.match(self._blocks[place + 1][0].content) is not None

    def _take_out(self, first: int, stop: int) -> None:
        """Take lines out, and the empty ones of a quotation that parted them from others."""
        self._taken_out.update(range(first, stop))
        around = self._quotation(first)
        if around < 0:
            return
        above = first - 1
        while above >= around and _BARE_QUOTE.match(self._lines[above]):
            self._taken_out.add(above)
            above -= 1
        while above < around and stop < len(self._lines) and _BARE_QUOTE.match(self._lines[stop]):
            self._taken_out.add(stop)
            stop += 1

    def _quotation(self, line: int) -> int:
        """Return the first line of the quotation around ``line``, -1 outside of any."""
        place = bisect(self._quotations, (line, len(self._lines) + 1)) - 1
        first, stop = self._quotations[place] if place >= 0 else (-1, -1)
        return first if line < stop else -1

    def _numbers_that_stay(self, text: str) -> Iterator[int]:
        for escaped, label in _SHOWN_NUMBER.findall(text):
            if escaped or label not in self.notes:
                yield int(label)
        for token, _, _ in self._blocks:
            if token.type == "html_block":
                yield from (int(label) for _, label in _SHOWN_NUMBER.findall(token.content))

    def _meant(self, label: str, line: int) -> _Note | None:
        """Return the note that a mark in ``line`` refers to."""
        notes = self._own.get((label, self._quotation(line))) or self._own.get((label, -1))
        notes = notes or self.notes.get(label)
        if not notes:
            return None
        below = bisect(notes, line, key=lambda note: note.line)
        if below == len(notes):
            return notes[-1]
        if below == 0:
            return notes[0]
        section = bisect(self._sections, line)
        is_next_elsewhere = bisect(self._sections, notes[below].line) != section
        is_last_here = bisect(self._sections, notes[below - 1].line) == section
        return notes[below - 1 if is_next_elsewhere and is_last_here else below]

    def _numbered(self, text: str, line: int, into: list[_Note]) -> str:
        """Return ``text`` with its marks as numbers; notes met for the first time go ``into``."""

        def mark(match: re.Match[str]) -> str:
            note = self._meant(match[1], line)
            if note is None:
                return match[0]
            if not note.number:
                into.append(self._with_number(note))
            return f"[^{note.number}]"

        if "[^" not in text:
            return text
        parts: list[str] = []
        end = 0
        for code in code_spans(text):
            parts += _MARK.sub(mark, text[end : code.start]), code.of(text)
            end = code.end
        return "".join([*parts, _MARK.sub(mark, text[end:])])

    def _with_number(self, note: _Note) -> _Note:
        self._count += 1
        while self._count in self._shown:
            self._count += 1
        note.number = self._count
        return note

    def _settle(self, waiting: list[_Note]) -> None:
        """Number the marks inside of notes; the notes they mean for the first time follow."""
        for note in waiting:
            words = " ".join(line.strip() for line in note.words if line.strip())
            note.words = [self._numbered(words, note.line, waiting)]

    def _written(self, changed: dict[int, str], ends: dict[int, list[_Note]]) -> str:
        result: list[str] = []
        for number in range(len(self._lines) + 1):
            for note in ends.get(number, ()):
                if result and result[-1].strip():
                    result.append("")
                result += [f"[^{note.number}] {note.words[0]}".rstrip(), ""]
                result += [*note.code, ""] if note.code else []
            if number < len(self._lines) and number not in self._taken_out:
                result.append(changed.get(number, self._lines[number]))
        return "\n".join(result)


def _is_section(token: Token) -> bool:
    return token.type == "heading_open" and token.level == 0


def _outermost(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    result: list[tuple[int, int]] = []
    for first, stop in spans:
        if not result or first >= result[-1][1]:
            result.append((first, stop))
    return result
