"""Footnotes of Markdown ('[^1]' and '[^1]: words'): numbered, each at the end of its section.

The definitions mostly stand at the end of a file, below a heading they have nothing to do with.

- Marks are read in paragraphs, headings and tables alone; code and HTML stay as they are.
- A label that is defined several times, as in chapters put together, means the definition of its
  section, the next one below the mark before the last one above it; where its section has none, the
  next one below, else the last one above.
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
_INDENT = re.compile(r" {1,4}|\t")
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
        self._taken_out: set[int] = set()
        self.notes: dict[str, list[_Note]] = defaultdict(list)
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

    def _find_notes(self) -> None:
        held: _Note | None = None
        for token, first, stop in self._blocks:
            if token.level:
                continue
            if token.type == "code_block" and held:
                # An indented block behind a note is its next paragraph.
                held_lines = [_INDENT.sub("", self._lines[n], count=1) for n in range(first, stop)]
                is_code = _CODE.search("\n".join(held_lines))
                (held.code if is_code else held.words).extend(held_lines)
                self._taken_out.update(range(first, stop))
                continue
            held = None
            for number in range(first, stop) if token.type == "paragraph_open" else ():
                found = _DEFINITION.match(self._lines[number])
                if found:
                    held = _Note(number, [found[2]])
                    self.notes[found[1]].append(held)
                elif held:
                    held.words.append(self._lines[number])
                if held:
                    self._taken_out.add(number)

    def _numbers_that_stay(self, text: str) -> Iterator[int]:
        for escaped, label in _SHOWN_NUMBER.findall(text):
            if escaped or label not in self.notes:
                yield int(label)
        for token, _, _ in self._blocks:
            if token.type == "html_block":
                yield from (int(label) for _, label in _SHOWN_NUMBER.findall(token.content))

    def _meant(self, label: str, line: int) -> _Note | None:
        """Return the note that a mark in ``line`` refers to."""
        notes = self.notes.get(label)
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
