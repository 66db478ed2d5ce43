"""Line breaks of plain text that only its width made: shown as spaces, so that prose flows.

A line was wrapped when the first word of the next one had found no room on it. Verse, addresses,
lists, tables, code, and keys with their values ("Name: ...") end their lines earlier, or look
different, and keep them.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

_NARROWEST = 50
_WIDEST = 200
# Lines written by hand may end a little earlier than they have to.
_RAGGED = 0.05
_ITEM = re.compile(
    r"[ \t\u3000>]*(?:[-*+•–·]|\d{1,9}(?:\.\d{1,3}){0,8}[.)]|[^\W\d_]\)|\(\w{1,4}\))[ \t\u3000]+"
)
_COLUMNS = re.compile(r"\t|[^\s.!?:;,\"')”»] {2,}\S| {3,}\S|\||\A\s*>")
_CODE_END = re.compile(r"[{};\\]\s*\Z")
_OPEN_END = re.compile(r"\s\Z|\w-\Z")
_PAUSE_END = re.compile(r"[.,;:!?…][\"'”’»)]*\s*\Z")
# "Name: ", "Date of birth: ", "姓名：": what stands in front of a value.
_KEY = re.compile(r"(?:[^\s:：]{1,30} ){0,4}[^\s:：]{1,30}(?:：|:(?=\s))")
_INDENT = re.compile(r"[ \u3000]*")
_DENSE = re.compile("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")


def flowed(text: str) -> list[str]:
    """Return what is shown for each character of ``text``: itself, or another space, or nothing."""
    shown = list(text)
    for start, lines in _parts(text):
        if _is_wrapped(lines):
            _join(shown, start, lines)
    return shown


def _parts(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the offsets and lines of paragraphs and items of lists."""
    start = position = 0
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and (not line.strip() or _ITEM.match(line) or not lines[-1].strip()):
            yield start, lines
            lines = []
        if not lines:
            start = position
        lines.append(line)
        position += len(line) + 1
    yield start, lines


def _is_wrapped(lines: Sequence[str]) -> bool:
    # Before the rules below: most take long on a line that is.
    if len(lines) < 2 or max(map(len, lines)) > _WIDEST:
        return False
    mark = _ITEM.match(lines[0])
    inner = [lines[0][mark.end() :] if mark else lines[0].lstrip(), *map(str.lstrip, lines[1:])]
    if len({_indent(line) for line in lines[1:]}) > 1:
        return False
    if any(_COLUMNS.search(line) or _CODE_END.search(line) for line in inner):
        return False
    if not all(any(map(str.isalnum, line)) for line in inner) or _is_verse(inner):
        return False
    if _is_form(inner):
        return False
    widths = [_width(line) for line in lines]
    longest = max(widths)
    if not _NARROWEST <= longest <= _WIDEST:
        return False
    full = longest * (1 - _RAGGED)
    return all(
        width + 1 + _width(_first_word(after)) > full
        for width, (_, after) in zip(widths, pairwise(inner), strict=False)
    )


def _is_verse(lines: Sequence[str]) -> bool:
    """Return whether lines begin anew, as those of verse and addresses, rather than go on.

    Each begins with a capital or a number, and there are many, or all end in a pause, or there are
    more than two and the last one ends no sentence.
    """
    if not all(line[:1].isupper() or line[:1].isdigit() for line in lines[1:]):
        return False
    if len(lines) > 3 or (len(lines) > 2 and not _PAUSE_END.search(lines[-1][-6:])):
        return True
    return all(_PAUSE_END.search(line[-6:]) for line in lines[:-1])


def _is_form(lines: Sequence[str]) -> bool:
    """Return whether all lines begin with a key, or several do, in capitals: a third or more."""
    keyed = [line for line in lines if _KEY.match(line)]
    capital = sum(not line[:1].islower() for line in keyed)
    return len(keyed) == len(lines) or (capital > 1 and capital * 3 >= len(lines))


def _join(shown: list[str], start: int, lines: Sequence[str]) -> None:
    end = start + len(lines[0])
    for before, line in pairwise(lines):
        dense = bool(_DENSE.match(before[-1:]) and _DENSE.match(line.lstrip()[:1]))
        shown[end] = "" if dense or _OPEN_END.search(before[-2:]) else " "
        for place in range(end + 1, end + 1 + _indent(line)):
            shown[place] = ""
        end += 1 + len(line)


def _indent(line: str) -> int:
    match = _INDENT.match(line)
    return match.end() if match else 0


def _first_word(line: str) -> str:
    word = line.split(maxsplit=1)[0] if line.split() else ""
    # Where no spaces part the words, a line may end after any letter, but not before a full stop.
    return word[:2] if _DENSE.match(word[:1]) else word


def _width(text: str) -> int:
    return len(text) + sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
