"""Buttons, fields and choices: what they show is words of the page, with an edge around them."""

from __future__ import annotations

from .note_marks import text_before
from .stylesheets import Element

# What such an input shows is nothing, or no words.
_WORDLESS = frozenset(("hidden", "password", "radio", "file", "color", "range"))


def write_controls(root: Element) -> None:
    """Write what inputs, options and their groups show into them, parted from what is beside."""
    for control in root.iter("input"):
        control.text = shown_value(control) or _tick(control)
    for choice in root.iter("option", "optgroup"):
        label = _words(choice.get("label"))
        if choice.tag == "optgroup" or (label and not (choice.text or "").strip()):
            choice.text = f"{label} {choice.text or ''}"
    for control in root.iter("button", "input", "textarea"):
        text = "".join(map(str, control.itertext()))
        if text[:1].isalnum() and text_before(control)[-1:].isalnum():
            control.text = f" {control.text or ''}"
        if text[-1:].isalnum() and (control.tail or "")[:1].isalnum():
            control.tail = f" {control.tail}"


def shown_value(control: Element) -> str:
    """Return what an <input> shows: its value, or a box that is ticked or not, as of a task.

    A box that a reader may tick is a switch of the page, and a hint in an empty field no value.
    """
    kind = control.get("type", "").strip().lower()
    if kind == "checkbox":
        box = "☐" if control.get("checked") is None else "☒"
        return box if control.get("disabled") is not None else ""
    if kind in _WORDLESS:
        return ""
    return _words(control.get("alt" if kind == "image" else "value"))


def _tick(control: Element) -> str:
    """Return the sign of a box that is ticked and all that its cell of a table says."""
    is_ticked = control.get("checked") is not None
    if not is_ticked or control.get("type", "").strip().lower() not in ("checkbox", "radio"):
        return ""
    cell = next(control.iterancestors("td", "th"), None)
    if cell is None or any(text.strip() for text in cell.itertext()):
        return ""
    return "☒"


def _words(text: str | None) -> str:
    return " ".join((text or "").split())
