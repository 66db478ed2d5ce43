"""The body of a Word document as items in order: paragraphs, tables, pictures, notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .drawings import chosen
from .inline import InlineReader
from .items import Inline, Item, Paragraph, TextBox
from .names import MC, Element, M, W, value
from .notes import BlockReader, Notes
from .numbering import Numbering
from .package import Package
from .revisions import Policy, goes_on, is_change, is_shown
from .styles import Style, Styles, numbering_of, outline_level
from .tables import TableReader

_WRAPPERS = (W + "customXml", W + "smartTag", W + "sdtContent")
_NO_LEVEL = 9


class BodyReader:
    """Reads the blocks of a part; lists, fields and notes are counted on from call to call."""

    def __init__(self, package: Package, policy: Policy, body: BodyReader | None = None) -> None:
        """``package`` is seen from the part; ``body`` reads the main one where this is another."""
        self._package = package
        self._policy: Policy = policy
        self._styles: Styles = body._styles if body else Styles(package.related("styles"))
        self._numbering: Numbering = (
            body._numbering if body else Numbering(package.related("numbering"))
        )
        # A note has no notes.
        find = Notes(package, self._notes_reader).find if body is None else lambda *_: None
        self._inline = InlineReader(package, self._styles, policy, find)
        self._tables = TableReader(self._styles, policy, self.blocks)
        # The start of a paragraph whose end was deleted: it goes on in the next one.
        self._held: Inline | None = None

    def _notes_reader(self, part: Package) -> BlockReader:
        return BodyReader(part, self._policy, self).blocks

    def blocks(self, parent: Element, *, boxed: bool = False) -> Iterator[Item]:
        """Yield the items below ``parent``; ``boxed`` ones, in a text box, open no section."""
        yield from self._blocks(parent, boxed)
        if self._held is not None:
            held, self._held = self._held, None
            yield from self._emitted(held, None, boxed)

    def _blocks(self, parent: Element, boxed: bool) -> Iterator[Item]:
        for child in parent:
            if child.tag == W + "p":
                yield from self._paragraph(child, boxed)
            elif child.tag == W + "tbl":
                yield from self._tables.read(child)
            elif child.tag == W + "sdt":
                yield from self._control(child, boxed)
            elif child.tag in _WRAPPERS or (is_change(child) and is_shown(child, self._policy)):
                yield from self._blocks(child, boxed)
            elif child.tag == MC + "AlternateContent":
                branch = chosen(child)
                if branch is not None:
                    yield from self._blocks(branch, boxed)
            elif child.tag in (M + "oMathPara", M + "oMath"):
                text = self._inline.equation(child)
                if text:
                    yield Paragraph(text, self._styles.paragraph(None))
            elif child.tag == W + "altChunk":
                self._package.warnings.append(
                    "A document embedded in this one was left out. Please upload it by itself."
                )

    def _control(self, control: Element, boxed: bool) -> Iterator[Item]:
        properties = control.find(W + "sdtPr")
        part = properties.find(W + "docPartObj") if properties is not None else None
        content = control.find(W + "sdtContent")
        # A table of contents repeats the headings and says nothing of its own.
        if content is not None and value(part, "docPartGallery") != "Table of Contents":
            yield from self._blocks(content, boxed)

    def _paragraph(self, element: Element, boxed: bool) -> Iterator[Item]:
        properties = element.find(W + "pPr")
        style = self._styles.paragraph(value(properties, "pStyle"))
        inline, self._held = self._held or Inline(), None
        self._inline.read(element, style.look, inline)
        if goes_on(properties, self._policy):
            self._held = inline
            return
        yield from self._emitted(inline, properties, boxed)

    def _emitted(self, inline: Inline, properties: Element | None, boxed: bool) -> Iterator[Item]:
        style = self._styles.paragraph(value(properties, "pStyle"))
        if style.role == "toc":
            return
        if inline.text.strip():
            yield self._read(inline, style, properties, boxed)
        elif inline.struck:
            # Its number stands on the page, and the next one counts on from it.
            self._label(style, properties)
        for item in inline.floats:
            if isinstance(item, TextBox):
                yield from self.blocks(item.content, boxed=True)
            elif item.words or not item.small:
                yield item
        yield from inline.notes

    def _read(
        self, inline: Inline, style: Style, properties: Element | None, boxed: bool
    ) -> Paragraph:
        stated = outline_level(properties)
        level = style.level if stated is None else stated
        level = None if boxed or level == _NO_LEVEL else level
        label, depth = self._label(style, properties)
        bold, size = _looks(inline)
        return Paragraph(inline.text, style, level, label, depth, bold, size, boxed)

    def _label(self, style: Style, properties: Element | None) -> tuple[str | None, int]:
        own = numbering_of(properties)
        number, level = own or style.numbering or (0, None)
        if not number:
            return None, 0
        if level is None:
            name = value(properties, "pStyle") or ""
            from_style = style.numbering[1] if style.numbering else None
            level = from_style or self._numbering.level_of_style(number, name)
        return self._numbering.label(number, level), level


def _looks(inline: Inline) -> tuple[bool, int]:
    """Return whether all the ink is bold, and the size of most of it."""
    inked = [(count, look) for count, look in inline.looks if count]
    sizes: Counter[int] = Counter()
    for count, look in inked:
        sizes[look.size or 20] += count
    bold = bool(inked) and all(look.bold for _, look in inked)
    return bold, sizes.most_common(1)[0][0] if sizes else 20
