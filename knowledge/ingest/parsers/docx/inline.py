"""The text of a paragraph: runs, fields, links, changes, symbols, notes and what hangs on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from knowledge.ingest.parsers.composing import STRUCK_OUT
from knowledge.ingest.parsers.scripts import scripted

from .drawings import chosen, floats
from .eq_fields import shown
from .equation_changes import revised
from .equations import linear
from .items import Inline, Note
from .names import MC, Element, M, W, toggle, value, whole
from .package import Package
from .revisions import Policy, is_change, is_shown, mark
from .styles import Look, Styles
from .symbols import glyph, symbol

# Text of one point cannot be read; it is how words are hidden from people and not from programs.
_INVISIBLE_SIZE = 2
# Text is raised or lowered that stands a quarter of the size of its line above or below that.
_FAR = 4
_CONTAINERS = {
    W + name
    for name in (
        "hyperlink", "smartTag", "sdt", "sdtContent", "fldSimple", "customXml", "dir", "bdo",
        "ruby", "rubyBase", "ins", "moveTo", "del", "moveFrom",
    )
}  # fmt: skip
_DRAWINGS = (W + "drawing", W + "pict", W + "object")

NoteFinder = Callable[[str, str, str], Note | None]


@dataclass(slots=True)
class _Field:
    """An open field; ``is_shown`` when its result, rather than its instruction, is being read."""

    is_shown: bool = False
    has_result: bool = False
    instruction: list[str] = field(default_factory=list)


class InlineReader:
    """Reads paragraphs in order; open fields reach from one into the next."""

    def __init__(
        self, package: Package, styles: Styles, policy: Policy, find_note: NoteFinder
    ) -> None:
        self._package = package
        self._styles = styles
        self._policy: Policy = policy
        self._find_note = find_note
        # The look of the words of this paragraph that stand on its line, once it was asked for.
        self._line: Look | None = None
        self._fields: list[_Field] = []

    def read(self, paragraph: Element, base: Look, into: Inline) -> None:
        """Append the content of a w:p to ``into``; ``base`` is the look of its style."""
        self._line = None
        self._children(paragraph, base, into)
        # An instruction ends with its paragraph, or a field that never ends would hide the rest.
        self._fields = [one for one in self._fields if one.is_shown]

    def equation(self, element: Element) -> str:
        """Return an m:oMath or m:oMathPara as one line, changes inside by the policy."""
        remarks = self._package.remarks
        return linear(revised(element, self._policy, self._styles, remarks)).strip()

    def _children(self, parent: Element, base: Look, into: Inline) -> None:
        for child in parent:
            if child.tag == W + "r":
                self._run(child, base, into)
            elif child.tag in _CONTAINERS:
                self._container(child, base, into)
            elif child.tag in (M + "oMath", M + "oMathPara"):
                text = self.equation(child)
                self._put(f" {text} " if text else "", base, into)
            elif child.tag == MC + "AlternateContent":
                branch = chosen(child)
                if branch is not None:
                    self._children(branch, base, into)

    def _container(self, element: Element, base: Look, into: Inline) -> None:
        if not is_change(element):
            before = len(into.parts)
            self._children(element, base, into)
            if element.tag == W + "fldSimple" and len(into.parts) == before:
                self._put(shown(element.get(W + "instr", "")), base, into)
        elif is_shown(element, self._policy):
            before = len(into.parts)
            self._children(element, base, into)
            if self._policy == "marked" and len(into.parts) > before:
                into.parts.insert(before, f"[{mark(element)}: ")
                into.parts.append("]")

    def _run(self, run: Element, base: Look, into: Inline) -> None:
        properties = run.find(W + "rPr")
        look = self._styles.of_run(run).over(base)
        if look.position and not look.script:
            look = replace(look, script=self._script(run, look, base))
        hidden = bool(look.hidden) or 0 < (look.size or 0) <= _INVISIBLE_SIZE
        font = _font(properties)
        before, notes = len(into.parts), len(into.notes)
        for child in run:
            if child.tag == W + "fldChar":
                self._field(child, look, into, hidden=hidden)
            elif child.tag == W + "instrText":
                if self._fields:
                    self._fields[-1].instruction.append(child.text or "")
            elif not hidden:
                self._content(child, look, font, into)
        if look.struck and len(into.parts) > before:
            self._strike(before, notes, into)

    def _script(self, run: Element, look: Look, base: Look) -> str:
        """Return what text is that stands off the line, '' where the words around it do too.

        A shift of a point or two of text as large as the line only sets it in place.
        """
        if self._line is None:
            paragraph = next(run.iterancestors(W + "p"), run)
            self._line = next(
                (
                    found
                    for other in paragraph.iter(W + "r")
                    if any((text.text or "").strip() for text in other.iterchildren(W + "t"))
                    for found in [self._styles.of_run(other).over(base)]
                    if not found.position
                ),
                Look(),
            )
        size, off = self._line.size or 0, look.position or 0
        is_script = (look.size or 0) < size or _FAR * abs(off) >= size > 0
        return ("superscript" if off > 0 else "subscript") if is_script else ""

    def _strike(self, before: int, notes: int, into: Inline) -> None:
        """Read what a run put behind ``before``, and its notes, as a deletion nobody tracked."""
        text = "".join(into.parts[before:])
        if not text.strip():
            return
        if self._policy == "marked":
            into.parts[before:] = ["[deleted: ", *into.parts[before:], "]"]
        elif self._policy == "accepted":
            self._package.remarks.append(STRUCK_OUT)
            into.struck = True
            # What stands before and behind it stays apart.
            del into.parts[before:], into.looks[before:], into.notes[notes:]
            self._put(" " if text != text.strip() else "", Look(), into)

    def _content(self, child: Element, look: Look, font: str, into: Inline) -> None:
        if child.tag in (W + "t", W + "delText"):
            text = (child.text or "").replace("\n", " ").replace("\r", " ")
            self._put(scripted(glyph(text, font), look.script), look, into)
        elif child.tag in _LITERAL:
            self._put(_LITERAL[child.tag], look, into)
        elif child.tag == W + "sym":
            self._put(_symbol(child), look, into)
        elif child.tag in (W + "footnoteReference", W + "endnoteReference"):
            self._note(child, look, into)
        elif child.tag in _DRAWINGS:
            into.floats += floats(child, self._package)
        elif child.tag == MC + "AlternateContent":
            branch = chosen(child)
            for part in branch if branch is not None else ():
                self._content(part, look, font, into)
        elif child.tag == W + "ruby":
            self._children(child, look, into)

    def _put(self, text: str, look: Look, into: Inline) -> None:
        if text and all(one.is_shown for one in self._fields):
            for one in self._fields:
                one.has_result = True
            into.parts.append(text)
            into.looks.append((len("".join(text.split())), look))

    def _note(self, child: Element, look: Look, into: Inline) -> None:
        kind = child.tag.rpartition("}")[2].removesuffix("Reference")
        custom = ""
        if toggle_of(child, "customMarkFollows"):
            custom = "".join(t.text or "" for t in child.itersiblings(W + "t")).strip()
        note = self._find_note(kind, child.get(W + "id", ""), custom)
        if note is None or not all(one.is_shown for one in self._fields):
            return
        into.notes.append(note)
        if not custom:
            self._put(f"[{note.mark}]", look, into)

    def _field(self, child: Element, look: Look, into: Inline, *, hidden: bool) -> None:
        kind = child.get(W + "fldCharType")
        if kind == "begin":
            data = child.find(W + "ffData")
            if data is not None:
                self._put(_form_value(data), look, into)
            self._fields.append(_Field())
        elif self._fields and kind == "separate":
            self._fields[-1].is_shown = True
        elif self._fields and kind == "end":
            ended = self._fields.pop()
            if not ended.has_result and not hidden:
                self._put(shown("".join(ended.instruction)), look, into)


_LITERAL = {
    W + "tab": "\t",
    W + "ptab": "\t",
    W + "br": "\n",
    W + "cr": "\n",
    W + "noBreakHyphen": "-",
}


def toggle_of(element: Element, name: str) -> bool:
    """Return an on/off attribute."""
    return element.get(W + name, "0") in ("1", "true", "on")


def _font(properties: Element | None) -> str:
    fonts = properties.find(W + "rFonts") if properties is not None else None
    return (fonts.get(W + "ascii") or fonts.get(W + "hAnsi") or "") if fonts is not None else ""


def _symbol(child: Element) -> str:
    try:
        code = int(child.get(W + "char", ""), 16)
    except ValueError:
        return ""
    return symbol(code, child.get(W + "font", ""))


def _form_value(data: Element) -> str:
    """Return what a form field shows that has no result of its own: a tick or a chosen entry."""
    box = data.find(W + "checkBox")
    if box is not None:
        state = toggle(box, "checked")
        ticked = state if state is not None else toggle(box, "default")
        return "☒" if ticked else "☐"
    choices = data.find(W + "ddList")
    if choices is None:
        return ""
    entries = [entry.get(W + "val", "") for entry in choices.iterchildren(W + "listEntry")]
    number = whole(value(choices, "result") or value(choices, "default"))
    return entries[number] if 0 <= number < len(entries) else ""
