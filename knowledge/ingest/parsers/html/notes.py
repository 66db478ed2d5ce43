"""Footnotes of a page: marks that do not fuse with the word before them, notes without their marks.

One rule for what Word, pandoc, GitHub, Wikipedia and electronic books write: a mark is a short link
to a note, and is raised, says that it is a mark, or is what a link of the note leads back to. A
raised number without a link means the block that begins with the same one; other raised digits are
powers: 'm²'. Where several places have the name or number, as in chapters put together, the next
one below the mark is meant, else the last one above. A link in a note leads back where it leads to
a block with a mark of this note. A mark without a note stays apart from its word. Code is left as
it is.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import count, islice

from knowledge.ingest.note_marks import ends_sentence

from .inline import InlineText
from .mathml import write_formulas
from .note_marks import (
    BLOCKS,
    block_around,
    could_be_mark,
    follows_label,
    is_in_front,
    is_one_note,
    is_power,
    is_raised_apart,
    label_of,
    leads_back,
    link_target,
    links_in,
    names_of,
    own_names,
    says_it_is_a_mark,
    start_of_text,
    text_before,
)
from .raised import is_nested, tag_styled, translate, write_raised
from .visibility import Element, Visibility

_MOST_MARKS = 20_000
_LONGEST_NOTE = 4_000
_DIGITS = re.compile(r"[+\-−]?\d{1,4}(?:[,;–-]\d{1,4})*[)\]]?\Z")
_RAISED = str.maketrans("0123456789+-−–)", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁾")
_IN_FRONT = re.compile(r"\s*[\[(]?(\d{1,4}|[*†‡§¶]{1,3}|[a-z](?=[.)\]]))[\])]?[.:]?\s+")
_LEFT_OVER = re.compile(r"\A[\s^↑]*(?:[.:)\]]\s+)?")
_NUMBER = re.compile(r"\[\^(\d{1,4})\]")
_GROUPS = ("ol", "ul", "dl", "section", "div", "aside", "footer")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

# Where elements stand, counted in the order of the page.
_Places = Sequence[tuple[int, Element]]


@dataclass(frozen=True, slots=True)
class _Mark:
    element: Element
    label: str
    note: Element | None


class PageNotes:
    """Puts marks in their places in a tree and takes the notes out of it; ``words`` by number.

    ``others`` are the numbers of notes that the tree, as a part of a document, is not to use.
    """

    def __init__(
        self, root: Element, visibility: Visibility, others: Set[str] = frozenset()
    ) -> None:
        self.words: dict[str, str] = {}
        # Never copied: a document has one set for thousands of parts.
        self._others = others
        self._root = root
        self._visibility = visibility
        self._named: dict[str, list[tuple[int, Element]]] = defaultdict(list)
        # The names that short links lead to.
        self._wanted: set[str] = set()
        self._notes: dict[Element, Element | None] = {}
        self._links: dict[Element, set[str]] = {}
        self._meant: dict[Element, set[Element | None]] = {}
        # The notes of the marks found so far, and the links in notes that lead back to marks.
        self._found: set[Element] = set()
        self._back: set[Element] = set()

    def settle(self, *, takes_notes: bool = True) -> None:
        """Change the tree; other raised and lowered text is written as such.

        Without ``takes_notes`` marks are raised, and notes stay where they are.
        """
        tag_styled(self._root, self._visibility.styles)
        if takes_notes:
            self._settle_notes()
        else:
            self._raise_marks()
        write_formulas(self._root)
        write_raised(self._root, InlineText(self._visibility))

    def _settle_notes(self) -> None:
        marks = self._marks()
        if not marks:
            return
        found = [(mark, mark.note) for mark in marks if mark.note is not None]
        labels: dict[Element, list[str]] = defaultdict(list)
        names: dict[Element, set[str]] = defaultdict(set)
        for mark, note in found:
            labels[note].append(mark.label)
            names[note] |= names_of(mark.element)
        firsts = {note: first for note, (first, *_) in labels.items()}
        numbers = _numbers(firsts, self._root, self._others)
        for mark in marks:
            _write(mark, numbers, self._others)
        # A note that stands in another one is taken out of it first.
        for note in sorted(numbers, key=_depth, reverse=True):
            self.words[numbers[note]] = self._taken(note, labels[note], names[note])
        for group in dict.fromkeys(note.getparent() for note in numbers):
            _drop_emptied(group)

    def _raise_marks(self) -> None:
        for mark in self._marks():
            _write(replace(mark, note=None), {}, [mark.label])

    def _marks(self) -> list[_Mark]:
        candidates: list[tuple[int, Element]] = []
        for place, one in enumerate(self._root.iter()):
            for name in own_names(one):
                self._named[name].append((place, one))
            if could_be_mark(one) and len(candidates) < _MOST_MARKS:
                candidates.append((place, one))
        self._wanted = {link_target(one) or "" for _, one in candidates}
        unlinked = _unlinked(candidates)
        found: list[_Mark] = []
        within: set[Element] = set()
        for place, one in candidates:
            if one in within:
                continue
            mark = self._mark(one, place, unlinked.get(one))
            if mark is not None:
                found.append(mark)
                within.update(one.iterdescendants() if mark.note is not None else ())
        return found

    def _mark(self, one: Element, place: int, unlinked: Element | None) -> _Mark | None:
        label, href = label_of(one), link_target(one)
        note = None
        if href is not None:
            there, target = _nearest(self._named.get(href), place)
            # In front of a block a link back to the mark is the label of a note.
            if is_in_front(one) and there <= place:
                return None
            note = self._note_at(target)
            if note is not None and self._is_back(one, note, there, place):
                self._back.add(one)
                return _Mark(one, "", None) if one.tag == "sup" else None
            if note is not None and not (one.tag == "sup" or self._is_mark(one, note)):
                note = None
        elif is_in_front(one):
            return None
        else:
            note = self._note_at(unlinked)
        if note is None or not label or note in one.iterancestors():
            return _Mark(one, label, None) if one.tag == "sup" else None
        self._found.add(note)
        return _Mark(one, label, note)

    def _is_back(self, link: Element, block: Element, there: int, place: int) -> bool:
        """Return whether ``link`` stands in a note, and ``block`` has a mark of this note."""
        if block in self._found or block in link.iterancestors():
            return False
        if block not in self._meant:
            places = [_nearest(self._named.get(name), there) for name in self._links_in(block)]
            self._meant[block] = {self._note_at(target) for _, target in places}
        around = (one for one in link.iterancestors() if one in self._meant[block])
        return any(there <= place or one in self._found for one in around)

    def _is_mark(self, link: Element, note: Element) -> bool:
        if says_it_is_a_mark(link):
            return True
        return not names_of(link).isdisjoint(self._links_in(note))

    def _links_in(self, block: Element) -> set[str]:
        if block not in self._links:
            self._links[block] = links_in(block, _MOST_MARKS)
        return self._links[block]

    def _note_at(self, target: Element | None) -> Element | None:
        """Return the block of the note that begins at ``target``, if a reader sees one there."""
        if target is None:
            return None
        if target not in self._notes:
            self._notes[target] = self._found_note(target)
        return self._notes[target]

    def _found_note(self, target: Element) -> Element | None:
        if target.tag in BLOCKS:
            block: Element | None = target
        elif is_in_front(target) or follows_label(target):
            block = block_around(target)
        else:
            return None
        while block is not None and self._begins(around := block.getparent(), block):
            block = around
        if block is None or len(start_of_text(block, _LONGEST_NOTE)) > _LONGEST_NOTE:
            return None
        if any(True for _ in block.iter(*_HEADINGS)):
            return None
        parts = (block, *block.iterancestors())
        seen = all(self._visibility.is_shown(one, inside_main=True) for one in parts)
        return block if seen else None

    def _begins(self, around: Element | None, block: Element) -> bool:
        """Return whether ``around`` is one note, and ``block`` its first paragraph."""
        if around is None or not is_one_note(around) or not is_in_front(block):
            return False
        if len(start_of_text(around, _LONGEST_NOTE)) > _LONGEST_NOTE:
            return False
        named = (one for one in around.iter() if not self._wanted.isdisjoint(own_names(one)))
        return len(list(islice(named, 2))) < 2

    def _taken(self, note: Element, labels: Sequence[str], names: Iterable[str]) -> str:
        """Return the words of ``note`` without its mark, and empty it."""
        for part in list(note.iter("a", "span", "sup")):
            if part in self._back or (part.tag != "sup" and leads_back(part, labels, names)):
                _replace(part, "")
        for label in list(note.iter("sup")):
            if start_of_text(label) and is_in_front(label):
                _replace(label, "")
        words = " ".join(InlineText(self._visibility).of(note).split())
        # Emptied but left there: the items of a list behind it keep their numbers.
        _replace(note, "")
        found = _IN_FRONT.match(words)
        if found is not None and found[1] in labels:
            return words[found.end() :]
        return _LEFT_OVER.sub("", words)


def _nearest(places: _Places | None, place: int) -> tuple[int, Element | None]:
    """Return the next of ``places`` behind ``place``, else the last one."""
    if not places:
        return -1, None
    below = bisect(places, place, key=lambda one: one[0])
    return places[min(below, len(places) - 1)]


def _unlinked(candidates: _Places) -> dict[Element, Element]:
    """Return the block that each raised number without a link means.

    Where all blocks that begin with a number stand below all of its marks, as at the end of a book,
    the first mark means the first one and so on; if there are more of the one, none is known.
    """
    marks: dict[str, list[tuple[int, Element]]] = defaultdict(list)
    blocks: dict[str, list[tuple[int, Element]]] = defaultdict(list)
    for place, one in candidates:
        label = label_of(one) if one.tag == "sup" else ""
        if label and is_in_front(one):
            blocks[label] += [(place, block)] if (block := block_around(one)) is not None else []
        elif label and link_target(one) is None and not (label.isdigit() and is_power(one)):
            marks[label].append((place, one))
    found: dict[Element, Element] = {}
    for label, begun in blocks.items():
        is_apart = len(begun) > 1 and all(place < begun[0][0] for place, _ in marks[label])
        if is_apart and len(begun) == len(marks[label]):
            found |= {
                mark: block for (_, mark), (_, block) in zip(marks[label], begun, strict=True)
            }
        elif not is_apart:
            found |= {
                mark: block
                for place, mark in marks[label]
                if (block := _nearest(begun, place)[1]) is not None
            }
    return found


def _numbers(labels: Mapping[Element, str], root: Element, others: Set[str]) -> dict[Element, str]:
    """Return the number of each note: its label if that is one and no two are the same.

    Others, and all of a page that begins to count anew, are counted in the order of their marks,
    past ``others`` and the numbers that the page itself writes like marks.
    """
    taken = set(_NUMBER.findall("".join(map(str, root.itertext()))))
    own = [label for label in labels.values() if label.isdigit()]
    keeps = len(own) == len(set(own)) and not any(one in taken or one in others for one in own)
    taken.update(own if keeps else ())
    # The others are mostly the first numbers.
    numbers = map(str, count(len(others) + 1))
    free = (number for number in numbers if number not in taken and number not in others)
    return {
        note: label if keeps and label.isdigit() else next(free) for note, label in labels.items()
    }


def _write(mark: _Mark, numbers: Mapping[Element, str], others: Container[str]) -> None:
    text = start_of_text(mark.element)
    if mark.note is not None:
        _replace(mark.element, f"[^{numbers[mark.note]}]")
    elif mark.label.isdigit() and _follows_sentence(mark.element):
        # Its note is not on the page.
        is_other = mark.label in others or mark.label in numbers.values()
        _replace(mark.element, text.translate(_RAISED) if is_other else f"[^{mark.label}]")
    elif _DIGITS.match(text) and (label_of(mark.element) or not links_in(mark.element, 1)):
        if not is_nested(mark.element):
            translate(mark.element, _RAISED)
    elif is_raised_apart(mark.element):
        _replace(mark.element, f" {text}")


def _follows_sentence(element: Element) -> bool:
    return ends_sentence(text_before(element).rstrip())


def _depth(element: Element) -> int:
    return sum(1 for _ in element.iterancestors())


def _replace(element: Element, text: str) -> None:
    for child in list(element):
        element.remove(child)
    element.text = text


def _drop_emptied(group: Element | None) -> None:
    """Take a list or part out of the tree that holds no more than its title."""
    while group is not None and group.tag in _GROUPS and group.getparent() is not None:
        titles = sum(len(start_of_text(title, _LONGEST_NOTE)) for title in group.iter(*_HEADINGS))
        if len(start_of_text(group, _LONGEST_NOTE)) > titles:
            return
        above = group.getparent()
        group.drop_tree()  # type: ignore[attr-defined]  # of lxml.html, keeps the tail
        group = above
