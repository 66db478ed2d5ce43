"""Headings of plain text: marked lines that the lines around them do not speak against."""

from __future__ import annotations

import re
from dataclasses import dataclass

from knowledge.ingest.outline import Heading

from .numbering import APPENDED, ITEM, PARTS, RULE, Mark, is_title, is_upper, mark_of
from .plain import Lines

# Styles that count items of a list just as often as sections.
_LIST_LIKE = ("numbered", "、", "（）")
# 第一章 is a heading wherever it stands: Chinese texts often have no blank lines.
_SELF_STANDING = tuple("编編卷部篇章节節")
# In a text with more capitals than this share of its lines they mark nothing.
_MOST_UPPER_LINES = 0.4
_LONGEST_LINE = 200
_COUNTED = re.compile(r"\s*(\d{1,3})[.)]\s")


@dataclass(frozen=True, slots=True)
class Found:
    """A heading and the line after its last one."""

    heading: Heading
    stop: int


class HeadingFinder:
    """Looks at the lines of one text from top to bottom; remembers styles, lists and numbers."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._levels: dict[str, int] = {}
        self._level = 0
        self._after_heading = -1
        # The last number of a list's items and of the top sections.
        self._item = 0
        self._top = 0
        self._upper_counts = not _mostly_upper(lines)

    def at(self, number: int) -> Found | None:
        """Return the heading that starts at line ``number``, None when none does.

        Lines are to be asked in order, those of a found heading left out.
        """
        found = self._underlined(number) if self._free_before(number) else None
        if found is None:
            found = self._marked(number)
        if found:
            self._after_heading = found.stop
            self._item = 0
        return found

    def breaks_at(self, number: int) -> bool:
        """Return whether line ``number`` is a heading in the middle of a block."""
        mark = mark_of(self._line(number))
        return mark is not None and self._needs_no_blank(mark, number)

    def saw_item(self, line: str) -> None:
        """Take note of a line of a list: an item that follows it is no section."""
        match = _COUNTED.match(line)
        if match:
            self._item = int(match[1])

    def _underlined(self, number: int) -> Found | None:
        over = RULE.match(self._line(number))
        first = number + 1 if over else number
        under = RULE.match(self._line(first + 1))
        if not under or (over and over[1] != under[1]):
            return None
        line = self._line(first)
        title = line.strip()
        long_enough = len(under[0].strip()) * 2 >= len(title)
        if RULE.match(line) or not is_title(title) or not long_enough or ITEM.match(line):
            return None
        style = f"under {under[1]}" if not over else f"over {under[1]}"
        return self._found(Mark(style, title), number, first + 2)

    def _marked(self, number: int) -> Found | None:
        mark = mark_of(self._line(number))
        if mark is None or not self._stands_apart(mark, number):
            return None
        if mark.style in _LIST_LIKE and self._is_item(mark, number):
            self._item = mark.numbers[0] if mark.numbers else 0
            return None
        if mark.numbers and not self._is_next(mark):
            return None
        if mark.numbers:
            self._top = mark.numbers[0]
        return self._found(mark, number, number + 1)

    def _stands_apart(self, mark: Mark, number: int) -> bool:
        if self._needs_no_blank(mark, number):
            return True
        if not self._free_before(number):
            return False
        if mark.style == "upper":
            return self._upper_counts and not is_upper(self._line(number + 1))
        # A line that goes on in small letters is the first of a wrapped sentence.
        return not self._line(number + 1).lstrip()[:1].islower()

    def _needs_no_blank(self, mark: Mark, number: int) -> bool:
        if mark.style in _SELF_STANDING:
            return True
        return mark.style in ("、", "（）") and self._line(number - 1).endswith("。")

    def _is_item(self, mark: Mark, number: int) -> bool:
        """Return whether the counted line is an item of a list rather than a section."""
        following = number + 1
        while following < len(self._lines) and not self._line(following).strip():
            following += 1
        dense = following == number + 1
        after = mark_of(self._line(following))
        if (dense or mark.depth == 1) and after and _counts_on(mark, after):
            return True
        if mark.depth > 1:
            return False
        counted = _COUNTED.match(self._line(following))
        if dense and counted and mark.numbers and int(counted[1]) == mark.numbers[0] + 1:
            return True
        before = number - 1
        while before >= 0 and not self._line(before).strip():
            before -= 1
        if before >= 0 and self._after_heading <= before:
            last = self._line(before)
            if last.rstrip().endswith((":", "：")):
                return True
            if not mark.numbers:
                earlier = mark_of(last)
                return earlier is not None and earlier.style == mark.style
        return bool(mark.numbers) and self._item > 0 and mark.numbers[0] == self._item + 1

    def _is_next(self, mark: Mark) -> bool:
        """Return whether the numbers continue the sections so far; a quantity would not.

        "3 Results" after section 2 is one, "12 Monkeys" is none; "7.2 Scope" may open an extract.
        """
        top = mark.numbers[0]
        if mark.depth == 1 and not mark.dotted:
            return top == self._top + 1
        return self._top == 0 or mark.depth == 1 or self._top <= top <= self._top + 1

    def _found(self, mark: Mark, first: int, stop: int) -> Found:
        # As in reStructuredText: a style seen for the first time is one level below where it is
        # met, and stays at that level.
        new = max(1, self._level + 2 - mark.depth)
        if mark.style in APPENDED:
            # An appendix ends the parts before it, however deep the last one was.
            new = min([level for style, level in self._levels.items() if style in PARTS] or [new])
        base = self._levels.setdefault(mark.style, new)
        self._level = base + mark.depth - 1
        span = self._lines.trimmed(first, stop)
        title = " ".join(mark.title.split())
        # A numbered part, be it the only one, is a part.
        may_name = mark.style.startswith(("upper", "under", "over"))
        return Found(Heading(title, self._level, span, may_name), stop)

    def _free_before(self, number: int) -> bool:
        return (
            number == 0
            or number == self._after_heading
            or not self._line(number - 1).strip()
            or bool(RULE.match(self._line(number - 1)))
        )

    def _line(self, number: int) -> str:
        """Return the line, '' outside the text, and the head alone of one too long to matter."""
        if not 0 <= number < len(self._lines):
            return ""
        return self._lines.head(number, _LONGEST_LINE + 1)


def _counts_on(mark: Mark, after: Mark) -> bool:
    return (after.style, after.depth) == (mark.style, mark.depth)


def _mostly_upper(lines: Lines) -> bool:
    sample = [lines.head(number, _LONGEST_LINE) for number in range(min(len(lines), 2_000))]
    written = [line for line in sample if line.strip()]
    upper = sum(is_upper(line) for line in written)
    return upper > 4 and upper > len(written) * _MOST_UPPER_LINES
