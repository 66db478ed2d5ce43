"""Readings set above words (ruby), as where they cannot stand above: in brackets behind them."""

from __future__ import annotations

from .mathml import enclose
from .stylesheets import Element


def write_readings(root: Element) -> None:
    """Put the readings below ``root`` in brackets, in place of those they have for that."""
    for bracket in root.iter("rp"):
        # One whose end is left out has the reading in it.
        if not any(map(str.isalnum, bracket.text or "")):
            bracket.text = None
    for reading in root.iter("rt"):
        if any(text.strip() for text in reading.itertext()):
            enclose(reading, "(", ")")
