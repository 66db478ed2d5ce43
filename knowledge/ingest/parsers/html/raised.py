"""Raised and lowered text of a page that is no mark of a note: powers, indices, fractions.

By its tag or by a style. Text too long for a power stays, apart from the number next to it.
"""

from __future__ import annotations

from collections.abc import Mapping

from lxml import etree

from knowledge.ingest.note_marks import MARK
from knowledge.ingest.parsers.scripts import scripted

from .inline import InlineText
from .mathml import enclose
from .note_marks import is_code, is_in_front, start_of_text, text_before
from .stylesheets import Element, StyleSheets

# No more than 40 characters tell that a text is no power.
_LONGEST = 40
_PHRASES = ("a", "span", "font", "b", "strong", "i", "em", "small", "u")
_SCRIPTS = {"sup": "superscript", "sub": "subscript"}
_TAGS = {"super": "sup", "sub": "sub"}


def tag_styled(root: Element, styles: StyleSheets) -> None:
    """Put <sup> or <sub> into each phrase of ``root`` that a style raises or lowers."""
    for phrase in list(root.iter(*_PHRASES)):
        tag = _TAGS.get(styles.value(phrase, "vertical-align"))
        if tag is None or any(True for _ in phrase.iter(*_SCRIPTS)):
            continue
        if any(True for _ in phrase.iterancestors(*_SCRIPTS)):
            continue
        inner = phrase.makeelement(tag)
        inner.text, phrase.text = phrase.text, None
        inner.extend(list(phrase))
        phrase.append(inner)


def write_raised(root: Element, inline: InlineText) -> None:
    """Write raised and lowered text below ``root`` with the characters or signs that tell it."""
    # What stands in another one comes first.
    for element in reversed(list(root.iter(*_SCRIPTS))):
        text = start_of_text(element)
        if len(text) > _LONGEST:
            last = element[-1].tail if len(element) else element.text
            text += (last or "").rstrip()
        else:
            text = inline.of(element)
        if text and not MARK.search(text) and not is_code(element):
            _write(element, text)


def translate(element: Element, table: Mapping[int, int | str]) -> None:
    """Change the characters of all text in ``element``."""
    for part in element.iter(etree.Element):
        part.text = (part.text or "").translate(table)
        if part is not element:
            part.tail = (part.tail or "").translate(table)


def is_nested(element: Element) -> bool:
    """Return whether raised or lowered text stands in ``element``."""
    return any(True for _ in element.iterdescendants(*_SCRIPTS))


def _write(element: Element, text: str) -> None:
    written = scripted(text, _SCRIPTS[str(element.tag)])
    # What a block begins with is no power, unless it is a fraction.
    is_label = is_in_front(element) and not (element.tail or "").startswith(("/", "⁄"))
    if is_label or text.startswith(("(", "[")):
        written = text
    if written != text and is_nested(element):
        enclose(element, "^(" if element.tag == "sup" else "_(", ")")
    elif len(written) != len(text):
        enclose(element, *written.split(text))
    elif written != text and not text[0].isalpha():
        translate(
            element, {ord(old): new for old, new in zip(text, written, strict=True) if old != new}
        )
    else:
        starts = text[0].isdecimal() and text_before(element)[-1:].isdecimal()
        ends = text[-1].isdecimal() and (element.tail or "")[:1].isdecimal()
        if starts or ends:
            enclose(element, " " * starts, " " * ends)
