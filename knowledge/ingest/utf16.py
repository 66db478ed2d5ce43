"""UTF-16 without a byte order mark, told by the NULs of its ASCII and by its letters."""

from __future__ import annotations

import codecs
import unicodedata
from collections import Counter
from collections.abc import Iterator

_SNIFFED = 8_192
_MOSTLY_ASCII = 5
_ONE_SCRIPT = 0.95
# The first characters of blocks whose letters stand together; what lies between is of its own.
_SCRIPTS = (
    (0x0250, "latin"),
    (0x0370, "phonetic"),
    (0x0400, "greek"),
    (0x0530, "cyrillic"),
    (0x0590, "armenian"),
    (0x0600, "hebrew"),
    (0x0900, "arabic"),
    (0x0E00, "indic"),
    (0x0E80, "thai"),
    (0x10A0, "south asian"),
    (0x1100, "georgian"),
    (0x1200, "hangul"),
    (0x3040, "other"),
    (0xA000, "east asian"),
    (0xAC00, "other"),
    (0xD7B0, "hangul"),
)
_EAST_ASIAN = ("east asian", "hangul")


def unmarked_utf16(data: bytes) -> str | None:
    """Return the name of the UTF-16 that ``data`` is in, None if it is in neither.

    Where most of it is ASCII every second byte is NUL. Where little of it is, the letters tell: in
    the wrong order of bytes they come from everywhere, in the right one from one script and Latin.
    Without a single NUL, a text that has neither a space nor a line end, it is not recognised.
    """
    head = data[:_SNIFFED]
    if len(data) % 2 or 0 not in head:
        return None
    if head.count(0) * _MOSTLY_ASCII >= len(head):
        low, high = head[::2].count(0), head[1::2].count(0)
        if low == 0 or high == 0:
            return "utf-16-le" if low == 0 else "utf-16-be"
    if _is_plain(head.replace(b"\0", b"")):
        return None  # a text with stray NULs: pairs of Latin letters would be read as Chinese
    read = [name for name in ("utf-16-le", "utf-16-be") if _is_text(head.decode(name, "ignore"))]
    return max(read, key=lambda name: _ascii(head.decode(name, "ignore")), default=None)


def _is_plain(head: bytes) -> bool:
    """Return whether bytes are UTF-8 without controls, but for a character cut at the end."""
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return not any(ord(char) < 32 and char not in "\t\n\r\f" for char in text)


def _is_text(sample: str) -> bool:
    """Return whether it holds nothing that texts do not, and letters of one script beside Latin."""
    kinds = {unicodedata.category(char) for char in sample if char not in "\t\n\r\f\ufeff"}
    if kinds & {"Cc", "Cn", "Co", "Cs"}:
        return False
    scripts = Counter(_scripts(sample))
    latin = scripts.pop("latin", 0)
    east = sum(scripts.pop(name, 0) for name in _EAST_ASIAN)
    letters = latin + east + sum(scripts.values())
    most = max(east, *scripts.values(), 0)
    return letters > 0 and latin + most >= _ONE_SCRIPT * letters


def _scripts(sample: str) -> Iterator[str]:
    for char in sample:
        if char.isalpha():
            yield next((name for end, name in _SCRIPTS if ord(char) < end), "other")


def _ascii(sample: str) -> int:
    return sum(char.isascii() for char in sample)
