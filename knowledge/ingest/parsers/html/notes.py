"""Footnotes of a page: marks that do not fuse with the word before them, notes without their marks.

A mark is raised, or a link that says it is one, and leads to a note: by the address of a link, or
by the same number raised in front of a paragraph. Other raised digits are powers: 'm²'.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice

from .inline import InlineText
from .visibility import Element, Visibility

_MOST_NOTES = 5_000
_MOST_PARTS = 8
_MOST_MARKS = 200
_LONGEST_NOTE = 4_000
_LABEL = re.compile(r"[\[(]?(\d{1,3}|[*†‡§¶]{1,3}|[a-z])[\])]?\Z")
_DIGITS = re.compile(r"[+\-−]?\d{1,4}\Z")
_RAISED = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_SAYS_SO = re.compile(r"foot-?note|note-?ref|noteref|fnref|endnote", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.,;:!?…。！？，；：][\"'”’»）)\]]*\Z")
_IN_FRONT = re.compile(r"\s*[\[(]?(\d{1,3}|[*†‡§¶]{1,3}|[a-z](?=[.)\]]))[\])]?[.:]?\s+")
_ARROWS = re.compile(r"[\s↩\ufe0e\ufe0f↑⤴⏎^\[\]()]*\Z")
_LEADS_BACK = re.compile(r"back|fnref|note-?ref|cite_ref", re.IGNORECASE)
_LONGEST_BACK = 10
# What is raised behind a number or a unit is its power: 10², 50 m².
_BASE = re.compile(r"(?:\d|(?<![^\W\d_])[^\W\d_]{1,2})\Z")
_BLOCKS = ("p", "li", "div", "dd", "aside", "blockquote")
_GROUPS = ("ol", "ul", "dl", "section", "div", "aside", "footer")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(slots=True)
class _Reference:
    element: Element
    label: str
    note: Element | None = None


@dataclass(slots=True)
class PageNotes:
    """Puts marks in their places in a tree and takes the notes out of it; ``words`` by number."""

    root: Element
    visibility: Visibility
    words: dict[str, str] = field(default_factory=dict)
    _known: dict[int, Element | None] = field(default_factory=dict)

    def settle(self) -> None:
        """Change the tree."""
        raised = [one for one in self.root.iter("sup", "a") if _could_be(one)][:_MOST_NOTES]
        if not raised:
            return
        found = self._references(raised)
        within = _marks_within(found)
        numbers = _numbers(found)
        for one in found:
            number = numbers.get(id(one.note)) if one.note is not None else None
            if one.note is None and _follows_sentence(one.element) and one.label.isdigit():
                number = one.label if one.label not in numbers.values() else None
            if number is not None and id(one.element) not in within:
                _replace(one.element, f"[^{number}]")
            elif one.element.tag == "sup" and _DIGITS.match(_text(one.element)):
                _replace(one.element, _text(one.element).translate(_RAISED))
        groups = []
        for one in found:
            if one.note is not None and (number := numbers.pop(id(one.note), None)):
                groups.append(one.note.getparent())
                labels = {other.label for other in found if other.note is one.note}
                self._take(one.note, number, labels)
        for group in groups:
            _drop_emptied(group)

    def _references(self, raised: list[Element]) -> list[_Reference]:
        ids = {one.get("id"): one for one in self.root.iter() if one.get("id")}
        ids |= {one.get("name"): one for one in self.root.iter("a") if one.get("name")}
        fronts = [one for one in raised if not _before(one).strip()]
        starts = {_label(one): _block(one) for one in reversed(fronts) if one.tag == "sup"}
        found: list[_Reference] = []
        # What stands in front of a block is the label of a note, even if it leads back.
        inside = {id(one) for one in fronts}
        for one in raised:
            if id(one) in inside:
                continue
            inside |= {id(below) for below in one.iterdescendants()}
            label = _label(one)
            href = _href(one)
            note = self._note(ids.get(href)) if href else None
            if note is None and href is None and not (label.isdigit() and _is_power(one)):
                note = self._note(starts.get(label)) if label else None
            note = note if label else None
            if note is not None or one.tag == "sup":
                found.append(_Reference(one, label, note))
        return found

    def _note(self, target: Element | None) -> Element | None:
        """Return the block of a note that ``target`` is or stands in, if a reader sees it."""
        if id(target) not in self._known:
            self._known[id(target)] = self._found_note(target)
        return self._known[id(target)]

    def _found_note(self, target: Element | None) -> Element | None:
        if target is None or (target.tag not in _BLOCKS and _before(target).strip()):
            return None
        block = target if target.tag in _BLOCKS else _block(target)
        if block is None or any(True for _ in block.iter(*_HEADINGS)):
            return None
        for one in (block, *block.iterancestors()):
            if not self.visibility.is_shown(one, inside_main=True):
                return None
        return block if len(_text(block, _LONGEST_NOTE)) <= _LONGEST_NOTE else None

    def _take(self, note: Element, number: str, labels: set[str]) -> None:
        for link in list(note.iter("a")):
            if _leads_back(link, labels):
                _replace(link, "")
        for label in [one for one in note.iter("sup") if not _before(one).strip()]:
            _replace(label, "")
        inline = InlineText(self.visibility)
        words = " ".join(inline.of(note).split())
        found = _IN_FRONT.match(words)
        is_labelled = found is not None and found[1] in labels
        self.words[number] = words[found.end() :] if found and is_labelled else words.lstrip("^↑ ")
        note.drop_tree()  # type: ignore[attr-defined]  # of lxml.html, keeps the tail


def _is_power(element: Element) -> bool:
    return element.tag == "sup" and _BASE.search(_before(element)[-4:]) is not None


def _leads_back(link: Element, labels: set[str]) -> bool:
    """Return whether a link of a note leads back to its mark, not to what the note names."""
    text = _text(link)
    if not (link.get("href") or "").startswith("#") or len(text) > _LONGEST_BACK:
        return False
    about = " ".join(link.get(name, "") for name in ("class", "role", "href", "epub:type"))
    if _ARROWS.match(text) or text.strip("[]()^") in labels or _LEADS_BACK.search(about):
        return True
    return len(text) == 1 and _ARROWS.match(_before(link)) is not None


def _could_be(element: Element) -> bool:
    if any(True for _ in islice(element.iterdescendants(), _MOST_PARTS, None)):
        return False
    if element.tag == "sup":
        return len(_text(element)) <= 8
    if not (element.get("href") or "").startswith("#") or len(_text(element)) > 8:
        return False
    about = " ".join(element.get(name, "") for name in ("class", "role", "id", "href", "epub:type"))
    return any(True for _ in element.iter("sup")) or _SAYS_SO.search(about) is not None


def _marks_within(found: list[_Reference]) -> set[int]:
    """Return the ids of marks inside of notes; what holds its own mark is a note no more."""
    held: dict[int, set[int]] = {}
    for one in found:
        if one.note is None:
            continue
        if id(one.note) not in held:
            marks = islice(one.note.iter("sup", "a"), _MOST_MARKS)
            held[id(one.note)] = {id(mark) for mark in marks}
        if id(one.element) in held[id(one.note)]:
            one.note = None
    notes = {id(one.note) for one in found if one.note is not None}
    return {mark for note, marks in held.items() if note in notes for mark in marks}


def _numbers(found: list[_Reference]) -> dict[int, str]:
    """Return the number of each note: its own label if that is one, else the next that is free."""
    numbers: dict[int, str] = {}
    for own in (True, False):
        for one in found:
            if one.note is None or id(one.note) in numbers:
                continue
            taken = set(numbers.values())
            if own and one.label.isdigit() and one.label not in taken:
                numbers[id(one.note)] = one.label
            elif not own:
                count = len(taken) + 1
                while str(count) in taken:
                    count += 1
                numbers[id(one.note)] = str(count)
    return numbers


def _text(element: Element, most: int = 40) -> str:
    """Return the beginning of the text of ``element`` without its spaces."""
    text = ""
    for part in element.itertext():
        text += "".join(str(part[: 2 * most]).split())
        if len(text) > most:
            break
    return text


def _label(element: Element) -> str:
    match = _LABEL.match(_text(element))
    return match[1] if match else ""


def _href(element: Element) -> str | None:
    """Return the place on the page that the element, or what it holds or stands in, leads to."""
    parent = element.getparent()
    around = [parent] if parent is not None and parent.tag == "a" else []
    for one in [*element.iter("a"), *around]:
        if (one.get("href") or "").startswith("#"):
            return str(one.get("href"))[1:]
    return None


def _block(element: Element) -> Element | None:
    return next((one for one in element.iterancestors() if one.tag in _BLOCKS), None)


def _before(element: Element) -> str:
    """Return the text directly in front of ``element`` in its block, '' at its beginning."""
    while True:
        before, parent = element.getprevious(), element.getparent()
        text = before.tail if before is not None else parent.text if parent is not None else ""
        if text:
            return str(text)
        if before is not None:
            return _text(before)
        if parent is None or parent.tag in _BLOCKS:
            return ""
        element = parent


def _follows_sentence(element: Element) -> bool:
    return _SENTENCE_END.search(_before(element)[-10:].rstrip()) is not None


def _replace(element: Element, text: str) -> None:
    for child in list(element):
        element.remove(child)
    element.text = text


def _drop_emptied(group: Element | None) -> None:
    """Take a list or part out of the tree that holds no more than its title."""
    while group is not None and group.tag in _GROUPS and group.getparent() is not None:
        titles = sum(len(_text(title, _LONGEST_NOTE)) for title in group.iter(*_HEADINGS))
        if len(_text(group, _LONGEST_NOTE)) > titles:
            return
        above = group.getparent()
        group.drop_tree()  # type: ignore[attr-defined]
        group = above
