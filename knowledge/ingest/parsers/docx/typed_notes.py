"""Footnotes that an author typed by hand: a raised number, and a paragraph that begins with it.

As in a page of HTML: raised digits behind a number or a unit are its power, those behind a sentence
are a mark even where the note is not to be found. Numbers of Word's own notes, and those that more
than one paragraph begins with, stay raised digits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import chain

from knowledge.ingest.note_marks import ends_sentence, takes_power

from .items import Item, Note, Paragraph, Table

_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_TO_DIGITS = str.maketrans(_RAISED, "0123456789")
_MARK = re.compile(rf"(?<=[^\s{_RAISED}⁺⁻])[{_RAISED}]{{1,3}}(?![\w⁺⁻])")
_IN_FRONT = re.compile(rf"\A\s*[\[(]?([{_RAISED}]{{1,3}})(?![{_RAISED}⁺⁻])[\])]?[.:]?\s*(?=\S)")
_MOST_BEFORE = 10


def with_typed_notes(items: Sequence[Item]) -> list[Item]:
    """Return ``items`` with such marks as '[^1]', and their notes behind what first has them."""
    begun = Counter(map(_number, items))
    kept = {item.mark.removeprefix("^") for item in items if isinstance(item, Note)}
    kept |= {number for number, count in begun.items() if count > 1}
    notes = {number for number in begun if number and number not in kept}
    marked = [
        (item, []) if _number(item) in notes else _marked(item, notes, kept) for item in items
    ]
    met = notes.intersection(chain.from_iterable(numbers for _, numbers in marked))
    words = {_number(item): _words(item) for item in items if _number(item) in met}
    result: list[Item] = []
    for item, numbers in marked:
        if _number(item) not in met:
            result.append(item)
        for number in numbers:
            if number in words:
                result.append(Note(f"^{number}", words.pop(number)))
    return result


def _number(item: Item) -> str:
    """Return the raised number that a paragraph begins with, '' for none."""
    if not isinstance(item, Paragraph) or item.label or item.style.role == "code":
        return ""
    found = _IN_FRONT.match(item.text)
    return found[1].translate(_TO_DIGITS) if found else ""


def _words(item: Item) -> str:
    text = item.text if isinstance(item, Paragraph) else ""
    return " ".join(_IN_FRONT.sub("", text, count=1).split())


def _marked(item: Item, notes: Collection[str], kept: Collection[str]) -> tuple[Item, list[str]]:
    """Return ``item`` with its marks written out, and their numbers."""
    numbers: list[str] = []

    def mark(raised: re.Match[str]) -> str:
        number = raised[0].translate(_TO_DIGITS)
        before = raised.string[max(0, raised.start() - _MOST_BEFORE) : raised.start()]
        is_mark = number in notes or ends_sentence(before)
        if number in kept or not is_mark or takes_power(before):
            return raised[0]
        numbers.append(number)
        return f"[^{number}]"

    if isinstance(item, Paragraph) and item.style.role != "code":
        return replace(item, text=_MARK.sub(mark, item.text)), numbers
    if isinstance(item, Table):
        rows = [
            [replace(cell, text=_MARK.sub(mark, cell.text)) for cell in row] for row in item.rows
        ]
        return replace(item, rows=rows), numbers
    return item, numbers
