"""Marks of footnotes in canonical text: '[^1]' in a sentence, and in front of the note it means.

The caret keeps them apart from the [1] of an answer's citation. Parsers write them whatever the
marks of a file look like: Arabic numbers, or small Roman ones for the endnotes of Word.
"""

from __future__ import annotations

import re

MARK = re.compile(r"\[\^(?:\d{1,4}|[ivxlc]{1,8})\]")
_SPACED = re.compile(rf"[ \t]*{MARK.pattern}")


def without_marks(text: str) -> str:
    """Return ``text`` without the marks of notes, nor the spaces in front of them."""
    return _SPACED.sub("", text)
