"""Buttons: words of the page, with an edge of their own around them."""

from __future__ import annotations

from .note_marks import text_before
from .stylesheets import Element


def set_buttons_apart(root: Element) -> None:
    """Put a blank where a word or number of a button would fuse with the one next to it."""
    for button in root.iter("button"):
        text = "".join(map(str, button.itertext()))
        if text[:1].isalnum() and text_before(button)[-1:].isalnum():
            button.text = f" {button.text or ''}"
        if text[-1:].isalnum() and (button.tail or "")[:1].isalnum():
            button.tail = f" {button.tail}"
