"""What tells the mark of a footnote, and the link that leads back to it, from other links."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from itertools import islice, takewhile
from urllib.parse import unquote

from knowledge.ingest.note_marks import takes_power

from .visibility import Element

BLOCKS = ("p", "li", "div", "dd", "aside", "blockquote")

_CODE = ("pre", "code", "kbd", "samp", "tt")
_CELLS = ("td", "th")
_MOST_PARTS = 8
_LONGEST_MARK = 8
_LONGEST_BACK = 10
_LONGEST_BACK_PART = 40
_LONGEST_BEFORE = 40
_LABEL = re.compile(r"[\[(]?((?:n|nb|fn|note)?\d{1,4}|[*†‡§¶]{1,3}|[a-z]|[ivxlc]{1,6})[\])]?\Z")
# The second mark of note 1 by markdown-it.
_AGAIN = re.compile(r"\[(\d{1,4}):\d{1,4}\]\Z")
_NUMBER = re.compile(r"\d{1,4}\Z")
_DENOMINATOR = re.compile(r"\s*[/⁄]\s*_?\d")
# Raised letters that are marks; behind fewer letters they end an abbreviation, or are a power.
_LETTERS = re.compile(r"[a-z](?:,[a-z])*\)?\Z")
_WORD_BEFORE = re.compile(r"[^\W\d_]{3}\Z")
_SAYS_SO = re.compile(r"foot-?note|note-?ref|fnref|endnote|\b_(?:ftn|edn)|cite_note", re.IGNORECASE)
_SAYS_NOTE = re.compile(r"note|ftn|edn", re.IGNORECASE)
_SAYS_BACK = re.compile(r"back-?(?:link|ref)|footnote-?back", re.IGNORECASE)
# The second link back of a note has a number behind its arrow.
_ARROWS = re.compile(r"[\^\[\](]*(?:[↩↑⤴⏎][\ufe0e\ufe0f\d⁰¹²³⁴-⁹]*)*[\])]*\Z")


def could_be_mark(element: Element) -> bool:
    """Return whether ``element`` is raised, or a link on the page, and short; not so in code."""
    if element.tag not in ("sup", "a"):
        return False
    if any(True for _ in islice(element.iterdescendants(), _MOST_PARTS, None)):
        return False
    text = start_of_text(element)
    if not 0 < len(text) <= _LONGEST_MARK or is_code(element) or is_prefix(element):
        return False
    return element.tag == "sup" or (link_target(element) is not None and bool(label_of(element)))


def is_prefix(element: Element) -> bool:
    """Return whether raised digits without a link belong to what stands behind them.

    They are the numerator of a fraction, or as in ²³⁵U what begins a word behind a blank.
    """
    if element.tag != "sup" or link_target(element) is not None:
        return False
    if not _NUMBER.match(start_of_text(element)):
        return False
    behind = _start_behind(element)
    if _DENOMINATOR.match(behind):
        return True
    before = text_before(element)
    return behind[:1].isalpha() and before[-1:].isspace()


def _start_behind(element: Element) -> str:
    """Return the beginning of the text behind ``element`` in its parent, two elements at most."""
    text, behind = (element.tail or "")[:_LONGEST_MARK], element.getnext()
    for _ in range(2):
        if behind is None or len(text.strip()) > 1 or behind.tag in ("br", *BLOCKS):
            break
        script = "_" if behind.tag == "sub" else "^" if behind.tag == "sup" else ""
        text += script + start_of_text(behind) + (behind.tail or "")[:_LONGEST_MARK]
        behind = behind.getnext()
    return text


def is_code(element: Element) -> bool:
    """Return whether ``element`` stands in code."""
    return any(True for _ in element.iterancestors(*_CODE))


def label_of(element: Element | None) -> str:
    """Return what a mark shows, without brackets; '' for what is no mark."""
    text = start_of_text(element).lower() if element is not None else ""
    match = _LABEL.match(text) or _AGAIN.match(text)
    return match[1] if match else ""


def link_target(element: Element) -> str | None:
    """Return the place on the page that the element, or what it holds or stands in, leads to."""
    parent = element.getparent()
    around = [parent] if parent is not None and parent.tag == "a" else []
    for one in [*element.iter("a"), *around]:
        if (one.get("href") or "").startswith("#"):
            return unquote(str(one.get("href"))[1:])
    return None


def links_in(block: Element, most: int) -> set[str]:
    """Return the places on the page that the first ``most`` links in a block lead to."""
    hrefs = (one.get("href") or "" for one in islice(block.iter("a"), most))
    return {unquote(href[1:]) for href in hrefs if href.startswith("#")}


def says_it_is_a_mark(link: Element) -> bool:
    """Return whether a link is raised or named as the mark of a note."""
    if any(True for _ in link.iter("sup")) or any(True for _ in link.iterancestors("sup")):
        return True
    about = " ".join(link.get(name, "") for name in ("class", "role", "id", "href", "epub:type"))
    return _SAYS_SO.search(about) is not None


def is_one_note(around: Element) -> bool:
    """Return whether ``around`` is by its kind or name a note as a whole."""
    about = f"{around.get('class', '')} {around.get('id', '')}"
    return around.tag in ("li", "dd") or (
        around.tag in ("div", "aside") and _SAYS_NOTE.search(about) is not None
    )


def names_of(mark: Element) -> set[str]:
    """Return the names by which a link may lead to ``mark``."""
    around = takewhile(lambda one: one.tag not in BLOCKS, mark.iterancestors())
    before = mark.getprevious()
    is_anchor = before is not None and before.tag in ("a", "span") and not before.tail
    anchors = [before] if before is not None and is_anchor else []
    return set().union(*map(own_names, (*mark.iter(), *around, *anchors)))


def own_names(element: Element) -> set[str]:
    """Return the names by which a link may lead to ``element`` itself."""
    keys = ("id", "name") if element.tag == "a" else ("id",)
    return {str(element.get(key)) for key in keys if element.get(key)}


def leads_back(part: Element, labels: Container[str], names: Iterable[str]) -> bool:
    """Return whether a part of a note leads back to its mark, not to what the note names."""
    text, href = start_of_text(part), part.get("href") or ""
    if len(text) <= _LONGEST_BACK_PART and _SAYS_BACK.search(
        f"{part.get('class', '')} {part.get('role', '')}"
    ):
        return True
    if not href.startswith("#") or len(text) > _LONGEST_BACK:
        return False
    if _ARROWS.match(text) or unquote(href[1:]) in names:
        return True
    return label_of(part) in labels and is_in_front(part)


def follows_label(element: Element) -> bool:
    """Return whether no more than a label stands in front of ``element`` in its block."""
    before = element.getprevious()
    if before is None or not label_of(before) or (before.tail or "").strip(" \t\r\n.:)]"):
        return False
    return is_in_front(before)


def is_raised_apart(element: Element) -> bool:
    """Return whether a raised mark without a note would read as letters of the word before it."""
    text, before = start_of_text(element), text_before(element)
    if not (before[-1:].isalnum() and text[:1].isalnum()):
        return False
    if link_target(element) is not None and label_of(element):
        return True
    return bool(_LETTERS.match(text) and _WORD_BEFORE.search(before))


def is_power(element: Element) -> bool:
    """Return whether raised digits stand behind a number or a unit."""
    before = element.getprevious()
    if element.tag != "sup" or (before is not None and before.tag == "sup" and not before.tail):
        return False
    return takes_power(text_before(element))


def start_of_text(element: Element, most: int = 40) -> str:
    """Return the beginning of the text of ``element`` without its spaces."""
    text = ""
    for part in element.itertext():
        text += "".join(str(part[: 2 * most]).split())
        if len(text) > most:
            break
    return text


def block_around(element: Element) -> Element | None:
    """Return the block that ``element`` stands in, None for a cell of a table."""
    around = next((one for one in element.iterancestors() if one.tag in (*BLOCKS, *_CELLS)), None)
    return around if around is not None and around.tag in BLOCKS else None


def text_before(element: Element) -> str:
    """Return the end of the text in front of ``element`` in its line, '' at the beginning of it."""
    blank = ""
    while True:
        before, parent = element.getprevious(), element.getparent()
        if before is not None:
            text = "".join(map(str, before.itertext())) + (before.tail or "")
        else:
            text = (parent.text or "") if parent is not None else ""
        if text.strip():
            return text[-_LONGEST_BEFORE:] + blank
        blank = text + blank
        if before is not None and before.tag != "br":
            element = before
        elif before is not None or parent is None or parent.tag in BLOCKS:
            return ""
        else:
            element = parent


def is_in_front(element: Element) -> bool:
    """Return whether ``element`` is what its block begins with."""
    return not text_before(element).strip()
