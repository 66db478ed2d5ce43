"""Footnotes of Markdown ('[^1]' and '[^1]: words'): numbered, each at the end of its section.

The definitions mostly stand at the end of a file, below a heading they have nothing to do with. A
note that nothing refers to stays where it is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from markdown_it.token import Token

from .plain import Lines

_DEFINITION = re.compile(r" {0,3}\[\^([^\[\]\s^]{1,60})\]:[ \t]*(.*)")
# A code span is looked for so far: beyond, unmatched backticks would be looked at again and again.
_REFERENCE = re.compile(r"(?P<code>(?P<tick>`+)[^`]{1,500}(?P=tick))|\[\^(?P<label>[^\[\]\s^]+)\]")


@dataclass(slots=True)
class _Note:
    words: list[str]
    line: int
    number: int = 0


@dataclass(slots=True)
class _Notes:
    by_label: dict[str, _Note] = field(default_factory=dict)
    # Lines that hold definitions and what goes on with them.
    lines: set[int] = field(default_factory=set)
    _count: int = 0

    def numbered(self, text: str, into: list[_Note]) -> str:
        """Return ``text`` with its marks as numbers; notes met for the first time go ``into``."""

        def mark(match: re.Match[str]) -> str:
            note = self.by_label.get(match["label"] or "")
            if note is None:
                return match[0]
            if not note.number:
                self.number(note)
                into.append(note)
            return f"[^{note.number}]"

        return _REFERENCE.sub(mark, text)

    def number(self, note: _Note) -> None:
        """Give ``note`` the next number."""
        self._count += 1
        note.number = self._count


def with_settled_notes(text: str, tokens: Sequence[Token], skipped: int) -> str:
    """Return ``text`` with its notes as paragraphs '[^1] words' at the ends of their sections.

    ``tokens`` are those of the text behind its first ``skipped`` lines. A text without notes comes
    back as it is.
    """
    lines = Lines(text)
    blocks = [
        (token.type, token.map[0] + skipped, token.map[1] + skipped)
        for token in tokens
        if token.level == 0 and token.map is not None
    ]
    notes = _definitions(lines, blocks)
    if not notes.by_label:
        return text
    changed = {number: lines[number] for number in range(len(lines))}
    ends: dict[int, list[_Note]] = defaultdict(list)
    waiting: list[_Note] = []
    for kind, first, stop in blocks:
        if kind == "heading_open":
            ends[first] = waiting
            waiting = []
        if kind not in ("fence", "code_block", "html_block"):
            kept = [number for number in range(first, stop) if number not in notes.lines]
            said = notes.numbered("\n".join(lines[number] for number in kept), waiting)
            changed |= zip(kept, said.split("\n"), strict=False)
    ends[len(lines)] = waiting
    return _rewritten(len(lines), changed, ends, notes)


def _definitions(lines: Lines, blocks: Sequence[tuple[str, int, int]]) -> _Notes:
    notes = _Notes()
    held: _Note | None = None
    for kind, first, stop in blocks:
        # An indented block behind a note is its next paragraph.
        if kind != "code_block" or lines.head(first, 4).strip():
            held = None if kind != "code_block" else held
        if kind not in ("paragraph_open", "code_block"):
            continue
        for number in range(first, stop):
            found = _DEFINITION.match(lines[number]) if kind == "paragraph_open" else None
            if found and found[1] not in notes.by_label:
                held = notes.by_label[found[1]] = _Note([found[2]], number)
            elif held is not None:
                held.words.append(lines[number])
            if held is not None:
                notes.lines.add(number)
    return notes


def _rewritten(
    count: int, changed: dict[int, str], ends: dict[int, list[_Note]], notes: _Notes
) -> str:
    # Notes may refer to others, which follow them.
    for settled in ends.values():
        for note in settled:
            note.words = [notes.numbered(_folded(note), settled)]
    for note in notes.by_label.values():
        if not note.number:
            notes.number(note)
            ends.setdefault(note.line, []).append(note)
    result: list[str] = []
    for number in range(count + 1):
        for note in ends.get(number, ()):
            if result and result[-1].strip():
                result.append("")
            result += [_paragraph(note), ""]
        if number < count and number not in notes.lines:
            result.append(changed[number])
    return "\n".join(result)


def _paragraph(note: _Note) -> str:
    return f"[^{note.number}] {_folded(note)}".rstrip()


def _folded(note: _Note) -> str:
    return " ".join(" ".join(note.words).split())
